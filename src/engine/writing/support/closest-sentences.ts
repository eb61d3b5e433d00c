/**
 * The sentences of a page that are closest to a claim, alone and with their neighbours, each aligned with it and with the share of the
 * claim that it says. A sentence that says less cannot clear what the closest one contradicts.
 */
import { type Alignment, align } from './alignment.ts';
import type { Context } from './checks/fault.ts';
import type { Sentence } from './reading/read-text.ts';
import { type Reading, readSentence } from './reading/reading.ts';
import { placesOf } from './reading/word-places.ts';
import { relate } from './reading/word-relations.ts';

/** A page, or a passage of it, that was read once for many claims. */
export interface SourceText {
  readonly sentences: readonly Sentence[];
  readonly headings: ReadonlySet<string>;
  /** The words that it writes as names, in lower case. */
  readonly names: ReadonlySet<string>;
  readonly language: string | undefined;
  /** By the index of the first sentence and how many there are. */
  readonly readings: Map<string, Reading>;
}

/** Neighbouring sentences, read as one, and what they have in common with the claim. */
export interface Candidate {
  readonly reading: Reading;
  readonly alignment: Alignment;
  readonly context: Context;
  /**
   * The share of the claim that they say, at most 1; a substituted word costs more than a missing one, so it may be below
   * 0.
   */
  readonly share: number;
  /** How many sentences are read as one. */
  readonly sentences: number;
  /** Whether it is an item of a list that a line such as "Managing directors:" announces. */
  readonly isAnnounced: boolean;
}

// Set by hand on the development part of bench/questions/claims.
/** How much less another sentence may say and still be the one that is meant. */
const tolerance = 0.12;
/** How many single sentences are looked at closely. */
const maxCandidates = 4;
/**
 * How much a sentence must share with the claim to be looked at, as worth of words, and the worth of a word that means the
 * same.
 */
const minShared = 0.5;
const relatedWorth = 0.6;
/** A page with less than this share of a claim's words may say it in other words. */
const maxStrange = 0.4;
/** Tokens of the longest line that announces a list as a heading does. */
const maxAnnouncement = 8;
/** The worth of a word: a light one may come and go in a paraphrase. */
const worth = { content: 1, light: 0.25 };
/** The cost of another word in place of one, and of each sentence after the first. */
const penalty = { substituted: 0.5, sentence: 0.04 };

/** The candidates that say nearly as much as the best, best first. */
export function findClosest(claim: Reading, source: SourceText): Candidate[] {
  const all = windows(claim, source).flatMap((window) => weigh(claim, window, source) ?? []);
  const closest = Math.max(0, ...all.map(({ share }) => share));
  return all.filter(({ share }) => share >= closest - tolerance).sort((a, b) => b.share - a.share);
}

/** The sentences that share most with the claim, alone and with their neighbours. */
function windows(claim: Reading, source: SourceText): { first: number; count: number }[] {
  const wanted = new Map<string, number>();
  for (const { stem, kind } of claim.tokens)
    if (kind === 'content' || kind === 'number') wanted.set(stem, kind === 'number' ? 0.8 : 1);
  for (const at of claim.words) if (claim.tokens[at]!.kind === 'light') wanted.set(claim.tokens[at]!.stem, 0.2);
  const all = [...wanted.values()].reduce((sum, value) => sum + value, 0);
  const places = placesOf(source.sentences);
  const found = [...wanted].reduce((sum, [stem, value]) => sum + (places.has(stem) ? value : 0), 0);
  // "No one was killed" is closest to "nobody died", which has none of its words.
  if (found < maxStrange * all) for (const stem of places.keys()) addRelated(stem);
  const shares = new Map<number, number>();
  for (const [stem, value] of wanted)
    for (const first of places.get(stem) ?? []) shares.set(first, (shares.get(first) ?? 0) + value);
  const ranked = [...shares]
    // Sums of tenths, whatever their order.
    .map(([first, sum]) => ({ first, shared: Math.round(10 * sum) / 10 }))
    .filter(({ shared }) => shared > minShared)
    .sort((a, b) => b.shared - a.shared || a.first - b.first)
    .slice(0, maxCandidates);
  const windows = ranked.map(({ first }) => ({ first, count: 1 }));
  for (const { first } of ranked.slice(0, 2)) {
    if (isProse(first) && isProse(first + 1)) windows.push({ first, count: 2 });
    if (isProse(first - 1) && isProse(first)) windows.push({ first: first - 1, count: 2 });
    if (isProse(first - 1) && isProse(first) && isProse(first + 1)) windows.push({ first: first - 1, count: 3 });
  }
  return windows.filter(
    (window, at) => windows.findIndex(({ first, count }) => first === window.first && count === window.count) === at,
  );

  function addRelated(stem: string): void {
    for (const [said, value] of [...wanted]) {
      if (wanted.has(stem) || value < 1) continue;
      const relation = relate(said, stem);
      if (relation === 'same' || relation === 'wider' || relation === 'opposite') wanted.set(stem, relatedWorth);
    }
  }

  /** Rows and items of a list do not continue one another. */
  function isProse(at: number): boolean {
    return source.sentences[at]?.kind === 'prose';
  }
}

function weigh(
  claim: Reading,
  { first, count }: { first: number; count: number },
  source: SourceText,
): Candidate | undefined {
  const reading = readingOf(source, first, count);
  const headings = headingsOf(source, first);
  const alignment = align(claim, reading, headings);
  if (
    count > 1 &&
    !source.sentences.slice(first, first + count).every((sentence) => contributes(claim, reading, alignment, sentence))
  )
    return undefined;
  const before = new Set<string>();
  for (const { tokens, kind } of source.sentences.slice(Math.max(0, first - 6), first)) {
    if (kind === 'prose') for (const token of tokens) if (token.isCapital) before.add(token.stem);
  }
  const context: Context = { headings, before };
  const share = shareOf(claim, alignment, context) - penalty.sentence * (count - 1);
  const isAnnounced = count === 1 && headings !== source.headings;
  return { reading, alignment, context, share, sentences: count, isAnnounced };
}

/** What a sentence is about: of an item, also the line that announces its list, "Managing directors:". */
function headingsOf(page: SourceText, at: number): ReadonlySet<string> {
  const announced = announcementOf(page, at);
  if (announced === undefined) return page.headings;
  return new Set([
    ...page.headings,
    ...announced.tokens.flatMap(({ kind, stem }) => (kind === 'content' ? [stem] : [])),
  ]);
}

/** The short line with a colon before the list that a sentence is an item of. */
function announcementOf({ sentences }: SourceText, at: number): Sentence | undefined {
  if (sentences[at]!.kind !== 'item') return undefined;
  const before = sentences.slice(0, at).findLast(({ kind }) => kind !== 'item');
  const isShort = before !== undefined && before.tokens.length <= maxAnnouncement;
  return isShort && before.kind === 'prose' && before.tokens.at(-1)?.text === ':' ? before : undefined;
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

/** These sentences read as one; remembered. */
export function readingOf({ sentences, readings, names }: SourceText, first: number, count: number): Reading {
  const key = `${first} ${count}`;
  const known = readings.get(key);
  if (known !== undefined) return known;
  const fresh = readSentence(sentences.slice(first, first + count), names);
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
