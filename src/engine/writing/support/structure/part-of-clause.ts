/**
 * Whether a clause of a claim is a part of the clause that says it: all of its words are in it, under no restriction, frame or quantity that the
 * claim leaves out.
 */
import type { Reading } from '../reading/reading.ts';
import type { Clause } from './clause.ts';
import { type ArgumentFit, contentOf, namesOf, type Sides } from './fit-arguments.ts';
import type { ClausePair } from './pair-clauses.ts';
import type { NounPhrase } from './phrase.ts';

/** Words that limit what a clause of the source says. */
export const restricting =
  /^(?:only|except|unless|if|not|never|no|unlike|apart|other|without|until|any|longer|instead|rather|whether|hardly|nearly|almost|neither|nor|or|than)$/;
/** Prepositions of phrases that a claim may not leave out. */
const limiting = /^(?:with|without|for|under|within|per|except|unlike|between|above|below|over)$/;
const quantifiers =
  /^(?:all|every|each|most|many|few|several|some|both|no|none|any|half|whole|entire|other|another|also|again|still|first|last|second|third|nearly|almost)$/;

/** A check of the pairs of one claim and one source. */
export function createPartCheck(
  { claim, source, alignment: { matches, reverse }, context }: Sides,
  { hasFigures, isGeneric }: ArgumentFit,
): (pair: ClausePair) => boolean {
  return isPart;

  function isPart({ said: one, found: other, relation }: ClausePair): boolean {
    const inside = (at: number) => at >= other.from && at < other.to;
    // The same word may have been matched in another clause.
    const isInside = (at: number) =>
      inside(matches.get(at)?.at ?? -1) ||
      source.words.some((to) => inside(to) && source.tokens[to]!.stem === claim.tokens[at]!.stem);
    const words = claim.words.filter((at) => at >= one.from && at < one.to && !isSubject(one, at));
    const subjects = [...(other.agent ?? []), ...(other.patient ?? [])];
    const unsaid = other.phrases.filter((phrase) => !isSaid(phrase.noun) && !isShortened(one, phrase));
    const isRestricted =
      unsaid.some(({ preposition }) => limiting.test(preposition)) ||
      subjects.some(
        (noun) =>
          noun.from < other.verb &&
          !noun.isPronoun &&
          !isGeneric(noun) &&
          namesOf(source, noun).length === 0 &&
          !isSaid(noun),
      ) ||
      unsaid.some(
        ({ noun }) =>
          noun.from < other.verb && !source.isFigure[noun.head] && subjects.some(({ to }) => to < noun.from),
      );
    const own = [...(one.agent ?? []), ...(one.patient ?? [])];
    // "Adults may borrow ten books, children may borrow twenty".
    const isElided = other.patient?.every((noun) => source.isFigure[noun.head] && contentOf(source, noun).length === 0);
    const isNounOfFigure = (at: number) => isElided === true && one.patient?.some(({ head }) => head === at) === true;
    return (
      isFramedAlike(one, other) &&
      (opensRelative(claim, own) || !opensRelative(source, subjects)) &&
      one.modality === other.modality &&
      !isRestricted &&
      quantifiersOf(claim, one.from, one.to).every((word) =>
        quantifiersOf(source, other.from, other.to).includes(word),
      ) &&
      (hasFigures(one, other.from, other.to) ||
        other.phrases.some(({ noun }) => noun.to <= other.from && hasFigures(one, noun.from, noun.to))) &&
      words.every((at) => isInside(at) || context.headings.has(claim.tokens[at]!.stem) || isNounOfFigure(at)) &&
      !source.tokens.slice(other.from, other.to).some(
        ({ lower }, at, all) =>
          (restricting.test(lower) && !(relation === 'opposite' && lower === 'not')) ||
          // "Nineteen were hurt, two of them seriously".
          (lower === 'of' && /^(?:them|whom|which|these|those)$/.test(all[at + 1]?.lower ?? '')),
      )
    );
  }

  /** Both said by themselves, or both as what the same verb says: "plans to open". */
  function isFramedAlike(one: Clause, other: Clause): boolean {
    if (one.frame !== undefined && other.frame !== undefined)
      return (
        one.role === 'complement' &&
        other.role === 'complement' &&
        claim.tokens[one.frame]!.stem === source.tokens[other.frame]!.stem
      );
    return (
      one.frame === undefined &&
      other.frame === undefined &&
      (one.role === 'main' || one.role === 'relative') &&
      (other.role === 'main' || (other.role === 'relative' && other.marker !== 'that'))
    );
  }

  /** A subject may be named elsewhere, or be a pronoun there; that it is the same was found before. */
  function isSubject({ verb, agent, patient }: Clause, at: number): boolean {
    return [...(agent ?? []), ...(patient ?? [])].some(({ from, to }) => at >= from && at < to && to <= verb);
  }

  /** "Under the strait", where the page has "under the Marlow Strait". */
  function isShortened({ phrases }: Clause, { preposition, noun }: Clause['phrases'][number]): boolean {
    return phrases.some(
      (each) =>
        each.preposition === preposition &&
        each.noun.isDefinite &&
        noun.isDefinite &&
        claim.tokens[each.noun.head]!.stem === source.tokens[noun.head]!.stem,
    );
  }

  function isSaid(noun: NounPhrase): boolean {
    return contentOf(source, noun).every((at) => reverse.has(at) || context.headings.has(source.tokens[at]!.stem));
  }
}

/** "Anyone who lives here": a relative clause without a comma says who a clause is about. */
function opensRelative({ tokens }: Reading, nouns: readonly NounPhrase[]): boolean {
  return nouns.some(({ to }) => /^(?:who|that|whose)$/.test(tokens[to]?.lower ?? ''));
}

function quantifiersOf({ tokens }: Reading, from: number, to: number): string[] {
  return tokens.slice(from, to).flatMap(({ lower }) => (quantifiers.test(lower) ? [lower] : []));
}
