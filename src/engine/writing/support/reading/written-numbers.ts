/** Numbers as people write them: "12,000,000", "1 200", "twenty-three", "eleven hundred", "half a", "twice". */
import { multipliers, smallNumbers, tens } from '../../../../base/text/numbers.ts';
import type { Token } from './read-text.ts';

/** A number as written, without the magnitude and the unit after it. */
export interface WrittenNumber {
  readonly digits: number;
  readonly value: number;
  readonly to: number;
  readonly isVague: boolean;
}

/** The number that starts at a token: digits, words such as "two and a half", "half a". */
export function readNumber(tokens: readonly Token[], at: number): WrittenNumber | undefined {
  const token = tokens[at]!;
  if (token.kind === 'number') {
    const value = parseNumber(token.stem);
    return { digits: value, value, to: at + 1, isVague: false };
  }
  const [next, after] = [tokens[at + 1]?.lower, tokens[at + 2]?.lower];
  if (token.stem === 'half' && (next === 'a' || next === 'an'))
    return { digits: 0.5, value: 0.5, to: at + 2, isVague: true };
  if (token.stem === 'quarter' && next === 'of' && after === 'an')
    return { digits: 0.25, value: 0.25, to: at + 3, isVague: true };
  return readNumberWords(tokens, at);
}

function parseNumber(written: string): number {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(written)) return Number(written.replaceAll(',', ''));
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(written) && (written.match(/\./g)!.length > 1 || written.includes(',')))
    return Number(written.replaceAll('.', '').replace(',', '.'));
  if (/^\d+,\d+$/.test(written)) return Number(written.replace(',', '.'));
  const clock = /^(\d+):(\d+)/.exec(written);
  return clock === null ? Number.parseFloat(written) : Number(clock[1]) * 60 + Number(clock[2]);
}

/** "twenty-three", "one hundred and fifty", "eleven hundred", "two and a half", "a dozen". */
function readNumberWords(tokens: readonly Token[], at: number): WrittenNumber | undefined {
  let total = 0;
  let part = 0;
  let to = at;
  let count = 0;
  for (; to < tokens.length; to += 1) {
    const { lower, kind } = tokens[to]!;
    const small = smallNumbers.indexOf(lower);
    const ten = tens.indexOf(lower);
    if (small >= 0) part += small;
    else if (ten >= 0) part += 20 + 10 * ten;
    else if (count > 0 && (kind === 'mark' ? lower === '-' : lower === 'and') && isNumberWord(tokens[to + 1]?.lower))
      continue;
    else if (multipliers[lower] !== undefined && (count > 0 || ['a', 'an'].includes(tokens[to - 1]?.lower ?? ''))) {
      const factor = multipliers[lower]!;
      if (factor === 100 || factor === 12) part = Math.max(1, part) * factor;
      else {
        total += Math.max(1, part) * factor;
        part = 0;
      }
    } else break;
    count += 1;
  }
  if (count === 0) {
    const once = ['once', 'twice', 'thrice'].indexOf(tokens[at]!.lower);
    return once > 0 ? { digits: once + 1, value: once + 1, to: at + 1, isVague: true } : undefined;
  }
  const value = total + part;
  return {
    digits: value,
    value,
    to,
    isVague: count === 1 && (value <= 1 || (value <= 3 && tokens[at - 1]?.lower === 'the')),
  };
}

function isNumberWord(lower: string | undefined): boolean {
  return (
    lower !== undefined && (smallNumbers.includes(lower) || tens.includes(lower) || multipliers[lower] !== undefined)
  );
}
