/**
 * Selects the units of an answer: the best one, then greedily the ones with the highest probability for their length,
 * until the answer is probably included or the word budget is spent. After the first, a long sentence may be cut to its
 * most relevant clauses. Near-duplicates are left out. The constants of this file were tuned on the held-out folds of
 * tools/training/train-extractive.ts.
 */
import type { AnalysedQuestion } from '../question/analyse.ts';
import { plainTitle } from '../question/bridge.ts';
import { createClauseShares } from '../rank/clause-shares.ts';
import type { RankedUnit } from '../rank/rank.ts';
import type { ReadUnit, Source } from '../text/passages.ts';
import { countWords } from '../text/words.ts';

/** A unit or some consecutive clauses of it: `text` is `unit.text.slice(start, end)`. */
export interface Excerpt {
  readonly source: Source;
  readonly unit: Pick<ReadUnit, 'kind' | 'text'>;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Words in an answer; only an answer of a single unit may be longer. */
export const maxWords = 90;
/** Selection stops at this total probability. */
const enoughProbability = 0.998;
/** Excerpts after the first need at least this probability. */
const minProbability = 0.003;
/** The ranking is overconfident; above 1, temperature flattens its probabilities. */
const temperature = 1 / 0.65;
/** Exponent of the length in the gain of an excerpt: 0 ignores length, 1 divides by it. */
const lengthPenalty = 0.9;
/** The length, in words, that shorter excerpts are charged. */
const minLength = 6;
/** Factor for an excerpt of a page that is not cited yet, which corroborates the answer or corrects it. */
const newPageBonus = 2.2;
/** Share of the best excerpt's probability below which an item, row or block of code is left out. */
const minListedShare = 0.35;
/** Units considered, from the top of the ranking. */
const maxRanked = 60;

interface Option {
  readonly ranked: RankedUnit;
  /** Indices of its first and last clause, both included. */
  readonly from: number;
  readonly to: number;
  readonly probability: number;
  readonly words: number;
}

/**
 * The excerpts of an answer in reading order, code last. `ranked` begins with the best unit. The answer to a `compound`
 * question also has a unit of each page whose title the question or a selected unit mentions.
 */
export function selectUnits(ranked: readonly RankedUnit[], question: AnalysedQuestion, compound: boolean): Excerpt[] {
  const sharesOf = createClauseShares(question);
  const candidates = flatten(ranked.slice(0, maxRanked)).filter(isInformative);
  let rest = candidates.slice(0, 1).map(wholeOf);
  const chosen: Option[] = [];
  let words = 0;
  let mass = 0;
  const take = (option: Option) => {
    chosen.push(option);
    words += option.words;
    rest = rest.filter((other) => other.ranked !== option.ranked || other.from > option.to || other.to < option.from);
  };
  while (mass < enoughProbability) {
    const option = bestOf(rest, chosen, maxWords - words);
    if (option === undefined || (chosen.length > 0 && option.probability < minProbability)) break;
    mass += option.probability;
    if (chosen.length === 0) {
      take(option);
      rest = candidates.slice(1).flatMap((each) => optionsOf(each, sharesOf));
    } else if (isWeakListed(option, chosen[0]!) || chosen.some((other) => repeats(option, other)))
      rest = rest.filter((other) => other.ranked !== option.ranked);
    else take(option);
    if (!compound || chosen.length > 2) continue;
    for (const each of linkedUnits(candidates, chosen, question)) {
      const whole = wholeOf(each);
      if (words + whole.words <= maxWords && chosen.length <= 3) take(whole);
    }
  }
  const excerpts = inReadingOrder(chosen).map(toExcerpt);
  // The explanation comes before the code.
  const isCode = ({ unit }: Excerpt) => unit.kind === 'code';
  return [...excerpts.filter((excerpt) => !isCode(excerpt)), ...excerpts.filter(isCode)];
}

/** The same units with probabilities flattened by the temperature; their order stays. */
function flatten(ranked: readonly RankedUnit[]): RankedUnit[] {
  const shares = ranked.map(({ probability }) => probability ** (1 / temperature));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return ranked.map((each, i) => ({ ...each, probability: shares[i]! / total }));
}

function wholeOf(ranked: RankedUnit): Option {
  const { unit, probability } = ranked;
  return { ranked, from: 0, to: unit.clauses.length - 1, probability, words: countWords(unit.text) };
}

/** The whole unit and each of its clauses. */
function optionsOf(ranked: RankedUnit, sharesOf: (unit: ReadUnit) => readonly number[]): Option[] {
  const { unit, probability } = ranked;
  const whole = wholeOf(ranked);
  if (unit.clauses.length === 1) return [whole];
  const shares = sharesOf(unit);
  const parts = unit.clauses.map(({ start, end }, i): Option => {
    return {
      ranked,
      from: i,
      to: i,
      probability: probability * shares[i]!,
      words: countWords(unit.text.slice(start, end)),
    };
  });
  return [whole, ...parts];
}

function bestOf(options: readonly Option[], chosen: readonly Option[], room: number): Option | undefined {
  const cited = new Set(chosen.map(({ ranked }) => ranked.source));
  let best: Option | undefined;
  let most = 0;
  for (const option of options) {
    if (chosen.length > 0 && option.words > room) continue;
    const gain =
      (option.probability * (cited.has(option.ranked.source) ? 1 : newPageBonus)) /
      Math.max(minLength, option.words) ** lengthPenalty;
    if (gain > most) [best, most] = [option, gain];
  }
  return best;
}

function isWeakListed({ ranked }: Option, first: Option): boolean {
  return ranked.unit.kind !== 'sentence' && ranked.probability < minListedShare * first.ranked.probability;
}

function repeats(option: Option, other: Option): boolean {
  return option.ranked !== other.ranked && isNearDuplicate(option.ranked, other.ranked);
}

function toExcerpt({ ranked, from, to }: Option): Excerpt {
  const { source, unit } = ranked;
  const start = unit.clauses[from]!.start;
  const { end } = unit.clauses[to]!;
  return { source, unit, start, end, text: unit.text.slice(start, end) };
}

/** The best unit of at most two pages that the question or a selected unit names and that are not cited yet. */
function linkedUnits(
  candidates: readonly RankedUnit[],
  chosen: readonly Option[],
  question: AnalysedQuestion,
): RankedUnit[] {
  const said = [question.text, ...chosen.map(({ ranked }) => ranked.unit.text)].join(' ').toLowerCase();
  const known = new Set(chosen.map(({ ranked }) => ranked.source.title));
  const found: RankedUnit[] = [];
  for (const each of candidates) {
    const { title } = each.source;
    const name = plainTitle(title);
    if (known.has(title) || name.length < 4 || !said.includes(name)) continue;
    known.add(title);
    found.push(each);
  }
  return found.slice(0, 2);
}

/** False for fragments, and in documentation for "Arguments:", which only introduces the next unit. */
function isInformative({ unit, passage }: RankedUnit): boolean {
  return unit.kind === 'code' || (unit.words.length >= 4 && !(passage.technical && unit.text.endsWith(':')));
}

/** In order of selection, but with neighbours of one passage in the order of their page and adjacent clauses merged. */
function inReadingOrder(chosen: readonly Option[]): Option[] {
  const left = [...chosen];
  const ordered: Option[] = [];
  for (let option = left.shift(); option !== undefined; option = left.shift()) {
    for (let next = indexOfContinuation(option, left); next !== -1; next = indexOfContinuation(option, left)) {
      const { to, probability, words } = left.splice(next, 1)[0]!;
      option = { ...option, to, probability: option.probability + probability, words: option.words + words };
    }
    const before = left.findIndex(({ ranked, to }) => ranked === option!.ranked && to < option!.from);
    if (before !== -1) {
      left.unshift(left.splice(before, 1)[0]!, option);
      continue;
    }
    ordered.push(option);
    const { source, index } = option.ranked;
    const follow = left.findIndex(
      ({ ranked }) => ranked.source === source && (ranked.index === index || ranked.index === index + 1),
    );
    if (follow !== -1) left.unshift(...left.splice(follow, 1));
  }
  return ordered;
}

/** Index of the option that continues this one within its sentence, or -1. */
function indexOfContinuation({ ranked, to }: Option, others: readonly Option[]): number {
  return others.findIndex((other) => other.ranked === ranked && other.from === to + 1);
}

/** Whether two units share nine tenths of the shorter one's stems (set by hand). */
function isNearDuplicate(a: RankedUnit, b: RankedUnit): boolean {
  const words = new Set(a.unit.words.map((word) => word.stem));
  const other = new Set(b.unit.words.map((word) => word.stem));
  let shared = 0;
  for (const stem of other) if (words.has(stem)) shared += 1;
  return shared >= 0.9 * Math.min(words.size, other.size);
}
