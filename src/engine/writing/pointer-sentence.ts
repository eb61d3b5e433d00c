/** Sentences that only point to a source: "See [2].", "The list is [1].", "More can be found in [3]." Nothing in them can be cited. */
import { markerPattern } from '../../base/text/markers.ts';

/** Two phrases before the verb at most: where one ends is tried for every place in it, and again for each after it. */
const pointers =
  /^(?:(?:for|pour|für)\s[^.!?:]{1,40}\s|please\s){0,2}(?:see|cf|refer to|compare|siehe|vgl|voir|véase|vedi|zie)(?:\s(?:also|the|auch|aussi|también))*(?:\s(?:sources?|evidence|pages?|references?|links?|below|above|and|or|und|et|y))*$/i;
/** How a sentence ends only if its marker stands for a word. */
const unfinished =
  /^(?:the|this|these|those|its?|their|here|more|further|additional|all|other|full|a)\s[^,;:.!?]{0,60}\b(?:is|are|was|were|(?:found|seen|read|given|listed|described|available|provided|explained)\s(?:in|at|on|by|under|from))$/i;

/** Whether a claim, without its markers, only says where something can be found. */
export function isPointerOnly(claim: string): boolean {
  const bare = claim
    .replace(markerPattern, ' ')
    .replace(/[\s,;.!*_>#|-]+/g, ' ')
    .trim();
  return bare.length <= 120 && (pointers.test(bare) || unfinished.test(bare));
}
