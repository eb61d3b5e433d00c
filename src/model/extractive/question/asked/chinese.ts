/**
 * Questions in Chinese. Every sign is a word, so that those with which it asks, "什么时候", must not count as terms; what type of value it
 * asks for, and what that looks like, is said by signs of their own.
 */
/** Those of asked-value.ts that questions in Chinese have. */
type ChineseType = 'reason' | 'money' | 'age' | 'clock' | 'duration' | 'day' | 'contact' | 'place' | 'person' | 'count';

const han = /\p{Script=Han}/gu;
const otherLetter = /(?!\p{Script=Han})\p{L}/gu;
/** Letters that a name in another script may have for each Chinese sign, "WiFi密码". Set by hand. */
const lettersPerSign = 3;

/** Whether a text is in Chinese, as far as its questions and values are concerned: "a ticket for 故宫" is not. */
export function isChinese(text: string): boolean {
  const signs = text.match(han)?.length ?? 0;
  if (signs === 0 || /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return false;
  return (text.match(otherLetter)?.length ?? 0) <= lettersPerSign * signs;
}

/** What a question asks with, and signs that are of no subject; the longest first. */
const empty =
  /什么时候|什么时间|什么地方|为什么|什么样|什么|多少钱|多长时间|多少|多久|哪里|哪儿|哪一?[年天]|哪个|哪些|哪位|星期几|几点钟?|几[号月天]|几|谁|怎么样|怎么|怎样|如何|可不可以|可以|需要|应该|能不能|能否|是否|有没有|请问|一共|这次|吗|呢|吧|的|了|是|在|有|能|要|会|我|你|您/gu;

/** Offsets of the parts of a Chinese question that are not terms. */
export function emptySpans(text: string): readonly (readonly [start: number, end: number])[] {
  if (!isChinese(text)) return [];
  return [...text.matchAll(empty)].map(({ index, 0: found }) => [index, index + found.length] as const);
}

const digits = '[\\d一二三四五六七八九十百千万两半]';
const clock = String.raw`\d{1,2}[:：]\d\d|${digits}+点`;

/** In order of precedence: the first whose question fits counts. The answers are global. */
const patterns: readonly (readonly [type: ChineseType, question: RegExp, answer: RegExp])[] = [
  ['reason', /为什么|为何|什么原因|怎么会/u, /因为|由于|原因|所以|因此|因|为了/gu],
  [
    'money',
    /多少[元块]?钱|价格|票价|费用|多少[元块]|[花涨降]了?到?多少/u,
    /[\d一二三四五六七八九十百千万两半][\d.,]*\s?万?(?:[元块角]|人民币|[美欧日港]元|英镑)|[¥￥$€]\s?\d|免费|免票|半价|不要钱/gu,
  ],
  ['age', /几岁|多少岁|多大年纪|年龄/u, new RegExp(`${digits}+岁`, 'gu')],
  ['clock', /几点|什么时间/u, new RegExp(clock, 'gu')],
  [
    'duration',
    /多久|多长时间|几天|几个?(?:小时|月|星期|年)|多少[天年]/u,
    new RegExp(`${digits}+个?(?:分钟|小时|天|日|周|星期|月|年)`, 'gu'),
  ],
  [
    'day',
    /什么时候|哪一?[年天]|几[号月]|星期几|周几|何时/u,
    new RegExp(
      String.raw`\d{4}年|${digits}+[月日号]|[周星期]+[一二三四五六日天]|${clock}|每[天周月年]|月底|[春夏秋冬]天`,
      'gu',
    ),
  ],
  ['contact', /电话|号码|邮箱|网址/u, /\d[\d -]{5,}\d|@|www\./gu],
  ['place', /哪里|哪儿|什么地方|在哪|何处|几[楼层]/u, /位于|[在到去从]|[街路楼层室门站]|旁边|\d+号/gu],
  ['person', /谁|哪位|什么人/u, /老师|先生|女士|小姐|医生|经理|[小老]\p{Script=Han}|由|[主任长师员]是/gu],
  ['count', /多少|几/u, new RegExp(`${digits}+`, 'gu')],
];

/** The type of value that a question in Chinese asks for. */
export function chineseTypeOf(question: string): ChineseType | undefined {
  return patterns.find(([, asks]) => asks.test(question))?.[0];
}

/** "栋" of "多少栋楼": what is counted comes after the number. */
const counted = /(?:多少|几)(\p{Script=Han})/u;

/** How many values of a type a text has, in Chinese. */
export function countChineseValues(type: string, text: string, question: string): number {
  const answer = patterns.find(([of]) => of === type)?.[2];
  if (answer === undefined) return 0;
  const found = [...text.matchAll(answer)];
  const unit = type === 'count' ? counted.exec(question)?.[1] : undefined;
  if (unit === undefined) return found.length;
  return found.filter(({ index, 0: number }) =>
    text.slice(index + number.length, index + number.length + 4).includes(unit),
  ).length;
}
