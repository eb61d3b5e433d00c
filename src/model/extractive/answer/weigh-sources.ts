/**
 * Sources that differ. Where two pages state different values of what is asked for, both are shown, the better source first;
 * where it is asked what holds now, only the newest. And where the page about a thing does not say what is asked of it,
 * nothing is: the sentence of another page would be about something else.
 */
import { asksForNow } from '../../../base/text/asks-for-now.ts';
import { type AnalysedQuestion, weightOf } from '../question/analyse.ts';
import { isCompound } from '../question/bridge.ts';
import { relationsAsked, relationsIn, saysOtherwise } from '../question/relations.ts';
import { perPlace, type RankedUnit } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import { findDates } from '../text/values.ts';
import { stemOf } from '../text/words.ts';
import { isAbout } from './answer-one.ts';
import { newNamesIn } from './new-names.ts';

export interface Weighed {
  /** The units with the one to answer with first; empty if the page about what is asked does not say it. */
  readonly ranked: readonly RankedUnit[];
  /** Units of other pages that state other values, the better sources first. */
  readonly others: readonly RankedUnit[];
}

/** Units from the top of the ranking that are looked at, and pages that may differ; set by hand. */
const maxRanked = 60;
const maxOthers = 2;
/**
 * Shares of the first unit's probability, standing apart, from which another unit may say the same: in other words of the asked
 * relation, and in words of the question. Set by hand; a lower one is of a unit about something else.
 */
const minShare = { related: 0.1, literal: 0.01 };
/** Share of the first unit's words that another one has which states the same of another value. Set by hand. */
const sameShare = 0.8;

/** Weighs the units of a question for one value about something that it names; others stay as they are. */
export function weighSources(question: AnalysedQuestion, ranked: readonly RankedUnit[]): Weighed {
  const unchanged = { ranked, others: [] };
  const asked = relationsAsked(question.asked);
  const [best] = ranked;
  // A name of the question before this one tells what that was about, which need not be what is asked of.
  const names = question.names.filter((each) => question.asked.includes(each));
  const name = names.find((each) => ranked.some(({ source }) => isAbout(source, each)));
  if (best === undefined || name === undefined || !valued.has(question.kind) || isCompound(question)) return unchanged;
  const fitting = ranked.slice(0, maxRanked).filter((each) => fits(question, asked, name, each));
  if (fitting.length === 0) return asked.size === 1 ? { ranked: [], others: [] } : unchanged;
  const first = fitting.includes(best) || asked.size !== 1 ? best : fitting[0]!;
  const alike = fitting.filter((each) => each === first || saysTheSame(question, asked, first, each));
  const isNow = asksForNow(question.text);
  const pool = isNow ? alike.filter(({ unit }) => !statesYear(unit.text)) : alike;
  const top = betterFirst(pool.includes(first) || pool.length === 0 ? [first, ...pool] : pool)[0]!;
  const rest = ranked.filter((each) => each !== top);
  const others = isNow ? [] : betterFirst(alike.filter((each) => differs(question, top, each)));
  return { ranked: [top, ...rest], others: distinct(question, others).slice(0, maxOthers) };
}

/** Kinds of questions that a value answers. */
const valued: ReadonlySet<string> = new Set(['date', 'year', 'amount', 'count', 'person', 'place']);

function fits(
  question: AnalysedQuestion,
  asked: ReturnType<typeof relationsAsked>,
  name: string,
  { unit, source, own, around }: RankedUnit,
): boolean {
  const place = placeOf(source);
  return (
    (isAbout(source, name) || unit.text.toLowerCase().includes(rarestWord(name))) &&
    question.terms.every((term, at) => !isYear(term.stem) || own[at]! > 0) &&
    question.terms.every((term, at) => !term.name || own[at]! > 0 || around[at]! > 0 || place.includes(term.stem)) &&
    !saysOtherwise(asked, relationsIn(unit.text)) &&
    valuesOf(question, unit.text).size > 0
  );
}

/**
 * Whether another unit states what the first one does, perhaps with another value: it has what the first has of the question beside
 * names; or it is of the asked relation and about as probable; or it has the same words, figures apart.
 */
function saysTheSame(
  { terms }: AnalysedQuestion,
  asked: ReturnType<typeof relationsAsked>,
  first: RankedUnit,
  other: RankedUnit,
): boolean {
  const { own, unit } = other;
  if (!terms.some((term, at) => term.name && own[at]! > 0)) return false;
  const share = shareOf(other, first);
  if (share >= minShare.related && [...relationsIn(unit.text)].some((relation) => asked.has(relation))) return true;
  if (share < minShare.literal) return false;
  const said = terms.flatMap((term, at) => (term.name || term.digits || first.own[at] === 0 ? [] : [at]));
  return (said.length > 0 && said.every((at) => own[at]! > 0)) || hasSameWords(first.unit, unit);
}

/** The probability of a unit as a share of another one's, as if their sources had the same weight. */
function shareOf(other: RankedUnit, first: RankedUnit): number {
  const places = (other.source.places ?? 0) - (first.source.places ?? 0);
  return Math.exp(other.score - first.score - perPlace * places);
}

/** Whether a unit has most words of another, figures apart. */
function hasSameWords(first: RankedUnit['unit'], other: RankedUnit['unit']): boolean {
  const stems = new Set(other.words.map(({ stem }) => stem));
  const words = first.words.filter(({ digits }) => !digits);
  return words.length > 0 && words.filter(({ stem }) => stems.has(stem)).length >= sameShare * words.length;
}

function differs(question: AnalysedQuestion, top: RankedUnit, other: RankedUnit): boolean {
  if (other === top || other.source.url === top.source.url) return false;
  const [a, b] = [valuesOf(question, top.unit.text), valuesOf(question, other.unit.text)];
  const isDated = question.kind === 'date' || question.kind === 'year';
  const isKnown = (value: string) => a.has(value) || (isDated && [...a].some((known) => isSameDate(value, known)));
  if ([...b].some(isKnown)) return false;
  // Two figures of two years are no disagreement.
  return isDated || yearsIn(top.unit.text) === yearsIn(other.unit.text);
}

/** Whether one date says the other less precisely: "1971" and "4 June 1971". */
function isSameDate(one: string, other: string): boolean {
  const [a, b] = [one.split(/[\s,]+/), other.split(/[\s,]+/)];
  return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));
}

/** One unit for each set of values. */
function distinct(question: AnalysedQuestion, units: readonly RankedUnit[]): RankedUnit[] {
  const seen = new Set<string>();
  return units.filter(({ unit }) => {
    const values = [...valuesOf(question, unit.text)];
    if (values.some((value) => seen.has(value))) return false;
    for (const value of values) seen.add(value);
    return true;
  });
}

/** The values of the kind that is asked for which a sentence states, without those of the question. */
function valuesOf({ kind, text }: AnalysedQuestion, sentence: string): ReadonlySet<string> {
  if (kind === 'person' || kind === 'place') return new Set(newNamesIn(sentence, text));
  if (kind === 'date' || kind === 'year') return new Set(findDates(sentence).map((date) => date.text));
  const undated = findDates(sentence).reduce((rest, date) => rest.replace(date.text, ' '), sentence);
  const figures = undated.match(/\d[\d.,]*(?<=\d)/g) ?? [];
  return new Set(figures.map((figure) => figure.replaceAll(',', '')).filter((figure) => !text.includes(figure)));
}

/** By standing, and otherwise in their order. */
function betterFirst(units: readonly RankedUnit[]): RankedUnit[] {
  return [...units].sort((a, b) => (b.source.places ?? 0) - (a.source.places ?? 0));
}

function isYear(stem: string): boolean {
  return /^(?:1[5-9]|20)\d\d$/.test(stem);
}

function statesYear(text: string): boolean {
  return yearsIn(text) !== '';
}

function yearsIn(text: string): string {
  return (text.match(/\b(?:1[5-9]|20)\d\d\b/g) ?? []).join(' ');
}

function placeOf({ title, headings, text }: Source): string {
  return `${title}\n${headings}\n${text}`.toLowerCase();
}

/** Of a name, the word that tells it from others. */
function rarestWord(name: string): string {
  const words = name.split(' ').map((word) => word.toLowerCase());
  return words.reduce((a, b) => (weightOf(stemOf(b)) > weightOf(stemOf(a)) ? b : a));
}
