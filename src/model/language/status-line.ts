/**
 * The model's verdict on its answer: "STATUS: answered" on a line of its own. It is asked for on the first line, and
 * recognised wherever it comes, in other languages, in bold, in a fence, in a row of a table or before text on the same line. It never reaches
 * the answer, and neither does a fence around the whole of it. Text waits only while it may still be such a line.
 */
import type { TextResult } from '../../../protocol/index.ts';

type Status = TextResult['status'];

export interface StatusFilter {
  /** The text of a piece, and of what waited, without verdicts. */
  push(piece: string): string;
  /** Returns the rest. */
  finish(): string;
  /** The last verdict so far. */
  readonly status: Status | undefined;
}

/** The word for it in the languages that models answer in; the first is the one that is asked for. */
const keys = [
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
  ...['СТАТУС', '状态', '狀態', 'ステータス', '상태', 'स्थिति', 'الحالة', 'وضعیت', 'สถานะ', 'ANTWORTSTATUS'],
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
    'answered|beantwortet|répondue?|respondid[oa]|contestad[oa]|rispost[oa]|beantwoord|отвечено|已回答|已答复|回答済み?|답변(?:됨|완료)|besvar(?:ad|et|t)|vastattu|atbildēts|zodpovězeno|zodpovedané|odpowiedziano|megválaszolva|răspuns|cevapland[ıi]|yanıtlandı|đã trả lời|ตอบแล้ว|تمت الإجابة|پاسخ داده شد|उत्तर (?:दिया|दे दिया)(?: गया)?',
  ],
];
const around = String.raw`[\s>*_#\x60~"'“”(\[\]){<-]`;
/** Words that some put before it: "Final status". */
const leads = ['FINAL', 'ANSWER', 'OVERALL'];
const beginning = String.raw`^${around}{0,8}(?:\d{1,2}[.)]\s{1,3})?(?:\p{Extended_Pictographic}\ufe0f?\s?)?(?:(?:${leads.join('|')})[\s_-])?`;
const separator = String.raw`[\s*_\x60"']{0,4}(?:[:：=>→]|[-=]>|[-–—]\s)[\s*_\x60"'“”(\[]{0,6}(?:\p{Extended_Pictographic}\ufe0f?\s?)?`;
/** "Fully answered". */
const degree = '(?:(?:fully|completely|entirely|only|vollständig|entièrement|totalmente|completamente|volledig)\\s)?';
const known = values.map(([, words]) => words).join('|');
const closing = String.raw`(?![\p{L}\p{N}_])(?:<\/\w{1,16}>|[ \t*_\x60"'”)\]>}.。]){0,6}`;
/** A verdict that is known, whatever follows it. */
const knownVerdict = new RegExp(`${beginning}(?:${keys.join('|')})${separator}${degree}(${known})${closing}`, 'iu');
/** "STATUS answered", as it was asked for but for the colon. */
const bareVerdict = new RegExp(String.raw`${beginning}STATUS\s(answered|partial|not_found|conflicting)${closing}`, 'u');
/** What may follow a verdict on its line: "(fully)", ", with citations", "in the sources". */
const remark = /^(?:!|\([^()\n]{0,40}\)|[,;]\s[^\n.!?[\]]{0,50}|in (?:the )?(?:sources?|evidence))[\s.!]{0,3}$/;
const remarkBegun = /^(?:!|\(|[,;]|i(?:n |n?$))/;
/** Characters of a remark that is waited for; set by hand. */
const longestRemark = 60;
/** A row of a table with it, in capitals as it was asked for, its beginning, and what separates the head of a table from its rows. */
const row = {
  whole:
    /^\s{0,3}\|[\s*_`]{0,6}STATUS[\s*_`:]{0,6}\|[\s*_`]{0,6}(answered|partial|not_found|conflicting)[\s*_`.]{0,6}\|?\s*$/,
  begun: /^\s{0,3}\|[\s*_`]{0,6}(?:S|ST|STA|STAT|STATU|STATUS[^\n]{0,50})?$/,
  line: /^\s{0,3}\|[\s|:-]{2,80}$/,
};
/** The key on a line of its own, and the verdict on the next. */
const keyAlone = new RegExp(String.raw`${beginning}STATUS[\s*_:：]{0,6}$`, 'u');
const valueAlone = new RegExp(`^${around}{0,8}${degree}(${known})${closing}$`, 'iu');
/** One in capitals, whatever it says, if the line says nothing else. */
const otherVerdict = new RegExp(String.raw`${beginning}STATUS${separator}[^\n.!?。]{0,40}[\s.。]{0,3}$`, 'u');
/** One in capitals before text, in words that are not known. */
const strayVerdict = new RegExp(String.raw`${beginning}STATUS${separator}[\p{L}_]{1,24}[ \t*_\x60"'”)\].]{0,6}`, 'u');
const keyBegun = new RegExp(String.raw`${beginning}([^:：=*_\x60"]{0,14})$`, 'iu');
const numberBegun = new RegExp(String.raw`^${around}{0,8}\d{1,2}[.)]?$`, 'u');
const keyed = [
  new RegExp(String.raw`${beginning}(?:${keys.join('|')})(?:[\s*_\x60"']{0,4}[-–—=]?|${separator}[^\n]{0,26})$`, 'iu'),
  new RegExp(String.raw`${beginning}STATUS${separator}[^\n]{0,50}$`, 'u'),
  new RegExp(String.raw`${beginning}STATUS\s\w{0,12}$`, 'u'),
];
/** The same within a line, only as it was asked for. */
const inLine = /[ \t]*[*_]{0,2}\bSTATUS: ?(answered|partial|not_found|conflicting)\b[*_]{0,2}/;
const inLineBegun = /[ \t]*[*_]{0,2}\bS(?:T(?:A(?:T(?:U(?:S(?:: ?\w{0,12}[*_]{0,2})?)?)?)?)?)?$/;
const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*(\w*)[ \t]*$/;

/** The beginning of an answer that begins as it was asked to, possibly in a fence. */
export const answerBegins = new RegExp(
  String.raw`^(?:\s*[\x60~]{3,}\w*\s*\n)?${around}{0,8}(?:${keys.join('|')})${separator}`,
  'iu',
);

/** A filter for one answer. */
export function createStatusFilter(): StatusFilter {
  let waiting = '';
  let atLineStart = true;
  let isFirst = true;
  /** Line ends that are sent with the text after them, so that none is left at the end. */
  let gap = '';
  /** A line that opens a fence, until the next line says what is in it. */
  let opened: string | undefined;
  /** The marks of the fence that is around the answer, or a verdict, and was left out. */
  let wrapped: string | undefined;
  /** The marks of the fence of the code that this is. */
  let code: string | undefined;
  let status: Status | undefined;
  /** Whether a row of a table was just left out. */
  let isAfterRow = false;

  /** What waited for the text that comes now. */
  function release(): string {
    isFirst = false;
    if (opened !== undefined) code = fence.exec(opened.trimEnd())?.[1];
    const waited = gap + (opened ?? '');
    gap = '';
    opened = undefined;
    return waited;
  }

  /** The length of the verdict at the start of `line`; 0 if there is none, -1 while the rest of the line decides. */
  function verdictAt(line: string, isWhole: boolean): number {
    const found = knownVerdict.exec(line) ?? bareVerdict.exec(line);
    if (found !== null && (isWhole || found[0].length < line.length)) {
      const rest = line.slice(found[0].length);
      if (!isWhole && rest.length < longestRemark && remarkBegun.test(rest)) return -1;
      status = statusOf(found[1]!);
      return isWhole && remark.test(rest) ? line.length : found[0].length;
    }
    if (!isWhole) {
      const word = keyBegun.exec(line)?.[1]?.toUpperCase();
      const isKey = word !== undefined && [...keys, ...leads].some((key) => key.startsWith(word));
      return isKey || numberBegun.test(line) || keyed.some((begun) => begun.test(line)) ? -1 : 0;
    }
    if (otherVerdict.test(line)) return line.length;
    return strayVerdict.exec(line)?.[0].length ?? 0;
  }

  /** Takes a line that is a fence around the answer, or may be one around a verdict. False for the fences of code. */
  function takeFence(line: string): boolean {
    const [, marks, info = ''] = fence.exec(line) ?? [];
    if (marks === undefined) return false;
    if (code !== undefined) {
      if (info === '' && marks.startsWith(code)) code = undefined;
      return false;
    }
    if (wrapped !== undefined && info === '' && marks.startsWith(wrapped)) {
      wrapped = undefined;
      return true;
    }
    if (isFirst && /^(?:markdown|md)$/i.test(info)) {
      wrapped = marks;
      return true;
    }
    if (!/^(?:markdown|md|text|plaintext|txt)?$/i.test(info) || opened !== undefined) {
      code = marks;
      return false;
    }
    opened = `${line}\n`;
    return true;
  }

  function read(isLast: boolean): string {
    let text = '';
    while (waiting !== '') {
      const end = waiting.indexOf('\n');
      const line = end === -1 ? waiting : waiting.slice(0, end);
      const isWhole = end !== -1 || isLast;
      if (!atLineStart) {
        const found = inLine.exec(line);
        if (found !== null && (isWhole || found.index + found[0].length < line.length)) {
          status = found[1] as Status;
          text += line.slice(0, found.index);
          waiting = waiting.slice(found.index + found[0].length);
          continue;
        }
        const safe = isWhole ? line.length : (inLineBegun.exec(line)?.index ?? line.length);
        text += line.slice(0, safe);
        waiting = waiting.slice(safe);
        if (end === -1) break;
        gap += '\n';
        waiting = waiting.slice(1);
        atLineStart = true;
        continue;
      }
      if (isWhole && line.trim() === '') {
        // Where a verdict was taken out, one blank line is left.
        if (!isFirst && (code !== undefined || !gap.endsWith('\n\n'))) gap += `${line}${end === -1 ? '' : '\n'}`;
        waiting = waiting.slice(line.length + 1);
        continue;
      }
      if (!isWhole && /^ {0,3}(?:`{1,}|~{1,})[ \t]*\w{0,12}[ \t]*$/.test(line)) break;
      if (isWhole && takeFence(line)) {
        waiting = waiting.slice(line.length + 1);
        continue;
      }
      if (isWhole && code === undefined && keyAlone.test(line)) {
        const next = /^\s*([^\n]*)(\n?)/.exec(waiting.slice(line.length))!;
        if (next[2] === '' && !isLast) break;
        const value = valueAlone.exec(next[1]!)?.[1];
        if (value !== undefined) {
          status = statusOf(value);
          waiting = waiting.slice(line.length + next[0].length);
          continue;
        }
      }
      if (!isWhole && code === undefined && (row.begun.test(line) || (isAfterRow && /^\s{0,3}\|/.test(line)))) break;
      const inRow = code === undefined ? row.whole.exec(line) : null;
      if (inRow !== null || (isAfterRow && row.line.test(line))) {
        status = (inRow?.[1] as Status | undefined) ?? status;
        isAfterRow = inRow !== null;
        waiting = waiting.slice(line.length + 1);
        continue;
      }
      isAfterRow = false;
      const length = verdictAt(line, isWhole);
      if (length === -1) break;
      if (length > 0) {
        if (opened !== undefined) {
          wrapped = fence.exec(opened.trimEnd())?.[1];
          opened = undefined;
        }
        waiting = waiting.slice(length).replace(/^[ \t]*\n?/, '');
        continue;
      }
      text += release();
      atLineStart = false;
    }
    return text;
  }

  return {
    push(piece) {
      if (!atLineStart && waiting === '' && !/[S\n]/.test(piece)) return piece;
      waiting += piece;
      return read(false);
    },
    finish: () => {
      const text = read(true);
      return opened === undefined ? text : text + release().trimEnd();
    },
    get status() {
      return status;
    },
  };
}

function statusOf(word: string): Status {
  return values.find(([, words]) => new RegExp(`^(?:${words})$`, 'iu').test(word))![0];
}
