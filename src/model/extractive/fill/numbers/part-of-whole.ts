/** A part and its whole, "17 of the 240 lamps": which of the two numbers a field takes. */
import type { FieldMatch } from '../field-match.ts';
import type { Field } from '../fields.ts';
import type { Statement } from '../statements.ts';
import type { Measure } from './measures.ts';

const within = /^\s+(?:out )?of (?:the |its |our |all |their |a total of )?$/;
const ofWhich = /\bof (?:which|them|these|those)\s+(?:about |some |only )?$/;
/** What is said of a part after the whole: "12 of 40 taken", but not "12 of 40 registered boats". */
const partSaid =
  /^\s*(?:\p{L}+\s)?(?:\p{L}{2,}ed|present|absent|free|left|taken|sold|open|empty|available|remaining|gone|broken)(?=\s*(?:[.,;:)]|$)|\s(?:in|on|at|by|for|during|since|and|but|so|last|this|yesterday|today|with)\b)/iu;

/** For "17 of the 240 lamps are broken" and "240 lamps, of which 17 are broken": which of the two numbers is the field's. */
export function partOf(
  measures: readonly Measure[],
  measure: Measure,
  field: Field,
  match: FieldMatch,
  { text, valueStart }: Statement,
): number {
  const at = measures.indexOf(measure);
  const pairs = [
    [measures[at - 1], measure],
    [measure, measures[at + 1]],
  ] as const;
  for (const [first, second] of pairs) {
    if (first === undefined || second === undefined || second.start - first.end > 120) continue;
    const between = text.slice(first.end, second.start);
    const isWithin = within.test(between);
    if (!isWithin && !ofWhich.test(between)) continue;
    const verb = /\b(?:is|are|was|were|have|has|comes?|goes|went)\b/.exec(text.slice(second.end, second.end + 120));
    const from = second.end + (isWithin ? (verb?.index ?? 120) : 0);
    const said = partSaid.exec(text.slice(second.end, second.end + 40));
    const saidAt = second.end + (said?.[0].length ?? 0);
    const isSaidAfter = match.places.some(
      (places) =>
        places.length > 0 &&
        (places.every(({ start }) => start >= from) ||
          (isWithin && said !== null && places.every(({ end }) => end === saidAt))),
    );
    const isOther =
      said !== null && !match.places.flat().some(({ start, end }) => start >= second.end && end <= saidAt);
    const isPart =
      isSaidAfter || (isWithin && !isWhole(field) && !isOther && isSaidBefore(match, text, first, valueStart));
    const part = isWithin ? first : second;
    return (measure === part) === isPart ? 0.5 : -0.5;
  }
  return 0;
}

/** Whether a name says that it is all there are. */
function isWhole({ key }: Field): boolean {
  return /\b(?:total|all|overall|capacity)\b/.test(key);
}

/** Whether a word of the field is the label, or right before both numbers: "Present: 43 of 88 members", "we sold 12 of 40 seats". */
function isSaidBefore(match: FieldMatch, text: string, first: Measure, valueStart: number): boolean {
  return match.places.some(
    (places) =>
      places.length > 0 &&
      places.every(({ end }) => end <= first.start) &&
      places.some(({ end }) => (end <= valueStart ? true : /^[^,.;:]{0,20}$/.test(text.slice(end, first.start)))),
  );
}
