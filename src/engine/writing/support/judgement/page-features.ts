/**
 * What a model of claims knows of the rest of a page, and of what is next to what: where on the page the words are that a
 * sentence lacks, and how far the words around a figure or a name of the claim are from it in the source. A claim that
 * takes a figure from one sentence and its subject from another has all of its words on the page; one in other words has
 * some of them nowhere.
 */
import type { Candidate, SourceText } from '../closest-sentences.ts';
import { entailsDate } from '../reading/dates.ts';
import { entails } from '../reading/quantity-entailment.ts';
import type { Reading } from '../reading/reading.ts';
import { placesOf } from '../reading/word-places.ts';
import { groupsOf } from '../reading/word-relations.ts';

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Set by hand: the letters that derived words share ("tenancy", "tenant"), the meanings of a general word, how many words
 * next to a figure count, and the longest distance that does.
 */
const limits = { derived: 5, frequent: 6, beside: 3, distance: 20 };

/** Names of the numbers that `pageFeatures` returns. */
export const pageFeatureNames = [
  ...['words elsewhere', 'words nowhere', 'names elsewhere', 'names nowhere', 'words of the same derivation'],
  ...['technical words', 'general words', 'most in another sentence', 'words of that sentence', 'share on the page'],
  ...['figures elsewhere', 'figures nowhere'],
  ...['distance of figures', 'figures nearer', 'figures in another clause', 'other figures'],
  ...['distance of names', 'names nearer', 'names in another clause', 'other names'],
  ...['mean gap', 'longest gap'],
] as const;

/** Features of a claim beside one candidate of a page, in the order of `pageFeatureNames`. */
export function pageFeatures(claim: Reading, candidate: Candidate, page: SourceText): number[] {
  return [...strayWords(claim, candidate, page), ...nextTo(claim, candidate)];
}

/** Where the words and figures are that the candidate does not have. */
function strayWords(
  claim: Reading,
  { reading, alignment: { matches, reverse }, context }: Candidate,
  page: SourceText,
): number[] {
  const known = placesOf(page.sentences);
  const isHere = (sentence: number) => {
    const { start, end } = page.sentences[sentence]!;
    return start >= reading.start && end <= reading.end;
  };
  const elsewhere = (stem: string) => (known.get(stem) ?? []).filter((each) => !isHere(each));
  const count = { elsewhere: 0, nowhere: 0, namesElsewhere: 0, namesNowhere: 0, derived: 0, rare: 0, frequent: 0 };
  const shared = new Map<number, number>();
  let onPage = 0;
  const content = claim.words.filter((at) => claim.tokens[at]!.kind === 'content');
  for (const at of content) {
    const { stem } = claim.tokens[at]!;
    if (known.has(stem)) onPage += 1;
    if (matches.has(at) || context.headings.has(stem)) continue;
    const others = elsewhere(stem);
    for (const sentence of others) shared.set(sentence, (shared.get(sentence) ?? 0) + 1);
    if (claim.isName[at]) count[others.length > 0 ? 'namesElsewhere' : 'namesNowhere'] += 1;
    else {
      count[others.length > 0 ? 'elsewhere' : 'nowhere'] += 1;
      const groups = groupsOf(stem);
      if (groups === 0) count.rare += 1;
      else if (groups >= limits.frequent) count.frequent += 1;
      if (reading.words.some((to) => !reverse.has(to) && isDerived(stem, reading.tokens[to]!.stem))) count.derived += 1;
    }
  }
  // Another sentence with what is missing here, and what else it has of the claim.
  const [best, most] = [...shared].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0] ?? [-1, 0];
  const there = content.filter((at) => known.get(claim.tokens[at]!.stem)?.includes(best)).length;
  const figures = claim.tokens.filter(({ kind }) => kind === 'number').map(({ stem }) => stem);
  const own = new Set(reading.tokens.map(({ stem }) => stem));
  const absent = figures.filter((stem) => !own.has(stem));
  return [
    ...Object.values(count),
    most,
    there,
    onPage / Math.max(1, content.length),
    absent.filter((stem) => elsewhere(stem).length > 0).length,
    absent.filter((stem) => elsewhere(stem).length === 0).length,
  ];
}

/** "Tenancy" and "tenant". */
function isDerived(one: string, other: string): boolean {
  const letters = Math.min(limits.derived, Math.max(4, Math.min(one.length, other.length)));
  return one.length >= 4 && other.length >= 4 && one.slice(0, letters) === other.slice(0, letters);
}

/**
 * How far the words next to the figures and names of a claim are from them in the source, and what is nearer to these
 * there.
 */
function nextTo(claim: Reading, { reading: source, alignment: { matches } }: Candidate): number[] {
  const said = [...matches].flatMap(([at, { at: to, relation }]) =>
    claim.tokens[at]!.kind === 'content' && !claim.isName[at] && relation !== 'rival' ? [{ at, to }] : [],
  );
  const figures = { number: 0, distance: 0, nearer: 0, parted: 0, rivals: 0 };
  const names = { number: 0, distance: 0, nearer: 0, parted: 0, rivals: 0 };
  for (const each of claim.quantities)
    if (!each.isVague)
      add(
        figures,
        each,
        source.quantities,
        (other) => entails(other, each),
        (other) => other.dimension === each.dimension,
      );
  for (const each of claim.dates)
    add(
      figures,
      each,
      source.dates,
      (other) => entailsDate(other, each),
      () => true,
    );
  const named = source.words.filter((at) => source.isName[at]).map((at) => ({ from: at, to: at + 1 }));
  for (const at of claim.words) {
    const to = claim.isName[at] ? matches.get(at)?.at : undefined;
    if (to === undefined) continue;
    const isPart = ({ from }: Stretch) => Math.abs(from - to) <= 1;
    add(
      names,
      { from: at, to: at + 1 },
      named.filter((each) => each.from === to || !isPart(each)),
      ({ from }) => from === to,
      () => true,
    );
  }
  const mean = ({ number, distance, nearer, parted, rivals }: typeof names) => [
    distance / Math.max(1, number),
    nearer,
    parted,
    rivals,
  ];
  const gaps = said
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ to }, index, all) =>
      index === 0 ? [] : [Math.min(limits.distance, Math.abs(to - all[index - 1]!.to))],
    );
  return [
    ...mean(figures),
    ...mean(names),
    gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, gaps.length),
    Math.max(0, ...gaps),
  ];

  /** Adds the words beside one figure or name, each with the nearest equal one of the source and the others of its kind there. */
  function add<Other extends Stretch>(
    sums: typeof names,
    { from, to }: Stretch,
    found: readonly Other[],
    isEqual: (other: Other) => boolean,
    isKind: (other: Other) => boolean,
  ): void {
    const equal = found.filter(isEqual);
    if (equal.length === 0) return;
    const rivals = found.filter((other) => !equal.includes(other) && isKind(other));
    sums.rivals += rivals.length;
    const beside = said
      .map((each) => ({ ...each, away: each.at < from ? from - each.at : each.at - to + 1 }))
      .sort((a, b) => a.away - b.away)
      .slice(0, limits.beside);
    for (const { to: place } of beside) {
      const nearest = closest(place, equal);
      sums.number += 1;
      sums.distance += Math.min(limits.distance, distance(place, nearest));
      if (source.clauses[place] !== source.clauses[nearest.from]) sums.parted += 1;
      if (rivals.some((rival) => distance(place, rival) < distance(place, nearest))) sums.nearer += 1;
    }
  }
}

function distance(place: number, { from, to }: Stretch): number {
  return place < from ? from - place : Math.max(0, place - to + 1);
}

function closest<Other extends Stretch>(place: number, all: readonly Other[]): Other {
  return all.reduce((best, each) => (distance(place, each) < distance(place, best) ? each : best));
}
