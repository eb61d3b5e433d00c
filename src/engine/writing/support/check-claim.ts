/**
 * Whether a page says what a claim says. The claim is compared with the sentences that share most words with it: are the
 * same things said of the same things, with the same numbers, dates, names and roles, as certainly, as widely, and neither
 * saying the opposite? The checks compare words, a small learned model weighs what they find; neither knows the world, so
 * both are wrong at times, and too strict rather than too lax.
 */
import type { Forest } from '../../../base/learned/boosted-trees.ts';
import { languageOf } from '../../../base/text/language.ts';
import { checkArguments } from './checks/arguments.ts';
import { checkComparatives } from './checks/comparatives.ts';
import { checkContrasts } from './checks/contrasts.ts';
import type { Check } from './checks/fault.ts';
import { checkFigures } from './checks/figures.ts';
import { checkModality } from './checks/modality.ts';
import { checkNames } from './checks/names.ts';
import { checkNearVerbatim } from './checks/near-verbatim.ts';
import { checkPolarity } from './checks/polarity.ts';
import { checkProof } from './checks/proof.ts';
import { checkRoles } from './checks/roles.ts';
import { checkScope } from './checks/scope.ts';
import { checkSequence } from './checks/sequence.ts';
import { checkSubstitutes } from './checks/substitutes.ts';
import { checkTrend } from './checks/trend.ts';
import { type Candidate, findClosest, readingOf, type SourceText } from './closest-sentences.ts';
import { findInRow, findSame, isCopied, withoutLabel } from './copied-claim.ts';
import { compareForeign, type ForeignCheck } from './foreign-claim.ts';
import { claimFeatures } from './judgement/claim-features.ts';
import {
  type ClaimVerdict,
  isDenial,
  isOrderOnly,
  isPlainlySaid,
  isVeto,
  type Judged,
  type Judgement,
  judgeClaim,
} from './judgement/judge-claim.ts';
import { pageFeatures } from './judgement/page-features.ts';
import { readSentences, readTokens, type Token } from './reading/read-text.ts';
import { namesOf, type Reading, readSentence } from './reading/reading.ts';
import { clausesOf } from './structure/clauses.ts';
import { compareClauses } from './structure/compare-clauses.ts';

export interface ClaimCheck {
  readonly verdict: ClaimVerdict;
  /** Whether it may be cited: a claim in another language may, though its verdict is `unclear`. */
  readonly isCitable: boolean;
  /** The sentences that say it, or come closest: UTF-16 offsets into the page's text. */
  readonly start: number;
  readonly end: number;
  /** 0 to 1: the share of the claim that these sentences say. */
  readonly score: number;
  /** The reasons of the faults, for people who read a bench. */
  readonly faults: readonly string[];
}

/** How much more of a claim neighbours must say to clear what one of them contradicts, as a share; set by hand. */
const maxGain = 0.1;

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
  checkTrend,
  checkProof,
  checkComparatives,
  checkContrasts,
];

/** Reads a page's text. `title` and `headings` are what it is about. */
export function readSource(text: string, title: string, headings: string): SourceText {
  const sentences = readSentences(text);
  const about = [title, headings].flatMap((heading) => readTokens(heading, 0, heading.length));
  for (const sentence of sentences) if (sentence.kind === 'heading') about.push(...sentence.tokens);
  const stems = about.filter(({ kind }) => kind === 'content' || kind === 'light').map(({ stem }) => stem);
  const language = languageOf(wordsIn(sentences.flatMap(({ tokens }) => tokens)));
  return { sentences, headings: new Set(stems), names: namesOf(sentences), language, readings: new Map() };
}

/** Checks one claim of one sentence. Undefined if nothing in the source is about it. */
export function checkClaim(claim: string, source: SourceText): ClaimCheck | undefined {
  const said = readClaim(claim, source.names);
  const { tokens } = said;
  const same = findSame(tokens, source) ?? findSame(withoutLabel(tokens), source) ?? findInRow(tokens, source);
  if (same !== undefined) return { verdict: 'supported', isCitable: true, ...same, score: 1, faults: [] };
  if (said.words.length + said.quantities.length + said.dates.length === 0) return undefined;
  const language = foreignLanguageOf(said, source);
  if (language !== undefined) return checkForeign(said, source, language);

  const chosen = chooseCandidate(readCandidates(said, source));
  if (chosen === undefined) return undefined;
  const { candidate, faults, verdict, isCitable } = chosen;
  const { start, end } = candidate.reading;
  const score = Math.max(0, Math.min(1, candidate.share));
  return {
    verdict,
    isCitable,
    start,
    end,
    score,
    faults: faults.map(({ verdict: kind, reason }) => `${kind}: ${reason}`),
  };
}

/**
 * The sentences that most likely say a claim; where none do, those that share most with it. `forest` and `floor` are another model
 * and another threshold, in training.
 */
export function chooseCandidate<Read extends Judged & { readonly candidate: Candidate }>(
  read: readonly Read[],
  forest?: Forest,
  floor?: number,
): (Read & Judgement) | undefined {
  const judged = read.map((each) => ({ ...each, ...judgeClaim(each, forest, floor) }));
  const [closest] = judged;
  if (closest === undefined) return undefined;
  const chosen = judged.filter(({ isCitable }) => isCitable).sort((a, b) => b.odds - a.odds)[0] ?? closest;
  // What one sentence contradicts, another that shares as many words does not say: of 27 such claims written by hand
  // none is true.
  const isClashing =
    judged.every(({ isEntailed }) => !isEntailed) &&
    judged.some(
      ({ faults, isVetoed, candidate: { share } }) =>
        isVetoed ||
        (share >= closest.candidate.share - maxGain &&
          faults.some(({ kind }) => kind === 'clause figure' || kind === 'clause agent')),
    );
  return chosen.isCitable && isClashing ? { ...chosen, verdict: 'contradicted', isCitable: false } : chosen;
}

/** The claim as it is read for all comparisons; `names` are those of its source. */
export function readClaim(claim: string, names: ReadonlySet<string>): Reading {
  const tokens = readTokens(claim, 0, claim.length);
  return readSentence([{ kind: 'prose', start: 0, end: claim.length, tokens }], names);
}

/** The language of a claim, if it is known and differs from its source's. */
export function foreignLanguageOf(said: Reading, source: SourceText): string | undefined {
  const language = languageOf(wordsIn(said.tokens));
  return source.language === undefined || language === source.language ? undefined : language;
}

/** The words of tokens, in lower case and without accents. */
function wordsIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ kind, lower }) => (kind === 'mark' || kind === 'number' ? [] : [lower]));
}

/** The sentences closest to a claim, in the order of their share, as `judgeClaim` takes them. */
export function readCandidates(said: Reading, source: SourceText): (Judged & { readonly candidate: Candidate })[] {
  const read = findClosest(said, source).map((candidate) => {
    const { reading, alignment, context, share } = candidate;
    const found = checks.flatMap((check) => check(said, reading, alignment, context));
    const { row, copied } = claimFeatures(said, candidate, found);
    const clauses = compareClauses(said, reading, alignment, context, source.language);
    const faults = [...found, ...clauses.faults];
    const isEntailed = clauses.isEntailed && isOrderOnly(faults);
    const features = [...row, ...clauses.features, ...pageFeatures(said, candidate, source)];
    return { candidate, faults, row: features, copied, share, isEntailed };
  });
  // "Opened | 14 May 1931" has a verb, but nobody who opens anything; "Herring hear ultrasound" is a sentence of an unknown verb.
  const isFragment =
    said.tokens.some(({ kind }, at) => kind === 'mark' && at < said.tokens.length - 1) &&
    said.tokens.every(({ kind }, at) => kind !== 'function' || said.isFigure[at]) &&
    !clausesOf(said).some(({ agent, patient }) => agent !== undefined && patient !== undefined);
  // Neighbours do not clear what one of them contradicts, unless they say much more of the claim.
  return read.map((each) => {
    const { start, end } = each.candidate.reading;
    // Where all clauses are said, their comparison judges the order of words better.
    const isDenied = read.some(
      ({ candidate: { reading, share }, faults }) =>
        faults.some((fault) => isDenial(fault) && !(each.isEntailed && isOrderOnly([fault]))) &&
        reading.start >= start &&
        reading.end <= end &&
        share >= each.share - maxGain,
    );
    const isVetoed = isDenied && isVeto(each.faults, each.copied);
    const isPlain = isFragment || isCopied(said, each.candidate.reading);
    const last = [isDenied, each.isEntailed, isPlainlySaid({ ...each, isPlain })].map(Number);
    return {
      ...each,
      row: [...each.row, ...last],
      isDenied,
      isVetoed,
      isPlain: isPlain || isLabelled(said, each.candidate),
    };
  });
}

/**
 * Whether an item without a verb, which the line before its list labels, may say it: "Directors:" and "Henrik Aas (1998 to 2011)".
 */
function isLabelled(said: Reading, { isAnnounced, reading }: Candidate): boolean {
  return isAnnounced && said.negations.length === 0 && clausesOf(reading).length === 0;
}

function checkForeign(claim: Reading, source: SourceText, language: string): ClaimCheck | undefined {
  const { sentences } = source;
  const results = sentences.flatMap((_, first) => {
    const sizes = [1, 2, 3].filter(
      (count) => first + count <= sentences.length && (count === 1 || sentences[first]!.kind === 'prose'),
    );
    return sizes.map((count) => {
      const reading = readingOf(source, first, count);
      return { reading, count, ...compareForeign(claim, reading, language, source.language) };
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
  const isConflict = !isAgreed && isContradicted(results);
  return {
    verdict: isConflict ? 'contradicted' : 'unclear',
    isCitable: isAgreed,
    start,
    end,
    score: best.score,
    faults: ['in another language'],
  };
}

/**
 * Whether a page contradicts a claim that no part of it agrees with: it has other figures, and not those of the claim; or the sentences
 * with those of the claim say the opposite. What others say with other figures is about something else.
 */
function isContradicted(results: readonly (ForeignCheck & { readonly count: number })[]): boolean {
  const conflicts = results.filter(({ result }) => result === 'conflict');
  const figures = results[0]?.given ?? [];
  if (figures.some((_, at) => results.every(({ given }) => !given[at]))) return conflicts.length > 0;
  const hasAll = ({ given }: ForeignCheck) => given.every(Boolean);
  const fewest = Math.min(...results.filter(hasAll).map(({ count }) => count));
  return conflicts.some((each) => hasAll(each) && (figures.length === 0 || each.count === fewest));
}
