/**
 * One sentence for one question: of the passages that have its names, the one that answers, preferably of the page about
 * what it names. Other pages may say it the other way round, as the page of a pupil does of the teacher: of them a sentence
 * counts only if it has another word of the question, too.
 */
import { type AnalysedQuestion, analyse } from '../question/analyse.ts';
import { plainTitle } from '../question/bridge.ts';
import { relationsAsked, relationsIn, saysOtherwise } from '../question/relations.ts';
import { isAnswerable } from '../rank/answerability.ts';
import { type RankedUnit, rankUnits } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import { newNamesIn } from './new-names.ts';

/** The units of a question, with the one that answers it. */
export interface One {
  readonly question: AnalysedQuestion;
  readonly ranked: readonly RankedUnit[];
  /** Those that have every name and number of the question, the best first: of the page about it, then of others. */
  readonly fitting: readonly RankedUnit[];
  readonly isAnswerable: boolean;
}

/** Sources that are read for one question; set by hand: enough that a part of a large index does not look like a small corpus. */
const maxSources = 16;

/** Ranks what the sources have for a question about `name`; without a name, for a question about anything. */
export function answerOne(text: string, sources: readonly Source[], name?: string): One {
  const question = analyse(text);
  const own = sourcesFor(question, sources);
  const ranked = rankUnits(question, own);
  const asked = relationsAsked(text);
  const fits = ranked.filter(
    (each) =>
      hasOwnTerms(question, each) &&
      (name === undefined || mentions(each, name)) &&
      mayHaveValue(question, each) &&
      !saysOtherwise(asked, relationsIn(each.unit.text)),
  );
  const fitting = name === undefined ? fits : aboutFirst(fits, question, name);
  const [best] = fitting;
  // A sentence of its own page with a word for what is asked needs no further odds.
  const isSaid =
    best !== undefined &&
    name !== undefined &&
    isAbout(best.source, name) &&
    [...relationsIn(best.unit.text)].some((relation) => asked.has(relation));
  return {
    question,
    ranked,
    fitting,
    isAnswerable: best !== undefined && (isSaid || isAnswerable(question, ranked, own)),
  };
}

/** Whether a unit has something of the kind that is asked for: a name for "who" and "where", a figure for "when". */
function mayHaveValue({ kind, text }: AnalysedQuestion, { unit }: RankedUnit): boolean {
  if (kind === 'person' || kind === 'place') return newNamesIn(unit.text, text).length > 0;
  if (kind === 'date' || kind === 'year') return unit.words.some(({ digits }) => digits);
  return true;
}

function aboutFirst(fits: readonly RankedUnit[], { terms }: AnalysedQuestion, name: string): RankedUnit[] {
  const about = fits.filter(({ source }) => isAbout(source, name));
  const isOther = ({ own }: RankedUnit) => terms.some((term, at) => !term.name && !term.digits && own[at]! > 0);
  return [...about, ...fits.filter((each) => !about.includes(each) && isOther(each))];
}

/** Whether a page is about what has this name, by its title: "Marlow", "Marlow (town)", "Marlow – Almanac". */
export function isAbout({ title }: Source, name: string): boolean {
  const subject = plainTitle(title)
    .split(/ [–—|:·›-] |: /, 1)[0]!
    .trim();
  return subject === name.toLowerCase();
}

/** The sources with most of what the question names first, otherwise in their order. */
function sourcesFor({ terms }: AnalysedQuestion, sources: readonly Source[]): readonly Source[] {
  const named = terms.filter(({ name, digits }) => name || digits);
  const wanted = named.length > 0 ? named : terms;
  const held = sources.map(({ title, headings, text }) => {
    const place = `${title} ${headings} ${text}`.toLowerCase();
    return wanted.filter(({ stem }) => place.includes(stem)).length;
  });
  const order = sources.map((source, at) => ({ source, held: held[at]! })).sort((a, b) => b.held - a.held);
  return order.map(({ source }) => source).slice(0, maxSources);
}

/** Whether a unit, or what is around it, has every name and number that the question has. */
function hasOwnTerms({ terms }: AnalysedQuestion, { own, around }: RankedUnit): boolean {
  return terms.every(({ name, digits }, at) => !(name || digits) || own[at]! > 0 || (!digits && around[at]! > 0));
}

/** Whether a unit, or the title or headings above it, has this name word for word. */
function mentions({ unit, source }: RankedUnit, name: string): boolean {
  return `${unit.text}\n${source.title}\n${source.headings}`.toLowerCase().includes(name.toLowerCase());
}
