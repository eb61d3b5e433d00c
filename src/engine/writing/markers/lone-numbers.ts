/**
 * Numbers in what may hold anything: `(2)`, `{2}`, `「2」`, `<2>`, `②`. They are markers where a sentence or clause ends, and not
 * where they enumerate (`(1) first, (2) second`) or name a part (`section (2)`).
 */

import { couldBeNumbers, isLabelled, longestMarker as longest, numbersIn } from './marker-numbers.ts';
import type { MarkedNumbers, Parsed, Place } from './marker-place.ts';

const ordinals =
  /(?:^|[^\p{L}])(?:section|chapter|equation|eqs?|fig|figure|table|step|part|item|article|clause|paragraph|no|nr|version|type|group|level|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\.?$/iu;

/** `(2)` at the end of a sentence, `(Source 2)`, `(see [2])`, `([2], [3])`, and full-width ones. */
export function parseParentheses(place: Place): Parsed {
  const { line, at, isWhole } = place;
  const rest = line.slice(at + 1, at + 1 + longest);
  const content = /^([^()（）\n]{0,100})[)）]/.exec(rest)?.[1];
  if (content === undefined) return !isWhole && couldBeNumbers(rest) ? 'more' : undefined;
  const numbers = numbersIn(content);
  if (numbers === undefined) return undefined;
  const end = at + content.length + 2;
  if (/[[【［]/.test(content) || isLabelled(content)) return { end, numbers };
  return /\p{L}/u.test(content) ? undefined : judgeNumber(place, { end, numbers });
}

/**
 * Whether a number alone, in parentheses or a circle, is a marker. What comes before it: a space or the end of a sentence, and
 * not the start of a line.
 */
export function judgeNumber({ line, at, before, isWhole, style }: Place, found: MarkedNumbers): Parsed {
  const { end, numbers } = found;
  const text = before.trimEnd();
  // Nobody writes a space before full-width characters.
  const isSpaced = text.length < before.length || !/[\s(]/.test(line[at]!);
  const isAfterSentence = /[.!?…。！？]["'”’»)\]*_]{0,3}$/u.test(text);
  if (style.hasBrackets || numbers.some((n) => n < 1 || n > style.known) || !(isSpaced || isAfterSentence))
    return undefined;
  const isListed = text === '' || /[:：;；,，、–—-]$/.test(text) || /^[\s>*+#-]*$/.test(text);
  const [n] = numbers;
  // Counted on from the last one; the same place may be looked at again.
  const isCounted = n === 1 ? isListed : style.enumerated > 0 && (n === style.enumerated + 1 || n === style.enumerated);
  if (isCounted) style.enumerated = n!;
  const isRange = numbers.length > 1 && /\d\s?[-–—−~]/.test(line.slice(at, end));
  if (isListed || isCounted || ordinals.test(text) || (isRange && !isAfterSentence)) return undefined;
  const after = line.slice(end, end + 3);
  if (after.trim() === '' && !isWhole) return 'more';
  const endsHere = after.trim() === '' || /^[.,;:!?…。，；！？、]/u.test(after);
  const beginsNext = isAfterSentence && /^\s*[\p{Lu}\p{N}\p{Lo}"'“‘([【*_#|-]/u.test(after);
  return endsHere || beginsNext ? { end, numbers } : undefined;
}

/** `{2}`, `「2」`, `<2>`: numbers alone in what else may hold anything. */
export function parseBare(place: Place, whole: RegExp): Parsed {
  const { line, at, isWhole } = place;
  const rest = line.slice(at, at + longest);
  const found = whole.exec(rest);
  if (found === null) return !isWhole && /^[{「<]\d[\d\s,;–-]{0,38}$|^[{「<]$/.test(rest) ? 'more' : undefined;
  const content = found[1] ?? found[2]!;
  const numbers = /^[\d\s,;–-]+$/.test(content) ? numbersIn(content) : undefined;
  return numbers && judgeNumber(place, { end: at + found[0].length, numbers });
}
