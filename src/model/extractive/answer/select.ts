/**
 * What makes the answer: the best unit first, then whatever adds most probability for its length, until the answer is
 * likely enough to be among it or the words are used up. After the first, a long sentence may be cut to the clause that
 * is likely to matter. Near-duplicates add nothing and are left out.
 */
import type { Question } from '../question/analyse.ts';
import { plainTitle } from '../question/bridge.ts';
import { createClauseShares } from '../rank/clause-shares.ts';
import type { Ranked } from '../rank/rank.ts';
import type { ReadUnit, Source } from '../text/passages.ts';
import { countWords } from '../text/words.ts';

/** A unit, or the clauses of it that were chosen: `text` is `unit.text.slice(start, end)`. */
export interface Excerpt {
  readonly source: Source;
  readonly unit: Pick<ReadUnit, 'kind' | 'text'>;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Words of an answer; only a single unit may be longer. */
export const maxWords = 90;
/** Enough probability: what comes after would only be padding. */
const enough = 0.998;
const leastGain = 0.003;
/** The ranking is surer of its first than it is right; below 1 the others get more of a chance. */
const trust = 0.65;
/** How much a word costs: 0 would take the likeliest, 1 the likeliest for its words. */
const thrift = 0.9;
/** Shorter excerpts cost as if they had so many words. */
const fewest = 6;
/** What a page that is not cited yet adds: a second opinion, and a chance that the first page was not the one. */
const novelty = 2.2;
/** An item, row or piece of code that is less likely than this share of the best one only fills the page. */
const padding = 0.35;
/** Of the ranking; what stands further down is not looked at. */
const mostRanked = 60;

interface Option {
  readonly ranked: Ranked;
  /** Clauses of the unit, `from` to `to`. */
  readonly from: number;
  readonly to: number;
  readonly probability: number;
  readonly words: number;
}

/** `compound` questions also get a sentence of each page that the question or a chosen sentence is named after. */
export function selectUnits(ranked: readonly Ranked[], question: Question, compound: boolean): Excerpt[] {
  const sharesOf = createClauseShares(question);
  const likely = doubted(ranked.slice(0, mostRanked)).filter(saysSomething);
  let rest = likely.slice(0, 1).map(wholeOf);
  const chosen: Option[] = [];
  let words = 0;
  let mass = 0;
  const take = (option: Option) => {
    chosen.push(option);
    words += option.words;
    rest = rest.filter((other) => other.ranked !== option.ranked || other.from > option.to || other.to < option.from);
  };
  while (mass < enough) {
    const option = bestOf(rest, chosen, maxWords - words);
    if (option === undefined || (chosen.length > 0 && option.probability < leastGain)) break;
    mass += option.probability;
    if (chosen.length === 0) {
      take(option);
      rest = likely.slice(1).flatMap((each) => optionsOf(each, sharesOf));
    } else if (isPadding(option, chosen[0]!) || chosen.some((other) => repeats(option, other)))
      rest = rest.filter((other) => other.ranked !== option.ranked);
    else take(option);
    if (!compound || chosen.length > 2) continue;
    for (const each of linked(likely, chosen, question)) {
      const whole = wholeOf(each);
      if (words + whole.words <= maxWords && chosen.length <= 3) take(whole);
    }
  }
  const excerpts = inReadingOrder(chosen).map(toExcerpt);
  // Code is explained before it is shown.
  const isCode = ({ unit }: Excerpt) => unit.kind === 'code';
  return [...excerpts.filter((excerpt) => !isCode(excerpt)), ...excerpts.filter(isCode)];
}

function doubted(ranked: readonly Ranked[]): Ranked[] {
  const shares = ranked.map(({ probability }) => probability ** trust);
  const total = shares.reduce((sum, share) => sum + share, 0);
  return ranked.map((each, i) => ({ ...each, probability: shares[i]! / total }));
}

function wholeOf(ranked: Ranked): Option {
  const { unit, probability } = ranked;
  return { ranked, from: 0, to: unit.clauses.length - 1, probability, words: countWords(unit.text) };
}

/** A unit whole, and each of its clauses. */
function optionsOf(ranked: Ranked, sharesOf: (unit: ReadUnit) => readonly number[]): Option[] {
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
      (option.probability * (cited.has(option.ranked.source) ? 1 : novelty)) / Math.max(fewest, option.words) ** thrift;
    if (gain > most) [best, most] = [option, gain];
  }
  return best;
}

function isPadding({ ranked }: Option, first: Option): boolean {
  return ranked.unit.kind !== 'sentence' && ranked.probability < padding * first.ranked.probability;
}

function repeats(option: Option, other: Option): boolean {
  return option.ranked !== other.ranked && alike(option.ranked, other.ranked);
}

function toExcerpt({ ranked, from, to }: Option): Excerpt {
  const { source, unit } = ranked;
  const start = unit.clauses[from]!.start;
  const { end } = unit.clauses[to]!;
  return { source, unit, start, end, text: unit.text.slice(start, end) };
}

/** The best unit of every page that is named in the question or in what was chosen and has no unit there yet. */
function linked(likely: readonly Ranked[], chosen: readonly Option[], question: Question): Ranked[] {
  const said = [question.text, ...chosen.map(({ ranked }) => ranked.unit.text)].join(' ').toLowerCase();
  const known = new Set(chosen.map(({ ranked }) => ranked.source.title));
  const found: Ranked[] = [];
  for (const each of likely) {
    const { title } = each.source;
    const name = plainTitle(title);
    if (known.has(title) || name.length < 4 || !said.includes(name)) continue;
    known.add(title);
    found.push(each);
  }
  return found.slice(0, 2);
}

/** In documentation "Arguments:" and "Returns: `void`" stand for what follows them, which is a unit of its own. */
function saysSomething({ unit, passage }: Ranked): boolean {
  return unit.kind === 'code' || (unit.words.length >= 4 && !(passage.technical && unit.text.endsWith(':')));
}

/** The best first; neighbours of one passage stand in the order of their page, neighbouring clauses as one. */
function inReadingOrder(chosen: readonly Option[]): Option[] {
  const left = [...chosen];
  const ordered: Option[] = [];
  for (let option = left.shift(); option !== undefined; option = left.shift()) {
    for (let next = follower(option, left); next !== -1; next = follower(option, left)) {
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

/** Which of the others begins where this one ends, within the same sentence; -1 when none does. */
function follower({ ranked, to }: Option, others: readonly Option[]): number {
  return others.findIndex((other) => other.ranked === ranked && other.from === to + 1);
}

/** Whether two units say the same: nine tenths of the shorter one's words. */
function alike(a: Ranked, b: Ranked): boolean {
  const words = new Set(a.unit.words.map((word) => word.stem));
  const other = new Set(b.unit.words.map((word) => word.stem));
  let shared = 0;
  for (const stem of other) if (words.has(stem)) shared += 1;
  return shared >= 0.9 * Math.min(words.size, other.size);
}
