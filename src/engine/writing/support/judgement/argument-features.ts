/**
 * How the verbs of a claim and of its source take their arguments: their voice, their subjects, and the prepositions before
 * nouns.
 */
import { isPassive, isVerb, orientationAt } from '../checks/roles.ts';
import type { Candidate } from '../closest-sentences.ts';
import type { Reading } from '../reading/reading.ts';

/** In a fixed order. */
export function argumentFeatures(claim: Reading, { reading: source, alignment }: Candidate): number[] {
  const { matches } = alignment;
  const turned = {
    straight: 0,
    inverted: 0,
    straightVoice: 0,
    invertedVoice: 0,
    verbs: 0,
    prepositions: 0,
    otherPrepositions: 0,
    subjects: 0,
    otherSubjects: 0,
  };
  for (const [at, { at: to, relation }] of matches) {
    if (claim.tokens[at]!.kind !== 'content' || relation === 'rival') continue;
    const [one, other] = [prepositionBefore(claim, at), prepositionBefore(source, to)];
    if (one !== undefined && other !== undefined)
      one === other ? (turned.prepositions += 1) : (turned.otherPrepositions += 1);
    if (claim.isName[at] || !isVerb(claim, at)) continue;
    turned.verbs += 1;
    const isVoiceChanged = isPassive(claim, at) !== isPassive(source, to);
    const orientation = orientationAt(claim, source, alignment, at);
    if (orientation !== undefined) turned[isVoiceChanged ? (`${orientation}Voice` as const) : orientation] += 1;
    const [subject, actual] = [wordBefore(claim, at), wordBefore(source, to)];
    if (subject !== undefined && actual !== undefined)
      matches.get(subject)?.at === actual ? (turned.subjects += 1) : (turned.otherSubjects += 1);
  }
  return Object.values(turned);
}

const prepositions = new Set(
  'in on at by to from for with of during since until after before into under over between against through as about than'.split(
    ' ',
  ),
);

function prepositionBefore({ tokens }: Reading, at: number): string | undefined {
  for (let index = at - 1; index >= Math.max(0, at - 3); index -= 1) {
    const { lower, kind } = tokens[index]!;
    if (prepositions.has(lower)) return lower;
    if (kind === 'mark' || (kind === 'content' && index < at - 2)) return undefined;
  }
  return undefined;
}

/** The nearest content word before a verb, in its clause. */
function wordBefore({ tokens, clauses, isName }: Reading, verb: number): number | undefined {
  for (let at = verb - 1; at >= 0 && clauses[at] === clauses[verb]; at -= 1)
    if (tokens[at]!.kind === 'content' || isName[at]) return at;
  return undefined;
}
