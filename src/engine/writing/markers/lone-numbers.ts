/**
 * Numbers in brackets that may hold anything: `(2)`, `{2}`, `「2」`, `«2»`, `<2>`, `②`. They are markers where a sentence or
 * clause ends, and not where they enumerate (`(1) first, (2) second`) or name a part (`section (2)`).
 */

import { endsSentence } from '../../../base/text/sentences/sentence-ends.ts';
import { endOfBracket } from './bracket-markers.ts';
import { couldBeNumbers, isLabelled, longestMarker as longest, numbersIn } from './marker-numbers.ts';
import type { MarkedNumbers, Parsed, Place } from './marker-place.ts';

const ordinals =
  /(?:^|[^\p{L}])(?:section|chapter|equation|eqs?|fig|figure|table|step|part|item|article|clause|paragraph|no|nr|version|type|group|level|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\.?$/iu;

/** `(2)` at the end of a sentence, `(Source 2)`, `(see [2])`, `([2], [3])`, and full-width ones. */
export function parseParentheses(place: Place): Parsed {
  const { line, at, isWhole } = place;
  const end = endOfBracket(line, at);
  if (end === undefined) return !isWhole && couldBeNumbers(line.slice(at + 1, at + 1 + longest)) ? 'more' : undefined;
  const content = line.slice(at + 1, end - 1);
  const numbers = numbersIn(content);
  if (numbers === undefined) return undefined;
  if (/[[【［]/.test(content) || isLabelled(content)) return { end, numbers };
  return hasWords.test(content.replace(joining, ' ')) ? undefined : judgeNumber(place, { end, numbers });
}

const joining = /(?<!\p{L})(?:and|und|et|y|e|en|or|oder)(?!\p{L})/giu;
const hasWords = /\p{L}/u;

/**
 * Whether a lone number, in parentheses or a circle, is a marker. It must follow a space or the end of a sentence, and not
 * start a line.
 */
export function judgeNumber(
  { line, at, before, isWhole, style, afterMarker, closing = '' }: Place,
  found: MarkedNumbers,
): Parsed {
  const { end, numbers } = found;
  const text = before.trimEnd();
  // Nobody writes a space before full-width characters.
  const isSpaced = afterMarker || text.length < before.length || !/[\s(]/.test(line[at]!);
  const isAfterSentence = endsSentence(text);
  if (style.hasBrackets || numbers.some((n) => n < 1 || n > style.known) || !(isSpaced || isAfterSentence))
    return undefined;
  const isListed = !afterMarker && (text === '' || /[:：;；,，、–—-]$/.test(text) || /^[\s>*+#-]*$/.test(text));
  const [n] = numbers;
  // Counted on from the last one; the same place may be looked at again.
  const isCounted = n === 1 ? isListed : style.enumerated > 0 && (n === style.enumerated + 1 || n === style.enumerated);
  if (isCounted) style.enumerated = n!;
  const isRange = numbers.length > 1 && /\d\s?[-–—−~]/.test(line.slice(at, end));
  if (isListed || isCounted || ordinals.test(text) || (isRange && !isAfterSentence)) return undefined;
  const rest = line.slice(end, end + 6);
  if (closing.startsWith(rest) && rest !== closing && !isWhole) return 'more';
  const after = (rest.startsWith(closing) ? rest.slice(closing.length) : rest).slice(0, 3);
  if (/^\s*[(（{「]?$/.test(after) && !isWhole) return 'more';
  // Another one may follow: "(2)(3)", "(2), (3)".
  const endsHere = after.trim() === '' || /^[.,;:!?…。，；！？、)）]|^[(（{「]\d/u.test(after);
  const beginsNext = isAfterSentence && /^\s*[\p{Lu}\p{N}\p{Lo}"'“‘([【*_#|-]/u.test(after);
  return endsHere || beginsNext ? { end, numbers } : undefined;
}

const bare =
  /^(?:[{「『｛《〈«‹⟨〘⦗]|<{1,2}|\{\{)(?<content>[^{}「」『』｛｝《》〈〉«»‹›⟨⟩〘〙⦗⦘<>\n]{1,40})(?:\}\}|[}」』｝》〉»›⟩〙⦘]|>{1,2})/;
const bareBegun = /^[{「『｛《〈«‹⟨〘⦗<]{1,2}(?:\[?\d[\d\s,;–\]-]{0,38})?$/;

/**
 * `{2}`, `「2」`, `«2»`, `<2>`: lone numbers in other brackets that may hold anything; not the arguments of a command, as in
 * `\\frac{1}{2}`.
 */
export function parseBare(place: Place): Parsed {
  const { line, at, before, isWhole } = place;
  if (/\\[a-z]+\*?$|[\^_}]$/i.test(before)) return undefined;
  const rest = line.slice(at, at + longest);
  const found = bare.exec(rest);
  if (found === null) return !isWhole && bareBegun.test(rest) ? 'more' : undefined;
  const content = found.groups!.content!;
  const numbers = /^[\d\s,;–[\]-]+$/.test(content) ? numbersIn(content) : undefined;
  if (numbers === undefined) return undefined;
  const end = at + found[0].length;
  // "{[2]}"
  return content.includes('[') ? { end, numbers } : judgeNumber(place, { end, numbers });
}
