/**
 * Whether a subject, an object or a phrase of the claim is the same as in its source: by names, figures and words, where a
 * pronoun, or what a page calls its subject ("the company"), may be what the claim names.
 */
import type { Alignment } from '../alignment.ts';
import type { Context } from '../checks/fault.ts';
import { entailsDate } from '../reading/dates.ts';
import { entails } from '../reading/quantity-entailment.ts';
import type { Reading } from '../reading/reading.ts';
import { relate } from '../reading/word-relations.ts';
import type { Argument } from './clause.ts';
import type { NounPhrase } from './phrase.ts';

/**
 * How an argument of the claim compares with that of its source: `absent` if the claim has none, `unsaid` if only the claim
 * has one.
 */
export type Fit = 'same' | 'open' | 'other' | 'absent' | 'unsaid';

/** A claim beside one candidate for its source. */
export interface Sides {
  readonly claim: Reading;
  readonly source: Reading;
  readonly alignment: Alignment;
  readonly context: Context;
}

/** Tokens of a reading, `to` exclusive. */
export interface Tokens {
  readonly from: number;
  readonly to: number;
}

export interface ArgumentFit {
  fitOf(said: Argument | undefined, found: Argument | undefined): Fit;
  fitOfNouns(said: NounPhrase, found: NounPhrase): Fit;
  /** Whether every figure among these tokens of the claim is between two tokens of the source. */
  hasFigures(said: Tokens, low: number, high: number): boolean;
  /** Whether the source has this phrase of the claim anywhere. */
  isElsewhere(noun: NounPhrase): boolean;
  /** Whether a phrase of the source is "the company", and nothing more of it. */
  isGeneric(noun: NounPhrase): boolean;
}

/** Words that a page uses for its subject once it has named it. */
const generic =
  /^(?:company|firm|business|maker|manufacturer|organi[sz]ation|association|society|club|team|band|group|agency|institute|university|school|college|museum|library|church|building|house|hotel|restaurant|shop|bridge|tunnel|tower|lighthouse|castle|city|town|village|county|district|country|river|lake|mountain|island|park|station|airport|ship|film|book|novel|song|album|game|programme|program|project|product|software|tool|trial|study|festival|law|act|court|author|artist|composer|writer|engineer|scientist|painter|singer|player)$/;

/** Compares the arguments of one claim with those of one source. */
export function createArgumentFit({ claim, source, alignment: { matches }, context }: Sides): ArgumentFit {
  return { fitOf, fitOfNouns, hasFigures, isElsewhere, isGeneric };

  function fitOf(said: Argument | undefined, found: Argument | undefined): Fit {
    if (said === undefined) return 'absent';
    if (said.every(({ isPronoun }) => isPronoun)) {
      const [one, other] = [said[0]!, found?.[0]];
      return other?.isPronoun && claim.tokens[one.head]!.lower === source.tokens[other.head]!.lower ? 'same' : 'open';
    }
    if (found === undefined) return 'unsaid';
    // What the page is about, or somebody it has named.
    const isKnown = said.some(({ head }) => {
      const { stem } = claim.tokens[head]!;
      return context.headings.has(stem) || (claim.isName[head] === true && context.before.has(stem));
    });
    if (found.every(({ isPronoun }) => isPronoun)) return isKnown ? 'same' : 'open';
    let result: Fit = 'other';
    for (const one of said)
      for (const other of found) {
        const fit = fitOfNouns(one, other);
        if (fit === 'same') return 'same';
        if (fit === 'open') result = 'open';
      }
    // "The company" of a page about one, and "the tower" of a page about a lighthouse.
    const isTitle = said.every((noun) =>
      contentOf(claim, noun).every((at) => context.headings.has(claim.tokens[at]!.stem)),
    );
    if (isTitle && found.every((noun) => noun.isDefinite && isGeneric(noun))) return 'same';
    if (
      result === 'other' &&
      isKnown &&
      found.some(({ isDefinite, from, to }) => isDefinite && !source.isName.slice(from, to).some(Boolean))
    )
      return 'open';
    return result;
  }

  function fitOfNouns(one: NounPhrase, other: NounPhrase): Fit {
    if (one.isPronoun || other.isPronoun) return 'open';
    const names = { said: namesOf(claim, one), found: namesOf(source, other) };
    if (names.said.length > 0 && names.found.length > 0)
      return names.said.every((name) => names.found.includes(name)) ||
        names.found.every((name) => names.said.includes(name))
        ? 'same'
        : 'other';
    if (claim.isFigure[one.head] && source.isFigure[other.head])
      return hasFigures(one, other.from, other.to) ? 'same' : 'other';
    if (!hasFigures(one, other.from, other.to)) return 'other';
    if (isOtherKind(one, other) || isOfOtherKind(one, other)) return 'other';
    const own = contentOf(source, other);
    // "Adults may borrow ten books, children twenty".
    if (own.length === 0 && claim.isFigure.slice(one.from, one.to).some(Boolean)) return 'same';
    if (
      isEqual(one.head, other.head) ||
      own.some((at) => isEqual(one.head, at)) ||
      contentOf(claim, one).some((at) => isEqual(at, other.head))
    )
      return 'same';
    // A name for what the other calls "the captain".
    return names.said.length > 0 !== names.found.length > 0 ? 'open' : 'other';
  }

  /** "Electric cars", where the source has "cars" here and "electric cars" elsewhere: what the claim says of the kind is said of another. */
  function isOtherKind(one: NounPhrase, other: NounPhrase): boolean {
    const { stem } = claim.tokens[one.head]!;
    if (source.tokens[other.head]!.stem !== stem || claim.isName[one.head]) return false;
    const kind = claim.tokens[one.head - 1];
    if (one.head <= one.from || kind?.kind !== 'content' || claim.isFigure[one.head - 1]) return false;
    if (source.tokens.slice(other.from, other.to).some((token) => token.stem === kind.stem)) return false;
    return source.tokens.some(
      (token, at) =>
        (at < other.from || at >= other.to) && token.stem === stem && source.tokens[at - 1]?.stem === kind.stem,
    );
  }

  /** "The rear of a freight train", where the source has that of a passenger train, and a freight train elsewhere. */
  function isOfOtherKind(one: NounPhrase, other: NounPhrase): boolean {
    const [said, found] = [ofIn(claim, one), ofIn(source, other)];
    return said !== undefined && found !== undefined && isOtherKind(said, found);
  }

  function isEqual(one: number, other: number): boolean {
    const [stem, actual] = [claim.tokens[one]!.stem, source.tokens[other]!.stem];
    if (stem === actual) return true;
    const relation = claim.isName[one] && source.isName[other] ? undefined : relate(stem, actual);
    return relation === 'same' || relation === 'wider';
  }

  /** Whether every figure of a phrase is between two tokens of the source. */
  function hasFigures(
    { from, to }: { readonly from: number; readonly to: number },
    low: number,
    high: number,
  ): boolean {
    const inside = (each: { readonly from: number; readonly to: number }, start: number, end: number) =>
      each.from < end && each.to > start;
    return (
      claim.dates
        .filter((date) => inside(date, from, to))
        .every((date) => source.dates.some((other) => inside(other, low, high) && entailsDate(other, date))) &&
      claim.quantities
        .filter((quantity) => inside(quantity, from, to))
        .every((quantity) => source.quantities.some((other) => inside(other, low, high) && entails(other, quantity)))
    );
  }

  function isElsewhere(noun: NounPhrase): boolean {
    if (claim.isFigure[noun.head]) return hasFigures(noun, 0, source.tokens.length);
    return matches.has(noun.head) || context.headings.has(claim.tokens[noun.head]!.stem);
  }

  /** "The company", and nothing more of it. */
  function isGeneric(noun: NounPhrase): boolean {
    const own = contentOf(source, noun);
    return own.length === 1 && generic.test(source.tokens[own[0]!]!.lower);
  }
}

/** What follows "of" in a phrase. */
function ofIn({ tokens }: Reading, noun: NounPhrase): NounPhrase | undefined {
  const of = tokens.findIndex(({ lower }, at) => at > noun.from && at < noun.to && lower === 'of');
  return of === -1 ? undefined : { ...noun, from: of + 1, head: noun.to - 1 };
}

/** Words of a phrase that say something. */
export function contentOf({ tokens, isFigure }: Reading, { from, to }: NounPhrase): number[] {
  const found: number[] = [];
  for (let at = from; at < to; at += 1) if (!isFigure[at] && tokens[at]!.kind === 'content') found.push(at);
  return found;
}

/** The names of a phrase, as stems. */
export function namesOf({ tokens, isName }: Reading, { from, to }: NounPhrase): string[] {
  const found: string[] = [];
  for (let at = from; at < to; at += 1) if (isName[at]) found.push(tokens[at]!.stem);
  return found;
}
