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
 * In figures; groups of three digits are thousands. No sign after a word or a number: that is a hyphen. ".5" is 0.5 unless the
 * point ends a sentence or a word, or begins the ending of a file's name.
 */
const figures =
  /(?<![\p{L}\p{N}]|\d[.,])(?:(?<![\p{L}\p{N}])[-−])?(?:(?<![.…)\]%*/”’»]|[\p{L}\p{N}]['"])\.\d+(?!\d|\.\d|(?:gp|g2|z|ds|dm|mf)\b)|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d{1,3}(?:[\u00a0\u202f ' ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(?:e[+-]?\d+)?/giu;
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

/** In the order of the text. A number whose separators can be read in two ways comes twice, at the same place. */
export function statedNumbers(text: string): StatedNumber[] {
  const found: StatedNumber[] = [];
  for (const { 0: written, index } of text.matchAll(figures)) {
    const { factor, end } = magnitudeAt(text, index + written.length);
    for (const digits of new Set(readingsOf(written))) {
      found.push({ value: exact(digits * factor), digits, start: index, end });
    }
  }
  return [...found, ...inWords(text)].sort((a, b) => a.start - b.start);
}

/** "41.000" is 41 or 41,000; "1,940" is 1940. */
function readingsOf(written: string): number[] {
  const plain = written.replace('−', '-').replace(/[\u00a0\u202f ' ]/g, '');
  const english = Number(plain.replace(/,(?=\d{3}(?:\D|$))/g, '').replace(',', '.'));
  if (!/^-?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(plain)) return [english];
  const continental = Number(plain.replaceAll('.', '').replace(',', '.'));
  return Number.isFinite(english) ? [english, continental] : [continental];
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
      const value = run.total + run.part;
      found.push({ value, digits: value, start: run.start, end: run.end });
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
