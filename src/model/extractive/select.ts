/**
 * Which units make the answer: the best first, then whatever adds most probability for its length, until the answer is
 * likely enough to be among them or the words are used up. Near-duplicates add nothing and are left out.
 */
import type { Question } from './analyse.ts';
import { plainTitle } from './bridge.ts';
import type { ReadUnit } from './passages.ts';
import type { Ranked } from './rank.ts';

/** Words of an answer; only a single unit may be longer. */
export const maxWords = 90;
/** Enough probability: what comes after would only be padding. */
const enough = 0.97;
const leastGain = 0.004;
/** What a page that is not cited yet adds: a second opinion, and a chance that the first page was not the one. */
const novelty = 1.25;
/** An item, row or piece of code that is less likely than this share of the best one only fills the page. */
const padding = 0.2;

/** `compound` questions also get a sentence of each page that the question or a chosen sentence is named after. */
export function selectUnits(ranked: readonly Ranked[], question: Question, compound: boolean): Ranked[] {
  const chosen: Ranked[] = [];
  let words = 0;
  let mass = 0;
  const rest = ranked.slice(0, 120).filter(({ unit }) => saysSomething(unit));
  while (rest.length > 0 && mass < enough) {
    let best = -1;
    let bestGain = 0;
    rest.forEach((unit, i) => {
      const length = countWords(unit.unit.text);
      if (chosen.length > 0 && words + length > maxWords) return;
      const isNew = !chosen.some(({ source }) => source === unit.source);
      const worth = unit.probability * (isNew ? novelty : 1);
      const gain = worth / (chosen.length === 0 ? 1 : Math.sqrt(Math.max(6, length)));
      if (gain > bestGain) [best, bestGain] = [i, gain];
    });
    const unit = rest.splice(best, best === -1 ? 0 : 1)[0];
    if (unit === undefined || (chosen.length > 0 && unit.probability < leastGain)) break;
    if (unit.unit.kind !== 'sentence' && chosen.length > 0 && unit.probability < padding * chosen[0]!.probability)
      continue;
    mass += unit.probability;
    if (chosen.some((other) => alike(other, unit))) continue;
    chosen.push(unit);
    words += countWords(unit.unit.text);
    if (!compound || chosen.length > 2) continue;
    for (const other of linked(rest, chosen, question)) {
      const length = countWords(other.unit.text);
      if (words + length > maxWords || chosen.length > 3) continue;
      rest.splice(rest.indexOf(other), 1);
      chosen.push(other);
      words += length;
    }
  }
  // Code is explained before it is shown.
  const prose = chosen.filter(({ unit }) => unit.kind !== 'code');
  return [...inReadingOrder(prose), ...chosen.filter(({ unit }) => unit.kind === 'code')];
}

/** The best unit of every page that is named in the question or in what was chosen and has no unit there yet. */
function linked(rest: readonly Ranked[], chosen: readonly Ranked[], question: Question): Ranked[] {
  const said = [question.text, ...chosen.map(({ unit }) => unit.text)].join(' ').toLowerCase();
  const known = new Set(chosen.map(({ source }) => source.title));
  const found: Ranked[] = [];
  for (const each of rest) {
    const { title } = each.source;
    const name = plainTitle(title);
    if (known.has(title) || name.length < 4 || !said.includes(name)) continue;
    known.add(title);
    found.push(each);
  }
  return found.slice(0, 2);
}

/** "Arguments:" and "Returns: `void`" stand for what follows them, which is a unit of its own. */
function saysSomething(unit: ReadUnit): boolean {
  return unit.kind === 'code' || (unit.words.length >= 4 && !unit.text.endsWith(':'));
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

/** The best unit first; neighbours of one passage stand in the order of their page. */
function inReadingOrder(chosen: readonly Ranked[]): Ranked[] {
  const left = [...chosen];
  const ordered: Ranked[] = [];
  for (let unit = left.shift(); unit !== undefined; unit = left.shift()) {
    const follow = left.findIndex((other) => other.source === unit!.source && other.index === unit!.index + 1);
    ordered.push(unit);
    if (follow !== -1) left.unshift(...left.splice(follow, 1));
  }
  return ordered;
}

/** Whether two units say the same: four fifths of the shorter one's words. */
function alike(a: Ranked, b: Ranked): boolean {
  const words = new Set(a.unit.words.map((word) => word.stem));
  const other = new Set(b.unit.words.map((word) => word.stem));
  let shared = 0;
  for (const stem of other) if (words.has(stem)) shared += 1;
  return shared >= 0.8 * Math.min(words.size, other.size);
}
