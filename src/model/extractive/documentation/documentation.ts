/**
 * The answer that documentation gives: the unit that answers best, what its section explains or shows beside it, and
 * what else is as likely. A unit that opens the section of an option or a method is shown with that name.
 */

import { type Network, runNetwork, runNetworks, softmax } from '../../../base/learned/mlp.ts';
import { type Excerpt, maxWords } from '../answer/select.ts';
import type { Question, Term } from '../question/analyse.ts';
import type { Source } from '../text/passages.ts';
import { countWords } from '../text/words.ts';
import { type Documented, namesSomething, readDocumentation, type Signs } from './documentation-features.ts';
import learned from './documentation-weights.json' with { type: 'json' };

export interface RankedDocumented extends Documented {
  readonly score: number;
  /** Those of one question sum to 1. */
  readonly probability: number;
}

export interface DocumentationWeights {
  /** Their mean scores a unit by its signs. */
  readonly rank: readonly Network[];
  /** Whether the documentation says it at all, as log odds. */
  readonly answers: Network;
}

/** Units of an answer; more would hide the one that was looked for. */
const mostUnits = 5;
/** An explanation or code beside the best unit, and any other unit, have to be likelier than this share of it. */
const leastBeside = 0.15;
const leastOther = 0.2;
/** Words have to be likelier than this share of code to go before it. */
const leastSaid = 0.3;
/** A longer heading is a sentence or a signature, not a name. */
const longestName = 80;

/** Empty where the documentation does not say. */
export function quoteDocumentation(question: Question, sources: readonly Source[]): Excerpt[] {
  const ranked = rankDocumentation(question, sources, learned.rank);
  if (ranked.length === 0 || question.terms.length === 0 || isBesideThePoint(question, ranked)) return [];
  return runNetwork(learned.answers, answerSigns(question, ranked)) > 0 ? compose(ranked) : [];
}

/** Where all that is known is the subject. */
function isBesideThePoint({ terms }: Question, ranked: readonly RankedDocumented[]): boolean {
  return ranked.every(({ signs }) => signs.inSectionWithHeadings === 0) && lostOf(terms, ranked).length > 0;
}

/** Terms that nothing of all this has. */
function lostOf(terms: readonly Term[], ranked: readonly RankedDocumented[]): Term[] {
  return terms.filter((_, term) => ranked.every(({ strengths }) => strengths[term] === 0));
}

/** The likeliest first. */
export function rankDocumentation(
  question: Question,
  sources: readonly Source[],
  networks: readonly Network[],
): RankedDocumented[] {
  const units = readDocumentation(question, sources);
  const scores = units.map(({ signs }) => runNetworks(networks, Object.values(signs)));
  const probabilities = softmax(scores);
  return units
    .map((unit, i) => ({ ...unit, score: scores[i]!, probability: probabilities[i]! }))
    .sort((a, b) => b.probability - a.probability);
}

/** What tells whether the documentation answers: how much of the question is said, where, and what is nowhere. */
export function answerSigns({ terms }: Question, ranked: readonly RankedDocumented[]): number[] {
  const { signs, score, probability } = ranked[0]!;
  const weigh = (some: readonly { weight: number }[]) => some.reduce((sum, { weight }) => sum + weight, 0);
  const lost = lostOf(terms, ranked);
  const most = (name: keyof Signs, of = ranked) => Math.max(...of.map((each) => each.signs[name]));
  const top = ranked.slice(0, 5);
  const told = ['withHeadings', 'inSectionWithHeadings', 'ofAll'] as const;
  return [
    signs.inUnit,
    most('inUnit', top),
    ...told.flatMap((name) => [signs[name], most(name, top), most(name)]),
    weigh(lost) / Math.max(1e-6, weigh(terms)),
    lost.length / terms.length,
    Math.max(0, ...lost.map(({ weight }) => weight)),
    signs.ofSubject,
    signs.short,
    score / 5,
    probability,
    Math.min(1, terms.length / 10),
    weigh(terms) / terms.length,
  ];
}

/** The best unit, what it introduces or is introduced by, and what is about as likely; prose before code. */
export function compose(ranked: readonly RankedDocumented[]): Excerpt[] {
  const best = bestOf(ranked);
  if (best === undefined) return [];
  const chosen = [best];
  let words = countWords(shown(best));
  const take = (each: RankedDocumented) => {
    const more = countWords(shown(each));
    if (chosen.length >= mostUnits || words + more > maxWords) return;
    chosen.push(each);
    words += more;
  };
  const beside = companionOf(best, ranked);
  if (beside !== undefined) take(beside);
  const opening = beside !== undefined && isCode(beside) ? neighbourOf(beside, -1, ranked) : undefined;
  if (opening !== undefined && opening !== best) take(opening);
  for (const each of ranked) {
    if (each.probability < leastOther * best.probability) break;
    if (chosen.includes(each) || introduces(each)) continue;
    if (isCode(each) && chosen.some(isCode)) continue;
    // Of what is named in the question, and nothing else, where the best is.
    if (best.signs.ofSubject <= 0 || each.signs.ofSubject > 0) take(each);
  }
  return inReadingOrder(chosen).map((each) => {
    const text = shown(each);
    return { source: each.source, unit: { ...each.unit, text }, text, start: 0, end: text.length };
  });
}

/** The likeliest, and code only where no words are nearly as likely: those say what it is about. */
function bestOf(ranked: readonly RankedDocumented[]): RankedDocumented | undefined {
  const [first] = ranked;
  if (first === undefined || !isCode(first)) return first;
  const said = ranked.find((each) => !isCode(each));
  return said !== undefined && said.probability > leastSaid * first.probability ? said : first;
}

/** The code that a unit of prose introduces, or what introduces the code; else the likeliest of its section. */
function companionOf(best: RankedDocumented, ranked: readonly RankedDocumented[]): RankedDocumented | undefined {
  const next = neighbourOf(best, isCode(best) ? -1 : 1, ranked);
  if (next !== undefined && isCode(next) !== isCode(best)) return next;
  const least = leastBeside * best.probability;
  return ranked.find(
    (each) => each.section === best.section && isCode(each) !== isCode(best) && each.probability > least,
  );
}

function neighbourOf({ section, place }: Documented, step: number, ranked: readonly RankedDocumented[]) {
  return ranked.find((each) => each.section === section && each.place === place + step);
}

/** Sections in the order in which they were chosen, each in its own; code at the end. */
function inReadingOrder(chosen: readonly RankedDocumented[]): RankedDocumented[] {
  const sections = [...new Set(chosen.map(({ section }) => section))];
  const order = (a: RankedDocumented, b: RankedDocumented) =>
    Number(isCode(a)) - Number(isCode(b)) ||
    sections.indexOf(a.section) - sections.indexOf(b.section) ||
    a.place - b.place;
  return [...chosen].sort(order);
}

function isCode({ unit }: Documented): boolean {
  return unit.kind === 'code';
}

/** What it promises or asks is said by others. */
function introduces({ unit }: Documented): boolean {
  return /[:?]$/.test(unit.text);
}

export function shown({ unit, place }: Documented): string {
  const { section, text } = unit;
  const isNamed = place === 0 && unit.kind === 'sentence' && section.length <= longestName && namesSomething(section);
  return isNamed ? `${section}: ${text}` : text;
}
