/** What denies in a part of a sentence, and whether it denies what is asked: a denial of something else of the subject does not. */
import type { Word } from '../text/words.ts';
import { type Claim, polarityIn } from './claims.ts';
import { denialWords } from './clause-parts.ts';

export const denial = new RegExp(denialWords, 'giu');

/** Whether denials cancel out, of which "nor" is one. */
export function isEven(denied: number, isNor: boolean): boolean {
  return (denied + (isNor ? 1 : 0)) % 2 === 0;
}

/** "Fixed-term, with the option of a permanent contract", "may become permanent", "may contain traces of nuts". */
export function isHypothetical(main: string, places: readonly Word[], start: number): boolean {
  const mentions = [
    ...main.matchAll(
      /\b(?:(?:option|possibility|chance|prospect|opportunity|hope|risk|traces?) (?:of|to|for)|may contain|(?:may|might|can|could) (?:become|turn|be (?:made|converted|turned|extended|upgraded))|(?:planned|plans?) (?:for|to)|instead of|rather than)\b/giu,
    ),
  ];
  return mentions.some(
    ({ 0: said, index }) => places.length > 0 && places.every((place) => place.start - start >= index + said.length),
  );
}

/** What may be denied of what comes before: "balconies are not available", "parking is not possible". */
const existence =
  /^(?:\s+(?:yet|currently|always|at all|be|been))*\s*(?:available|included|provided|offered|possible|present|permitted|allowed|supported|exist|there|part|planned|accepted|any|\p{P}|$)/iu;

/** The denials of a part that are of its subject; undefined if something else of the subject is denied: "the balcony has no roof". */
export function countDenials(
  main: string,
  places: readonly Word[],
  start: number,
  claim: Claim | undefined,
): number | undefined {
  let count = 0;
  for (const { 0: word, index } of main.matchAll(denial)) {
    const stop = index + word.length;
    const rest = main.slice(stop);
    const isAfter = places.some((place) => place.start - start >= index);
    // "free of nuts", which says that there are none, is one of the claim's own words.
    if (
      claim !== undefined &&
      /^free/i.test(word) &&
      (polarityIn(main, claim) === 'denies' || claim[0].startsWith('free'))
    )
      continue;
    if (/^(?:without|ohne|sans|sin|senza|sem)$/i.test(word)) {
      // It denies what follows it alone.
      if (places.some((place) => place.start - start >= index && place.start - start < stop + 24)) count += 1;
      continue;
    }
    const isNoun = /^(?:no|lacks?|lacking|free (?:of|from)|kein\p{L}*|geen)$/iu.test(word);
    const isClaimAfter = claim !== undefined && polarityIn(rest, claim) !== undefined;
    if (isNoun && places.length > 0 && !isAfter && !isClaimAfter) {
      const isOfOther =
        /\b(?:with|has|have|had|hat|haben|pays?|needs?|heeft)\s+$/i.test(main.slice(0, index)) ||
        /^(?:lack|free)/i.test(word);
      if (isOfOther && claim !== undefined) continue;
      if (isOfOther) return undefined;
    }
    const isOfPredicate = /^(?:not|n['’]t|never|nicht)$/i.test(word) && claim === undefined;
    if (isOfPredicate && places.length > 0 && !isAfter && !existence.test(rest)) return undefined;
    count += 1;
  }
  return count;
}
