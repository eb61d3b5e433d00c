/** A noun with what describes it: "the first stone lighthouse of the island". */
import type { Reading } from '../reading/reading.ts';
import {
  be,
  coordinators,
  determiners,
  have,
  isAdverb,
  modals,
  prepositions,
  pronouns,
  relatives,
  subjects,
  subordinators,
} from './function-words.ts';
import { isOpinion } from './pair-clauses.ts';
import type { NounPhrase } from './phrase.ts';
import { verbFormsOf } from './verb-forms.ts';
import { verbAt } from './verb-groups.ts';

/** Reads a noun phrase up to the first word that cannot be in it; "of" is inside. */
export function readNoun(reading: Reading, from: number, end: number): NounPhrase {
  const { tokens, isFigure, isName } = reading;
  const first = tokens[from]!;
  const isCounting = first.lower === 'one' && tokens[from + 1]?.kind === 'content';
  if (!isCounting && (pronouns.has(first.lower) || first.lower === 'there') && !isFigure[from])
    return { kind: 'noun', from, to: from + 1, head: from, isPronoun: true, isDefinite: true };
  const isDated = prepositions.has(tokens[from - 1]?.lower ?? '') && (from === 1 || tokens[from - 2]!.kind === 'mark');
  let [at, head, isAfterOf] = [from, -1, false];
  for (; at < end; at += 1) {
    const { lower, kind } = tokens[at]!;
    const before = tokens[at - 1];
    const isPossessive = at > from && /['’]s?$/.test(before!.text);
    if (lower === 'of' && at > from) {
      isAfterOf = true;
      continue;
    }
    if (kind === 'mark') {
      if ((lower === '-' || (isFigure[at] && lower !== '.')) && at + 1 < end) continue;
      break;
    }
    if (isFigure[at]) {
      // "Until 1983 three keepers …"; "the commission first asked".
      if (at > from && reading.dates.some(({ to }) => to === at)) break;
      if (at > from && lower === 'first' && endsBefore(at)) break;
      // "Paid the operators 6 dollars".
      const isMany = head !== -1 && (isName[head] === true || /[^s]s$/.test(tokens[head]!.lower));
      if (isMany && head === at - 1 && !isFigure[head] && isMeasured(at)) break;
      if (!isAfterOf) head = at;
      continue;
    }
    // "In 2015 Corvane acquired …".
    if (isDated && at > from && reading.dates.some((date) => date.from === from && date.to === at)) break;
    // A determiner or pronoun begins another phrase, except in "of the" and "all the".
    if (determiners.has(lower)) {
      if (at > from && before!.lower !== 'of' && !determiners.has(before!.lower)) break;
      continue;
    }
    if (subjects.has(lower) || (pronouns.has(lower) && at > from && before?.lower !== 'of')) break;
    if (prepositions.has(lower) && before?.text === '-') continue;
    if (prepositions.has(lower) || coordinators.has(lower) || subordinators.has(lower) || relatives.has(lower)) break;
    if (kind === 'function' && !isName[at]) {
      if (lower === 'more' || lower === 'most' || lower === 'own' || lower === 'other' || lower === 'same') continue;
      break;
    }
    const isStarted = head !== -1 && !isPossessive;
    if (isStarted && !isName[at] && endsBefore(at)) break;
    if (!isAfterOf) head = at;
  }
  const to = Math.max(at, from + 1);
  return {
    kind: 'noun',
    from,
    to,
    head: head === -1 ? to - 1 : head,
    isPronoun: to === from + 1 && determiners.has(first.lower),
    isDefinite: determiners.has(first.lower),
  };

  function isMeasured(at: number): boolean {
    return reading.quantities.some(({ from, dimension }) => from === at && dimension !== '');
  }

  /** Whether a verb group begins here, after the noun read so far. */
  function endsBefore(at: number): boolean {
    const { lower } = tokens[at]!;
    // "Half of the cost", "14 days of purchase".
    if (/^(?:the|an?|his|its|their|our|your|my|of)$/.test(tokens[at - 1]!.lower)) return false;
    if ((isAdverb(tokens[at]) && !isFigure[at]) || be.has(lower) || have.has(lower) || modals.has(lower)) return true;
    // "Makes laboratory scales", but "says water boils".
    const [verb, forms] = [tokens[from - 1], verbFormsOf(lower)];
    const isObject = verb !== undefined && isTransitive(verb.lower) && !isOpinion(verb.stem);
    if (isObject && forms.third && !forms.past && at === from + 1) return false;
    const last: NounPhrase = { kind: 'noun', from, to: at, head, isPronoun: false, isDefinite: false };
    return verbAt(reading, at, end, last, true) !== undefined;
  }
}

/** Whether a word is a form of a verb that takes an object. */
function isTransitive(lower: string): boolean {
  const { third, past } = verbFormsOf(lower);
  return third || past;
}

/** Whether a noun phrase can begin with this token. */
export function isNominal({ tokens, isFigure, isName }: Reading, at: number): boolean {
  const { lower, kind } = tokens[at]!;
  const next = tokens[at + 1]?.lower ?? '';
  if (lower === 'there') return be.has(next) || modals.has(next) || have.has(next);
  return (
    isFigure[at] === true ||
    isName[at] === true ||
    determiners.has(lower) ||
    pronouns.has(lower) ||
    kind === 'content' ||
    kind === 'light' ||
    kind === 'number'
  );
}
