/**
 * The phrases of an English sentence, in order: groups of a verb with its auxiliaries, noun phrases, prepositions, and what joins
 * clauses. Every step looks a few tokens ahead at most, so that the time is linear in the length.
 */
import type { Reading } from '../reading/reading.ts';
import {
  bounds,
  coordinators,
  determiners,
  isAdverb,
  prepositions,
  relatives,
  subordinators,
} from './function-words.ts';
import { isNominal, readNoun } from './noun-phrases.ts';
import type { Joint, Phrase } from './phrase.ts';
import { verbFormsOf } from './verb-forms.ts';
import { readVerb, verbAt } from './verb-groups.ts';

/** The phrases of the tokens between two indices. */
export function readPhrases(reading: Reading, from: number, to: number): Phrase[] {
  const { tokens } = reading;
  const phrases: Phrase[] = [];
  // Clauses that still need a verb: one to begin with, and one for each "who" and "if".
  let pending = 1;
  for (let at = from; at < to; ) {
    const phrase = readPhrase(reading, at, to, phrases.at(-1));
    if (phrase !== undefined) phrases.push(phrase);
    if (phrase?.kind === 'relative' || phrase?.kind === 'subordinator') pending += 1;
    else if (phrase?.kind === 'coordinator' && pending === 0) pending = 1;
    else if (phrase?.kind === 'verb' && phrase.form === 'finite') pending = Math.max(0, pending - 1);
    at = phrase?.to ?? at + 1;
  }
  return phrases;

  function readPhrase({ isFigure }: Reading, at: number, end: number, last: Phrase | undefined): Phrase | undefined {
    const { lower, kind } = tokens[at]!;
    if (kind === 'mark')
      return /^[€$£¥%°-]$/.test(lower) && isFigure[at]
        ? readNoun(reading, at, end)
        : joint('mark', at, lower === '–' || lower === '—' ? '—' : lower);
    const isAfterNoun = last?.kind === 'noun' || (last?.kind === 'mark' && phrases.at(-2)?.kind === 'noun');
    if (relatives.has(lower) && at > from && (lower !== 'that' || isAfterNoun || last?.kind === 'verb')) {
      // "That" before a noun is a determiner, unless a verb such as "said" precedes it.
      const isArticle = lower === 'that' && last?.kind !== 'verb' && last?.kind !== 'noun';
      if (!isArticle) return joint('relative', at, lower);
    }
    if (coordinators.has(lower)) return joint('coordinator', at, lower);
    if (subordinators.has(lower)) return joint('subordinator', at, lower);
    if (lower === 'to' && isInfinitive(at)) return readVerb(reading, at, end, 'infinitive');
    if (lower === 'according') return undefined;
    // "For more than 30 years" has no phrase with "than".
    const isBound = /^(?:more|less|fewer)$/.test(lower) && tokens[at + 1]?.lower === 'than' && at + 2 < end;
    if (isBound && isFigure[at + 2]) return readNoun(reading, at + 2, end);
    const verb = verbAt(reading, at, end, last, pending > 0);
    if (verb !== undefined) return verb;
    if (bounds.has(lower) && isFigure[at + 1] && at + 1 < end) return readNoun(reading, at + 1, end);
    if (/^(?:since|until|by)$/.test(lower) && /^(?:then|now)$/.test(tokens[at + 1]?.lower ?? '')) return undefined;
    if (prepositions.has(lower)) return joint('preposition', at, lower);
    if (isNominal(reading, at)) return readNoun(reading, at, end);
    return undefined;
  }

  function joint(kind: Joint['kind'], at: number, word: string): Joint {
    return { kind, from: at, to: at + 1, word };
  }

  function isInfinitive(at: number): boolean {
    let next = at + 1;
    while (next < at + 3 && isAdverb(tokens[next])) next += 1;
    const lower = tokens[next]?.lower ?? '';
    return lower === 'be' || lower === 'have' || (verbFormsOf(lower).base && !determiners.has(lower));
  }
}
