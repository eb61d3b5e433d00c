/** The numbers that a text states, as a reader takes them: "1,940", "12 million", "$1.5bn", "eleven hundred", "10e3". */
import { multipliers, smallNumbers, tens } from './numbers.ts';

export interface StatedNumber {
  /** With its magnitude: 12000000 for "12 million". */
  readonly value: number;
  /** Without it: 12. */
  readonly digits: number;
  /** UTF-16 offsets into the text, magnitude included. */
  readonly start: number;
  readonly end: number;
}

/**
 * In figures; groups of three digits are thousands, and so are groups of two before one of three ("12,34,567"). No sign after a word or
 * a number: that is a hyphen. ".5" is 0.5 unless the point ends a sentence or a word, or begins the ending of a file's name.
 */
const figures =
  /(?<![\p{L}\p{N}]|\d[.,])(?:(?<![\p{L}\p{N}])[-−])?(?:(?<![.…)\]%*/”’»]|[\p{L}\p{N}]['"])\.\d+(?!\d|\.\d|(?:gp|g2|z|ds|dm|mf)\b)|\d{1,3}(?:,\d{3})+(?!,?\d)(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?!,?\d)(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?!\.?\d)(?:,\d+)?|\d{1,3}(?:[\u00a0\u202f '’]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(?:e[-+−]?\d+)?/giu;
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** "^23", "^{-19}", "**3" or "²³" after 10; "10¹" is a 10 with a note. */
const exponent = String.raw`(?:\s?\^\s?\{?\s?([-−+]?\d{1,3})\s?\}?|\*\*([-−+]?\d{1,3})|([⁻⁺]?(?!¹(?![${raised}]))[${raised}]{1,3}))(?!\d)`;
const timesPowerOfTen = new RegExp(String.raw`^\s?(?:[×✕x·⋅∙*]|\\times|\\cdot)\s?10${exponent}`, 'iu');
const powerOfTen = new RegExp(`^${exponent}`, 'u');

const minus = /(?<![\p{L}\p{N}])(?:minus|negative|moins|menos)[ \u00a0]$/iu;
/** Before "minus", where it says of a number that it is below zero; after a quantity or a noun it may subtract. */
const beforeMinus =
  /(?:^|[(:;,=|–—"“„«]|(?<![\p{L}\p{N}])(?:is|are|was|were|be|been|of|to|at|from|between|and|or|by|than|below|above|around|about|reached|ist|sind|war|waren|bei|von|auf|bis|zwischen|und|oder|est|sont|était|de|à|et|ou|entre|es|son|era|a|y|o|hasta))\s*$/iu;
/** "plus or minus 5", "au moins 5", "al menos 5" */
const noMinus = /(?<!\p{L})(?:(?:plus|más)(?: (?:or|oder|ou|o))?|au|du|al|lo)\s*$/iu;
/** "20 minus 5", "20 euros minus 5 euros" */
const quantityBefore = /[\p{N}\p{Sc}%)°](?:\s?\p{L}{1,12})?\s*$/u;
const degrees = /^\s?(?:°|(?:degrees?|grad|degrés?|grados?|celsius|kelvin)(?!\p{L}))/iu;
const word = /\p{L}+/gu;
/** Magnitudes in other forms than the words of `multipliers`; the single letters only right after the figures. */
const magnitudes: Readonly<Record<string, number>> = {
  ...multipliers,
  mn: 1e6,
  mio: 1e6,
  bn: 1e9,
  mrd: 1e9,
  tn: 1e12,
  tsd: 1e3,
  tausend: 1e3,
  mille: 1e3,
  mil: 1e3,
  millionen: 1e6,
  millones: 1e6,
  millón: 1e6,
  milioni: 1e6,
  miljoen: 1e6,
  milhões: 1e6,
  milliarde: 1e9,
  milliarden: 1e9,
  milliard: 1e9,
  miljard: 1e9,
  miliardi: 1e9,
  万: 1e4,
  億: 1e8,
  亿: 1e8,
};
const letters: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, B: 1e9 };

/**
 * In the order of the text. A number whose separators can be read in two ways comes twice, at the same place. Whole numbers that a
 * number of JavaScript does not hold exactly are left out.
 */
export function statedNumbers(text: string): StatedNumber[] {
  const found: StatedNumber[] = [];
  let last = 0;
  for (const { 0: written, index } of text.matchAll(figures)) {
    if (index < last) continue;
    const { scaled, end } = magnitudeOf(written, text, index + written.length);
    const start = /^[-−]/.test(written) ? index : startWithSign(text, index, end);
    last = end;
    for (const figure of new Set(readingsOf(written))) {
      if (Number.isInteger(figure) && !Number.isSafeInteger(figure) && !/e/i.test(written)) continue;
      const digits = start < index ? -figure : figure;
      const value = scaled(digits);
      if (Number.isFinite(value)) found.push({ value, digits, start, end });
    }
  }
  return [...found, ...inWords(text)].sort((a, b) => a.start - b.start);
}

/** "41.000" is 41 or 41,000; "1,940" is 1940, and "0,125" an eighth. */
function readingsOf(written: string): number[] {
  const plain = written.replaceAll('−', '-').replace(/[\u00a0\u202f '’]/g, '');
  if (/^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/.test(plain)) {
    const continental = Number(plain.replaceAll('.', '').replace(',', '.'));
    return plain.includes(',') || plain.split('.').length > 2 ? [continental] : [Number(plain), continental];
  }
  const isGrouped = /^-?(?!0,)\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d)/.test(plain);
  return [Number(isGrouped ? plain.replaceAll(',', '') : plain.replace(',', '.'))];
}

/** Where a number begins that a word before it, "minus", makes one below zero; else where its figures or words begin. */
function startWithSign(text: string, from: number, end: number): number {
  const sign = minus.exec(text.slice(Math.max(0, from - 12), from));
  if (sign === null) return from;
  const lead = text.slice(Math.max(0, from - 40), from - sign[0].length);
  if (noMinus.test(lead)) return from;
  const isBelowZero = beforeMinus.test(lead) || (!quantityBefore.test(lead) && degrees.test(text.slice(end, end + 12)));
  return isBelowZero ? from - sign[0].length : from;
}

/** The power of ten or the magnitude that follows figures: what the number is with it, and where it ends. */
function magnitudeOf(
  written: string,
  text: string,
  from: number,
): { readonly scaled: (digits: number) => number; readonly end: number } {
  const after = text.slice(from, from + 24);
  const times = timesPowerOfTen.exec(after);
  if (times !== null) {
    const power = exponentOf(times);
    return { scaled: (digits) => Number(`${digits}e${power}`), end: from + times[0].length };
  }
  const bare = /^[-−]?10$/.test(written) ? powerOfTen.exec(after) : null;
  if (bare !== null) {
    const power = Number(`1e${exponentOf(bare)}`);
    return { scaled: (digits) => Math.sign(digits) * power, end: from + bare[0].length };
  }
  const { factor, end } = magnitudeAt(text, from);
  return { scaled: (digits) => (factor === 1 ? digits : exact(digits * factor)), end };
}

function exponentOf([, first, second, small = '']: RegExpExecArray): string {
  const plain = [...small].map((each) => (each === '⁻' ? '-' : each === '⁺' ? '+' : raised.indexOf(each))).join('');
  return (first ?? second ?? plain).replace('−', '-');
}

/** The factor of the magnitude that follows, and where it ends. */
function magnitudeAt(text: string, from: number): { factor: number; end: number } {
  let factor = 1;
  let end = from;
  for (;;) {
    const [whole = '', gap = '', name = ''] =
      /^([\s-]{0,2})(\p{L}{1,12})(?!\p{L})/u.exec(text.slice(end, end + 16)) ?? [];
    const lower = name.toLowerCase();
    const next =
      (gap === '' && factor === 1 ? letters[name] : undefined) ??
      magnitudes[lower] ??
      magnitudes[lower.replace(/s$/, '')];
    const isCjk = /^[\s]?([万億亿])/.exec(text.slice(end, end + 2));
    if (isCjk !== null) {
      factor *= magnitudes[isCjk[1]!]!;
      end += isCjk[0].length;
    } else if (next === undefined) return { factor, end };
    else {
      factor *= next;
      end += whole.length;
    }
  }
}

/** "eleven", "twenty-three", "one hundred and fifty", "two million". "One" alone is not a number. */
function inWords(text: string): StatedNumber[] {
  const found: StatedNumber[] = [];
  let run: { start: number; end: number; total: number; part: number; count: number } | undefined;
  const close = () => {
    if (run !== undefined && (run.count > 1 || run.part > 1 || run.total > 0)) {
      const start = startWithSign(text, run.start, run.end);
      const value = (run.total + run.part) * (start < run.start ? -1 : 1);
      found.push({ value, digits: value, start, end: run.end });
    }
    run = undefined;
  };
  for (const { 0: each, index } of text.matchAll(word)) {
    const lower = each.toLowerCase();
    const small = smallNumbers.indexOf(lower);
    const ten = tens.indexOf(lower);
    const factor = Object.hasOwn(multipliers, lower) ? multipliers[lower] : undefined;
    const isNext = run !== undefined && /^[\s-]{1,3}$/.test(text.slice(run.end, index));
    if (run !== undefined && isNext && lower === 'and') {
      run.end = index + each.length;
      continue;
    }
    if (!isNext) close();
    if (small === -1 && ten === -1 && (factor === undefined || run === undefined)) {
      close();
      continue;
    }
    run ??= { start: index, end: index, total: 0, part: 0, count: 0 };
    if (small !== -1) run.part += small;
    else if (ten !== -1) run.part += 20 + 10 * ten;
    else if (factor! <= 100) run.part = Math.max(1, run.part) * factor!;
    else {
      run.total += Math.max(1, run.part) * factor!;
      run.part = 0;
    }
    run.end = index + each.length;
    run.count += 1;
  }
  close();
  return found;
}

/** 1.1 million is 1100000, not 1100000.0000000002. */
function exact(value: number): number {
  return Number(value.toPrecision(15));
}
