/**
 * A quantity that a question names is said by the range that it is in: "5 to 11 years" for "my 8 year old", "up to 10 kg" for "a
 * parcel of 7 kg", "4 or 5 people" for "five people". Rows of a table, or lines of a list, for other quantities do not answer.
 */
import { statedNumbers } from '../../../base/text/stated-numbers.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { cellsOf } from '../text/cells.ts';
import { unitsOfValues, type ValueDimension } from '../text/comparable-values.ts';
import type { ReadUnit } from '../text/passages.ts';
import { readWords } from '../text/words.ts';
import type { Strengths } from './term-matcher.ts';

/** What a number counts or measures. The words of the question say whether years are an age. */
type Kind = ValueDimension | 'age' | 'people' | 'area' | 'pages' | 'items';

interface Quantity {
  readonly kind: Kind;
  /** In the smallest unit of its kind; of an age, years. */
  readonly value: number;
  /** Offsets of it and its unit. */
  readonly start: number;
  readonly end: number;
}

/** Both ends are in it: values in the smallest unit, or ages in years. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Units by what they measure, each with what it is in the smallest of them: those of columns, and what else is counted. */
const units: ReadonlyMap<string, readonly [Kind, number]> = new Map<string, readonly [Kind, number]>([
  // "Under 5s" are no seconds.
  ...[...unitsOfValues].filter(([word]) => word !== 's'),
  ...(
    [
      [
        'people',
        1,
        'people person persons guest guests adult adults participant participants visitor visitors player players passenger passengers runners members employees users children kids students pupils personen person gäste teilnehmer erwachsene kinder personnes personne convives invités adultes enfants personas huéspedes',
      ],
      ['length', 1_609_344, 'mile miles'],
      ['area', 1, 'm² m2 sqm qm'],
      ['duration', 86_400, 'night nights nacht nächte nuit nuits noche noches tagen'],
      ['duration', 30 * 86_400, 'monaten'],
      ['duration', 365 * 86_400, 'jahren'],
      ['pages', 1, 'page pages seite seiten página páginas'],
      [
        'items',
        1,
        'item items piece pieces copy copies unit units bottles boxes stück exemplare pièces exemplaires piezas',
      ],
    ] as const
  ).flatMap(([kind, factor, words]) => words.split(' ').map((word) => [word, [kind, factor]] as const)),
]);
const secondsOfWeek = 7 * 86_400;
const secondsOfYear = 365 * 86_400;

/** "my 8 year old", "aged 8", "I am 70", "ein 8-jähriges Kind", "un enfant de 8 ans" */
const figure = String.raw`(\d{1,3})`;
const askedAge = new RegExp(
  [
    String.raw`(?<![\d.,])${figure}[ -]years?[ -]olds?\b`,
    String.raw`\b(?:aged?|age of) ${figure}\b(?! ?(?:-|–|to|months?|weeks?)\b)`,
    String.raw`(?:(?<!\b(?:number|code|room|size|total|price|sum|limit|version|bus|line|gate|seat) )\b(?:am|is|are|turned|turns)|['’](?:m|s|re)) ${figure}(?=$|[.,;?!]| and | years? old)`,
    String.raw`(?<![\d.,])${figure}[ -]?(?:jährig\p{L}*|Jahre? alt)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:âgée?s? de|enfants? de|fils de|fille de|j['’]ai|ils? (?:a|ont)|elles? (?:a|ont)) ${figure} ans(?!\p{L})`,
    String.raw`(?<!\p{L})(?:niñ[oa]s? de|hij[oa] de|tengo|tiene|tienen) ${figure} años(?!\p{L})`,
  ].join('|'),
  'iu',
);
/** What a range without a unit is of ages beside. */
const ageContext =
  /(?<!\p{L})(?:ages?|aged|old|child(?:ren)?|kids?|toddlers?|bab(?:y|ies)|infants?|juniors?|teen(?:s|agers?)?|youths?|adults?|seniors?|pensioners?|students?|Alter|Kind(?:er)?|Jugendliche[rn]?|Erwachsene[rn]?|Senioren|Rentner|âge|enfants?|jeunes?|adultes?|ados?|edad|niñ[oa]s|jóvenes|adultos)(?!\p{L})/iu;
/** The name of a column of ages. */
const ageColumn = /^(?:ages?|age (?:group|range)|Alter|Altersgruppe|âge|edad)$/iu;

const number = String.raw`(?<![\p{L}\d.,:€£$])(\d{1,6}(?:[.,]\d{1,2})?)(?![\d%]|[.,:]\d| ?[€£$%])`;
const and = '(?:and|or|und|oder|et|ou|y|o)';
const unit = String.raw`(?:\s?-?\p{L}+²?)?`;
/** "5–11", "12 to 17 years", "4 or 5", "between 2 kg and 5 kg" */
const between = new RegExp(
  String.raw`${number}${unit}\s?(?:-|–|to|bis|à|a|${and})\s?(\d{1,6}(?:[.,]\d{1,2})?)(?![\d%]|[.,:]\d| ?[€£$%])`,
  'iu',
);
/** "over 65", "from 16", "18+", "65 and over" */
const least = new RegExp(
  String.raw`(?:(?<!\p{L})(?:over|above|more than|older than|from|at least|min\.?|ab|über|mehr als|älter als|à partir de|dès|plus de|mayores de|desde|a partir de|más de)|[>≥]) ?(?:the age of )?${number}|${number}(?:${unit} ?\+|\+|${unit} ${and} (?:over|older|above|up|more|älter|mehr|plus|más|mayores))`,
  'iu',
);
/** "under 5", "under-5s"; the number itself is not in it. */
const below = new RegExp(
  String.raw`(?:(?<!\p{L})(?:under|below|less than|fewer than|younger than|unter|weniger als|jünger als|moins de|menos de|menores de)[ -]|<) ?(?:the age of )?${number}`,
  'iu',
);
/** "up to 16", "16 and under" */
const most = new RegExp(
  String.raw`(?:(?<!\p{L})(?:up to|until|max\.?|maximum|no more than|bis(?: zu)?|jusqu['’]à|hasta)|≤) ?(?:the age of )?${number}|${number}${unit} ${and} (?:under|younger|below|less|fewer|jünger|weniger|moins|menos|menores)`,
  'iu',
);

/** "6 to 14: £4" */
const labelled = /^([^:.!?\n]{1,40}): /;
/** "2 people" */
const exactly = new RegExp(String.raw`^${number} ?\p{L}`, 'u');

/**
 * Raises the strengths of units, in their order, that have a range with the quantity of the question, and returns for each whether it
 * is a row, or a line with a name, for other quantities: also where a narrower range beside it has it.
 */
export function raiseWithinRange(
  question: AnalysedQuestion,
  read: readonly ReadUnit[],
  strengths: readonly Strengths[],
): boolean[] {
  const wanted = quantityIn(question.asked);
  if (wanted === undefined) return read.map(() => false);
  const words = readWords(question.asked, question.language);
  const ofQuantity = question.terms.flatMap(({ at }, term) => {
    const word = words[at];
    return word !== undefined && word.start >= wanted.start && word.end <= wanted.end ? [term] : [];
  });
  const ranges = read.map((each) => rangeOf(each, wanted.kind));
  const isIn = ranges.map((range) => range !== undefined && wanted.value >= range.from && wanted.value <= range.to);
  const lists = read.map(listOf);
  return read.map((_, i) => {
    if (ranges[i] === undefined) return false;
    const list = lists[i];
    const isNarrower = (at: number) => isIn[at]! && lists[at] === list && isWider(ranges[i]!, ranges[at]!);
    const isMeant = isIn[i]! && (list === undefined || !read.some((_other, at) => isNarrower(at)));
    if (isMeant) for (const term of ofQuantity) strengths[i]![term] = 1;
    return list !== undefined && !isMeant;
  });
}

/** What the ranges of several units divide: the head of a table, or the heading above lines with names. */
function listOf({ kind, text, header, section }: ReadUnit): string | undefined {
  if (kind === 'row') return `| ${header}`;
  return labelled.test(text) ? section : undefined;
}

/** Whether a range goes further than another one, at the end where it is open. */
function isWider(one: Range, other: Range): boolean {
  const isOpen = one.to === Number.POSITIVE_INFINITY;
  if (isOpen !== (other.to === Number.POSITIVE_INFINITY)) return isOpen;
  return isOpen ? one.from < other.from : one.to - one.from > other.to - other.from;
}

/** Before a quantity: of "under 5 km", others are meant. */
const compared =
  /(?<!\p{L})(?:under|below|over|above|within|(?:less|fewer|more|shorter|longer|lighter|heavier|older|younger|larger|smaller) than|at (?:least|most)|up to|unter|über|(?:weniger|mehr|kürzer|länger) als|mindestens|höchstens|bis zu|(?:moins|plus) de|jusqu['’]à|(?:menos|más) de|hasta)\s*$/iu;

/** The first one with a known unit; undefined if it is compared with others. */
function quantityIn(text: string): Quantity | undefined {
  const age = askedAge.exec(text);
  if (age !== null) {
    const value = Number(age.slice(1).find((each) => each !== undefined));
    return { kind: 'age', value, start: age.index, end: age.index + age[0].length };
  }
  for (const { value, start, end } of statedNumbers(text)) {
    const after = /^[\s-]?(\p{L}+[²2]?)/u.exec(text.slice(end));
    const known = units.get(after?.[1]?.toLowerCase() ?? '');
    if (known !== undefined && compared.test(text.slice(0, start))) return undefined;
    if (known !== undefined) return { kind: known[0], value: value * known[1], start, end: end + after![0].length };
  }
  return undefined;
}

/** The range of such quantities that a sentence has, or that a row is for by its first cell or by a column of ages. */
function rangeOf({ kind, text, header, section }: ReadUnit, wanted: Kind): Range | undefined {
  if (kind !== 'row') {
    const label = labelled.exec(text)?.[1];
    return label === undefined ? readRange(text, '', wanted) : readRange(label, section, wanted, true);
  }
  const names = header === '' ? [] : cellsOf(header);
  for (const [at, cell] of cellsOf(text).entries()) {
    const name = names[at] ?? '';
    const isRead = at === 0 || (wanted === 'age' && ageColumn.test(name));
    const range = isRead ? readRange(cell, name, wanted) : undefined;
    if (range !== undefined) return range;
  }
  return undefined;
}

/**
 * The first range of a text, below the name of a column or list, if it is of quantities of a kind. A name before a colon that is
 * nothing but a range may be of ages.
 */
function readRange(text: string, name: string, wanted: Kind, isName = false): Range | undefined {
  const found = findRange(text);
  if (found === undefined) return undefined;
  const words = `${text.slice(found.index)} ${name}`.toLowerCase().match(/\p{L}+[²2]?/gu) ?? [];
  const [kind, factor] = words.map((word) => units.get(word)).find((each) => each !== undefined) ?? [];
  const { from, to, isBelow, isExact } = found;
  const scaled = (by: number): Range => ({ from: from * by, to: to * by - (isBelow ? Number.EPSILON * to * by : 0) });
  if (wanted !== 'age') return kind === wanted ? scaled(factor!) : undefined;
  if (kind === 'duration') {
    // "1 year" of a membership, or "2 hours", is no age.
    const mayBeAge = factor! >= secondsOfWeek && (!isExact || ageColumn.test(name) || ageContext.test(text));
    return mayBeAge ? scaled(factor! / secondsOfYear) : undefined;
  }
  const isOfAges = ageColumn.test(name) || ageContext.test(isName ? `${text} ${name}` : text);
  return (kind === undefined || kind === 'people') && isOfAges ? scaled(1) : undefined;
}

function findRange(text: string):
  | {
      readonly index: number;
      readonly from: number;
      readonly to: number;
      readonly isBelow?: boolean;
      readonly isExact?: boolean;
    }
  | undefined {
  const infinite = Number.POSITIVE_INFINITY;
  const range = between.exec(text);
  if (range !== null) return { index: range.index, from: toNumber(range[1]!), to: toNumber(range[2]!) };
  const from = least.exec(text);
  if (from !== null) return { index: from.index, from: numberOf(from), to: infinite };
  const under = below.exec(text);
  if (under !== null) return { index: under.index, from: 0, to: numberOf(under), isBelow: true };
  const to = most.exec(text);
  if (to !== null) return { index: to.index, from: 0, to: numberOf(to) };
  const only = exactly.exec(text);
  return only === null ? undefined : { index: 0, from: numberOf(only), to: numberOf(only), isExact: true };
}

/** That of the alternative that matched. */
function numberOf(found: RegExpExecArray): number {
  return toNumber(found.slice(1).find((each) => each !== undefined)!);
}

/** A comma is of decimals: thousands are seldom in a range. */
function toNumber(text: string): number {
  return Number(text.replace(',', '.'));
}
