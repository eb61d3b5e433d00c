/**
 * Whether a page says what a claim says. The claim is compared with the sentences that share most words with it: are the same things
 * said of the same things, with the same numbers, dates, names and roles, as certainly, as widely, and neither the opposite?
 * The checks compare words, a small learned model weighs what they find; neither knows the world, so that they are wrong at times, and rather
 * too strict than too lax.
 */
import { checkArguments } from './checks/arguments.ts';
import type { Check, Fault } from './checks/fault.ts';
import { checkFigures } from './checks/figures.ts';
import { checkModality } from './checks/modality.ts';
import { checkNames } from './checks/names.ts';
import { checkNearVerbatim } from './checks/near-verbatim.ts';
import { checkPolarity } from './checks/polarity.ts';
import { checkRoles } from './checks/roles.ts';
import { checkScope } from './checks/scope.ts';
import { checkSequence } from './checks/sequence.ts';
import { checkSubstitutes } from './checks/substitutes.ts';
import { type Candidate, findClosest, readingOf, type SourceText } from './closest-sentences.ts';
import { compareForeign } from './foreign-claim.ts';
import { claimFeatures } from './judgement/claim-features.ts';
import { type ClaimVerdict, judgeClaim } from './judgement/judge-claim.ts';
import { languageOf } from './reading/languages.ts';
import { readSentences, readTokens, type Token } from './reading/read-text.ts';
import { type Reading, readSentence } from './reading/reading.ts';

export interface ClaimCheck {
  readonly verdict: ClaimVerdict;
  /** Whether it may be cited: a claim in another language may, though its verdict is `unclear`. */
  readonly isCitable: boolean;
  /** The sentences that say it, or come closest: UTF-16 offsets into the page's text. */
  readonly start: number;
  readonly end: number;
  /** 0 to 1: the share of the claim that these sentences say. */
  readonly score: number;
  /** What is wrong, for people who read a bench. */
  readonly faults: readonly string[];
}

const checks: readonly Check[] = [
  checkNearVerbatim,
  checkPolarity,
  checkFigures,
  checkNames,
  checkRoles,
  checkArguments,
  checkModality,
  checkScope,
  checkSequence,
  checkSubstitutes,
];

/** Reads a page's text. `title` and `headings` are what it is about. */
export function readSource(text: string, title: string, headings: string): SourceText {
  const sentences = readSentences(text);
  const about = [title, headings].flatMap((heading) => readTokens(heading, 0, heading.length));
  for (const sentence of sentences) if (sentence.kind === 'heading') about.push(...sentence.tokens);
  const stems = about.filter(({ kind }) => kind === 'content' || kind === 'light').map(({ stem }) => stem);
  const language = languageOf(sentences.flatMap(({ tokens }) => tokens));
  return { sentences, headings: new Set(stems), language, readings: new Map() };
}

/** Checks one claim of one sentence. Undefined if nothing in the source is about it. */
export function checkClaim(claim: string, source: SourceText): ClaimCheck | undefined {
  const said = readClaim(claim);
  if (said.words.length + said.quantities.length + said.dates.length === 0) return undefined;
  const same = source.sentences.find(({ tokens }) => isSame(tokens, said.tokens));
  if (same !== undefined)
    return { verdict: 'supported', isCitable: true, start: same.start, end: same.end, score: 1, faults: [] };
  const language = languageOf(said.tokens);
  const isForeign = language !== undefined && source.language !== undefined && language !== source.language;
  if (isForeign) return checkForeign(said, source);

  const judged = readCandidates(said, source).map(({ candidate, faults, row }) => ({
    candidate,
    faults,
    ...judgeClaim(row, faults, candidate.share),
  }));
  // The sentence that most likely says it; where none does, the one that shares most with it.
  const best =
    judged.find(({ isCitable }) => isCitable) === undefined
      ? judged[0]
      : judged.reduce((one, other) => (other.odds > one.odds && other.isCitable ? other : one.isCitable ? one : other));
  if (best === undefined) return undefined;
  const { start, end } = best.candidate.reading;
  const { verdict, isCitable } = best;
  const score = Math.max(0, Math.min(1, best.candidate.share));
  return {
    verdict,
    isCitable,
    start,
    end,
    score,
    faults: best.faults.map(({ verdict: kind, reason }) => `${kind}: ${reason}`),
  };
}

/** The claim as it is read for all comparisons. */
export function readClaim(claim: string): Reading {
  return readSentence([{ kind: 'prose', start: 0, end: claim.length, tokens: readTokens(claim, 0, claim.length) }]);
}

/** The sentences closest to a claim, with what the checks find wrong and the features that they are judged by, in the order of share. */
export function readCandidates(
  said: Reading,
  source: SourceText,
): { candidate: Candidate; faults: readonly Fault[]; row: readonly number[] }[] {
  return findClosest(said, source).map((candidate) => {
    const faults = checks.flatMap((check) => check(said, candidate.reading, candidate.alignment, candidate.context));
    return { candidate, faults, row: claimFeatures(said, candidate, faults) };
  });
}

/** Whether two sentences have the same words, in any case and with any marks. */
function isSame(some: readonly Token[], others: readonly Token[]): boolean {
  let at = 0;
  for (const { kind, lower } of some) {
    if (kind === 'mark') continue;
    while (others[at]?.kind === 'mark') at += 1;
    if (others[at]?.lower !== lower) return false;
    at += 1;
  }
  return others.slice(at).every(({ kind }) => kind === 'mark');
}

function checkForeign(claim: Reading, source: SourceText): ClaimCheck | undefined {
  const { sentences } = source;
  const results = sentences.flatMap((_, first) => {
    const sizes = [1, 2, 3].filter(
      (count) => first + count <= sentences.length && (count === 1 || sentences[first]!.kind === 'prose'),
    );
    return sizes.map((count) => {
      const reading = readingOf(source, first, count);
      return { reading, ...compareForeign(claim, reading) };
    });
  });
  const best = results.toSorted(
    (a, b) =>
      Number(b.result === 'agree') - Number(a.result === 'agree') ||
      b.score - a.score ||
      a.reading.end - a.reading.start - (b.reading.end - b.reading.start),
  )[0];
  if (best === undefined) return undefined;
  const { start, end } = best.reading;
  const isAgreed = best.result === 'agree';
  const isConflict =
    !isAgreed &&
    results.every(({ result }) => result !== 'agree') &&
    results.some(({ result }) => result === 'conflict');
  return {
    verdict: isConflict ? 'contradicted' : 'unclear',
    isCitable: isAgreed,
    start,
    end,
    score: best.score,
    faults: ['in another language'],
  };
}
