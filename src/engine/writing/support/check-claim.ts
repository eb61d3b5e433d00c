/**
 * Whether a page says what a claim says. The claim is compared with the sentences that share most words with it: are the same things
 * said of the same things, with the same numbers, dates, names and roles, as certainly, as widely, and neither the opposite?
 * It is code, not a model: it knows words, not the world, so that it is wrong at times, and rather too strict than too lax.
 */
import { type Alignment, align } from './alignment.ts';
import { checkArguments } from './checks/arguments.ts';
import type { Check, Context, Fault } from './checks/fault.ts';
import { checkFigures } from './checks/figures.ts';
import { checkModality } from './checks/modality.ts';
import { checkNames } from './checks/names.ts';
import { checkNearVerbatim } from './checks/near-verbatim.ts';
import { checkPolarity } from './checks/polarity.ts';
import { checkRoles } from './checks/roles.ts';
import { checkScope } from './checks/scope.ts';
import { checkSequence } from './checks/sequence.ts';
import { checkSubstitutes } from './checks/substitutes.ts';
import { compareForeign } from './foreign-claim.ts';
import { languageOf } from './reading/languages.ts';
import { readSentences, readTokens, type Sentence, type Token } from './reading/read-text.ts';
import { type Reading, readSentence } from './reading/reading.ts';

export interface ClaimCheck {
  readonly verdict: 'supported' | 'partly' | 'contradicted' | 'unclear';
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

/** A page, or a passage of it, that was read once for many claims. */
export interface SourceText {
  readonly sentences: readonly Sentence[];
  readonly headings: ReadonlySet<string>;
  readonly language: string | undefined;
  /** By the index of the first sentence and how many there are. */
  readonly readings: Map<string, Reading>;
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

// Set by hand on the development part of bench/questions/claims.
/** Shares of the claim that must be said for it to be supported, and to be supported in part. */
const minShare = { supported: 0.88, partly: 0.6 };
/** How much less another sentence may say and still be the one that is meant. */
const tolerance = 0.12;
/** How many single sentences are looked at closely. */
const maxCandidates = 4;
/** What a word is worth: a light one may come and go in a paraphrase. */
const worth = { content: 1, light: 0.25 };
/** What another word in its place costs besides, and each sentence after the first. */
const penalty = { substituted: 0.5, sentence: 0.04 };

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
  const said = readSentence([
    { kind: 'prose', start: 0, end: claim.length, tokens: readTokens(claim, 0, claim.length) },
  ]);
  if (said.words.length + said.quantities.length + said.dates.length === 0) return undefined;
  const same = source.sentences.find(({ tokens }) => isSame(tokens, said.tokens));
  if (same !== undefined)
    return { verdict: 'supported', isCitable: true, start: same.start, end: same.end, score: 1, faults: [] };
  const language = languageOf(said.tokens);
  const isForeign = language !== undefined && source.language !== undefined && language !== source.language;
  if (isForeign) return checkForeign(said, source);

  const results = windows(said, source).flatMap((window) => weigh(said, window, source) ?? []);
  const closest = Math.max(0, ...results.map(({ share }) => share));
  // A sentence that says less cannot clear what the closest one contradicts.
  const near = results.filter(({ share }) => share >= closest - tolerance).sort((a, b) => b.share - a.share);
  let first: ClaimCheck | undefined;
  for (const { reading, alignment, context, share } of near) {
    const checked = conclude(
      reading,
      share,
      checks.flatMap((check) => check(said, reading, alignment, context)),
    );
    if (checked.faults.length === 0) return checked;
    first ??= checked;
  }
  return first;
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

interface Weighed {
  readonly reading: Reading;
  readonly alignment: Alignment;
  readonly context: Context;
  readonly share: number;
}

function conclude({ start, end }: Reading, share: number, faults: readonly Fault[]): ClaimCheck {
  const reasons = faults.map(({ verdict, reason }) => `${verdict}: ${reason}`);
  const score = Math.max(0, Math.min(1, share));
  const isContradicted = faults.some(({ verdict }) => verdict === 'contradicted');
  const said = share >= minShare.supported ? 'supported' : share >= minShare.partly ? 'partly' : 'unclear';
  const verdict = isContradicted && share >= 0.3 ? 'contradicted' : faults.length > 0 ? 'unclear' : said;
  return { verdict, isCitable: verdict === 'supported' || verdict === 'partly', start, end, score, faults: reasons };
}

/** The sentences that share most with the claim, alone and with their neighbours. */
function windows(claim: Reading, source: SourceText): { first: number; count: number }[] {
  const wanted = new Map<string, number>();
  for (const { stem, kind } of claim.tokens)
    if (kind === 'content' || kind === 'number') wanted.set(stem, kind === 'number' ? 0.8 : 1);
  for (const at of claim.words) if (claim.tokens[at]!.kind === 'light') wanted.set(claim.tokens[at]!.stem, 0.2);
  const ranked = source.sentences
    .map(({ tokens }, first) => {
      let shared = 0;
      const seen = new Set<string>();
      for (const { stem } of tokens) {
        if (seen.has(stem)) continue;
        seen.add(stem);
        shared += wanted.get(stem) ?? 0;
      }
      return { first, shared };
    })
    .filter(({ shared }) => shared > 0.5)
    .sort((a, b) => b.shared - a.shared || a.first - b.first)
    .slice(0, maxCandidates);
  const found = ranked.map(({ first }) => ({ first, count: 1 }));
  for (const { first } of ranked.slice(0, 2)) {
    if (isProse(first) && isProse(first + 1)) found.push({ first, count: 2 });
    if (isProse(first - 1) && isProse(first)) found.push({ first: first - 1, count: 2 });
    if (isProse(first - 1) && isProse(first) && isProse(first + 1)) found.push({ first: first - 1, count: 3 });
  }
  return found.filter(
    (window, at) => found.findIndex(({ first, count }) => first === window.first && count === window.count) === at,
  );

  /** Rows and items of a list do not continue one another. */
  function isProse(at: number): boolean {
    return source.sentences[at]?.kind === 'prose';
  }
}

function weigh(
  claim: Reading,
  { first, count }: { first: number; count: number },
  source: SourceText,
): Weighed | undefined {
  const reading = readingOf(source, first, count);
  const alignment = align(claim, reading);
  if (
    count > 1 &&
    !source.sentences.slice(first, first + count).every((sentence) => contributes(claim, reading, alignment, sentence))
  )
    return undefined;
  const before = new Set<string>();
  for (const { tokens, kind } of source.sentences.slice(Math.max(0, first - 6), first)) {
    if (kind === 'prose') for (const token of tokens) if (token.isCapital) before.add(token.stem);
  }
  const context: Context = { headings: source.headings, before };
  return { reading, alignment, context, share: shareOf(claim, alignment, context) - penalty.sentence * (count - 1) };
}

/** Whether a sentence says a part of the claim: more than a name or a word, which may be there by chance. */
function contributes(claim: Reading, reading: Reading, { matches }: Alignment, { start, end }: Sentence): boolean {
  const isIn = (at: number) => reading.tokens[at]!.start >= start && reading.tokens[at]!.end <= end;
  const own = [...matches].filter(([at, { at: to }]) => isIn(to) && claim.tokens[at]!.kind === 'content');
  const words = own.filter(([at]) => !claim.isName[at]).length;
  const hasFigure = [...reading.quantities, ...reading.dates].some(
    ({ from }) =>
      isIn(from) && claim.tokens.some(({ stem, kind }) => kind === 'number' && stem === reading.tokens[from]!.stem),
  );
  return words >= 2 || (own.length >= 1 && hasFigure);
}

function readingOf({ sentences, readings }: SourceText, first: number, count: number): Reading {
  const key = `${first} ${count}`;
  const known = readings.get(key);
  if (known !== undefined) return known;
  const fresh = readSentence(sentences.slice(first, first + count));
  readings.set(key, fresh);
  return fresh;
}

/** The share of the claim's words that are said, or known from the title or, as names, from the sentences before. */
function shareOf(claim: Reading, { matches, substitutions }: Alignment, { headings, before }: Context): number {
  let [said, all] = [0, 0];
  for (const at of claim.words) {
    const token = claim.tokens[at]!;
    const value = token.kind === 'light' ? worth.light : worth.content;
    all += value;
    const match = matches.get(at);
    if (match !== undefined)
      said += match.relation === 'same' || match.relation === 'wider' || match.relation === 'opposite' ? value : 0;
    else if (headings.has(token.stem)) said += value;
    else if (claim.isName[at] && before.has(token.stem)) said += 0.8 * value;
  }
  const figures = claim.quantities.filter(({ isVague }) => !isVague).length + claim.dates.length;
  const lost =
    substitutions.filter(({ said: at }) => !headings.has(claim.tokens[at]!.stem)).length * penalty.substituted;
  return all + figures === 0 ? 0 : (said + figures - lost) / (all + figures);
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
