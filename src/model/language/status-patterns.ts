/**
 * How models write the verdict on their answer, "STATUS: answered": its words in many languages, what is around them, and the
 * beginnings of each form, by which a stream knows that it has to wait.
 */
import type { TextResult } from '../../../protocol/index.ts';

export type Status = TextResult['status'];

/** The word for it in the languages that models answer in; the first is the one that is asked for. */
export const keys = [
  ...[
    'STATUS',
    'STATUT',
    'ESTADO',
    'STATO',
    'STATUSS',
    'STAV',
    'STAN',
    'TILA',
    'ÁLLAPOT',
    'DURUM',
    'TÌNH TRẠNG',
    'TRẠNG THÁI',
  ],
  ...[
    'СТАТУС',
    '状态',
    '狀態',
    'ステータス',
    '상태',
    'स्थिति',
    'الحالة',
    'وضعیت',
    'สถานะ',
    'ANTWORTSTATUS',
    'STATUS DER ANTWORT',
    'ΚΑΤΆΣΤΑΣΗ',
  ],
];
const values: readonly (readonly [Status, string])[] = [
  [
    'partial',
    'partial(?:ly(?: answered)?)?|teilweise(?: beantwortet)?|partiell?e?(?:ment)?|parcial(?:mente)?|parziale|gedeeltelijk|частично|部分(?:回答|的)?|一部(?:回答)?|부분',
  ],
  [
    'not_found',
    'not[_ -]?found|unanswered|nicht[_ ]gefunden|nicht beantwortet|(?:non|pas)[_ ]trouvée?|no[_ ]encontrad[oa]|não[_ ]encontrad[oa]|non[_ ]trovat[oa]|niet[_ ]gevonden|не[_ ]найдено|未找到|未发现|見つかりません(?:でした)?|찾을 수 없음',
  ],
  [
    'conflicting',
    'conflicting|widersprüchlich|contradictoire|contradictori[oa]|conflitante|contrastante|tegenstrijdig|противоречиво|冲突|矛盾|상충',
  ],
  [
    'answered',
    'answered|beantwortet|répondue?|respondid[oa]|contestad[oa]|rispost[oa]|beantwoord|отвечено|ответ дан|απαντήθηκε|已回答|已答复|回答済み?|답변(?:됨|완료)|besvar(?:ad|et|t)|vastattu|atbildēts|zodpovězeno|zodpovedané|odpowiedziano|megválaszolva|răspuns|cevapland[ıi]|yanıtlandı|đã trả lời|ตอบแล้ว|تمت الإجابة|پاسخ داده شد|उत्तर (?:दिया|दे दिया)(?: गया)?',
  ],
];
const around = String.raw`[\s>*_#\x60~"'“”(\[\]){<|•!\u200b\ufeff-]`;
/** Words that some put before it: "Final status". */
export const leads = ['FINAL', 'ANSWER', 'OVERALL'];
const beginning = String.raw`^${around}{0,8}(?:\d{1,2}[.)]\s{1,3})?(?:\p{Extended_Pictographic}\ufe0f?\s?)?(?:(?:${leads.join('|')})[\s_-])?`;
const separator = String.raw`[\s*_\x60"']{0,4}(?:[:：=>→]|[-=]>|[-–—]\s)[\s*_\x60"'“”(\[]{0,6}(?:\p{Extended_Pictographic}\ufe0f?\s?)?`;
/** "Fully answered". */
const degree = '(?:(?:fully|completely|entirely|only|vollständig|entièrement|totalmente|completamente|volledig)\\s)?';
const known = values.map(([, words]) => words).join('|');
const closing = String.raw`(?![\p{L}\p{N}_])(?:<\/\w{1,16}>|[ \t*_\x60"'”)\]>}.。|\u200b–—-]){0,6}`;
/** A verdict that is known, whatever follows it. */
export const knownVerdict = new RegExp(
  `${beginning}(?:${keys.join('|')})${separator}${degree}(${known})${closing}`,
  'iu',
);
/** "STATUS answered", as it was asked for except for the colon. */
export const bareVerdict = new RegExp(
  String.raw`${beginning}STATUS\s(answered|partial|not_found|conflicting)${closing}`,
  'u',
);
/** What may follow a verdict on its line: "(fully)", ", with citations", "in the sources". */
export const remark =
  /^(?:!|\([^()\n]{0,40}\)|[,;]\s[^\n.!?[\]]{0,50}|(?:in (?:the )?)?(?:sources?|evidence)|(?:\/|or )[\w ]{1,20})[\s.!]{0,3}$/;
export const remarkBegun =
  /^(?:!|\(|[,;/]|i(?:n |n?$)|or?(?: |$)|s(?:o|$)|e(?:v|$)|a(?:n(?:s(?:w(?:e(?:r(?:ed?)?)?)?)?)?)?$)/;
/** Characters of a remark that is waited for; set by hand. */
export const longestRemark = 60;
/**
 * A row of a table with it, in capitals as it was asked for, its beginning, and what separates the head of a table from its rows.
 */
export const row = {
  whole:
    /^\s{0,3}\|[\s*_`]{0,6}STATUS[\s*_`:]{0,6}\|[\s*_`]{0,6}(answered|partial|not_found|conflicting)[\s*_`.]{0,6}\|?\s*$/,
  begun: /^\s{0,3}\|[\s*_`]{0,6}(?:S|ST|STA|STAT|STATU|STATUS[^\n]{0,50})?$/,
  line: /^\s{0,3}\|[\s|:-]{2,80}$/,
};
/** The key on a line of its own, and the verdict on the next. */
export const keyAlone = new RegExp(
  String.raw`${beginning}STATUS[\s*_:：]{0,6}$|^#{1,6}\s?\*{0,2}Status\*{0,2}:?\s*$`,
  'u',
);
export const valueAlone = new RegExp(`^${around}{0,8}${degree}(${known})${closing}$`, 'iu');
/** One in capitals, whatever it says, if the line says nothing else. */
export const otherVerdict = new RegExp(String.raw`${beginning}STATUS${separator}[^\n.!?。]{0,40}[\s.。]{0,3}$`, 'u');
/** "Status: ✅" on a line of its own, and what each sign stands for. */
export const signVerdict =
  /^\s{0,3}[*_]{0,2}Status[*_]{0,2}\s?[:：][*_\s]{0,3}(?<sign>\p{Extended_Pictographic})\ufe0f?[*_\s]{0,3}$/iu;
export const signs: Readonly<Record<string, Status>> = {
  ...{ '✅': 'answered', '✔': 'answered', '☑': 'answered', '🟢': 'answered' },
  ...{ '⚠': 'partial', '🟡': 'partial', '🟠': 'partial', '❌': 'not_found', '❎': 'not_found', '🔴': 'not_found' },
};
/** One in capitals before text, in words that are not known. */
export const strayVerdict = new RegExp(
  String.raw`${beginning}STATUS${separator}[\p{L}_]{1,24}[ \t*_\x60"'”)\].]{0,6}`,
  'u',
);
export const keyBegun = new RegExp(String.raw`${beginning}([^:：=*_\x60"]{0,14})$`, 'iu');
export const numberBegun = new RegExp(String.raw`^${around}{0,8}\d{1,2}[.)]?$`, 'u');
export const keyed = [
  new RegExp(String.raw`${beginning}(?:${keys.join('|')})(?:[\s*_\x60"']{0,4}[-–—=]?|${separator}[^\n]{0,26})$`, 'iu'),
  new RegExp(String.raw`${beginning}STATUS${separator}[^\n]{0,50}$`, 'u'),
  new RegExp(String.raw`${beginning}STATUS\s\w{0,12}$`, 'u'),
];
/** The same within a line, only as it was asked for. The white space before it is not part of it: models write runs of any length. */
export const inLine = /[*_]{0,2}\bSTATUS: ?(answered|partial|not_found|conflicting)\b[*_]{0,2}/;
export const inLineBegun = /[*_]{0,2}\bS(?:T(?:A(?:T(?:U(?:S(?:: ?\w{0,12}[*_]{0,2})?)?)?)?)?)?$/;
/**
 * After a sentence, at the end of a line: in capitals, or "Status: answered" in some language. "Status: not found" may be what a page
 * says.
 */
export const gluedVerdict = new RegExp(
  [
    `${beginning}(?:${keys.join('|')})${separator}${degree}(?<any>${known})${closing}`,
    `${beginning}(?:Stat(?:us|ut|o)|Estado)${separator}${degree}(?<only>${values.at(-1)![1]})${closing}`,
    String.raw`${beginning}STATUS${separator}[^\n.!?。]{0,40}[\s.。]{0,3}$`,
  ].join('|'),
  'u',
);
/** As it was asked for, to the end of a line, and its beginning: all that counts once the first line gave the verdict. */
export const exactVerdict =
  /^ {0,3}[*_]{0,2}STATUS:[*_]{0,2} ?(?<any>answered|partial|not_found|conflicting)[*_.]{0,3}\s*$/;
export const exactBegun =
  /^\s{0,40}[*_]{0,2}(?:S(?:T(?:A(?:T(?:U(?:S(?::[*_]{0,2} ?[a-z_]{0,11}[*_.]{0,3}\s{0,9})?)?)?)?)?)?)?$/;
/** A whole line, with the marks and the info string, untrimmed; and the beginning of one, which waits for its end: bounded, as a line may never end. */
export const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
export const fenceBegun = /^ {0,3}(?:`{1,20}|~{1,20}|`{3,20}[^`]{1,60}|~{3,20}.{1,60})$/;

/** The beginning of an answer that begins as it was asked to, possibly in a fence. */
export const answerBegins = new RegExp(
  String.raw`^(?:\s*[\x60~]{3,}\w*\s*\n)?${around}{0,8}(?:${keys.join('|')})${separator}`,
  'iu',
);

/** The status that a known word stands for. */
export function statusOf(word: string): Status {
  return values.find(([, words]) => new RegExp(`^(?:${words})$`, 'iu').test(word))![0];
}
