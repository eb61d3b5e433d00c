/**
 * What documents of several dates say of the same thing: "Treasurer: Ada Collins" in the minutes of one year and "Treasurer: Carys Moon"
 * in those of the next. The newest of them answers.
 */
import { monthNumbers } from '../../../base/text/dates/months.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { cellsOf } from '../text/cells.ts';
import { dateIn, documentDate, seriesOf } from '../text/document-date.ts';
import type { RankedUnit } from './rank.ts';

export interface NewestFirst {
  /** The units with that of the newest document first. */
  readonly ranked: readonly RankedUnit[];
  /** What another document says otherwise; none of an older one of the same series. */
  readonly others: readonly RankedUnit[];
}

/** Units that may say the same, from the top of the ranking, and other documents that are shown; set by hand. */
const maxRanked = 60;
const maxOthers = 1;
/** Share of the words of either sentence that the other has, figures apart. Set by hand. */
const sameShare = 0.8;
/** Where the question says which, or asks for what was: "in 2024", "the previous treasurer". */
export const saysWhen =
  /(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\p{L})(?:was|were|before|previous(?:ly)?|former(?:ly)?|used to|last year|war|waren|vorher|früher|ehemalige[rsnm]?|était|avant|ancien(?:ne)?|era|fue|antes|anterior)(?!\p{L})/iu;

/** The units of a ranking, the newest of those that say the same as its first before the others. */
export function newestFirst({ asked, language }: AnalysedQuestion, ranked: readonly RankedUnit[]): NewestFirst {
  const [best] = ranked;
  if (best === undefined || saysWhen.test(asked)) return { ranked, others: [] };
  const date = dateOf(best);
  if (date === undefined) return { ranked, others: [] };
  const same = ranked.slice(0, maxRanked).flatMap((each) => {
    const its = dateOf(each);
    return its !== undefined && its !== date && saysTheSame(best, each, language) ? [{ each, date: its }] : [];
  });
  if (same.length === 0) return { ranked, others: [] };
  const months = monthsIn(asked);
  const all = [{ each: best, date }, ...same];
  const ofMonth = all.filter((each) => months.has(Math.floor(each.date / 100) % 100));
  const inOrder = (ofMonth.length > 0 ? ofMonth : all).sort((a, b) => b.date - a.date);
  const newest = inOrder[0]!.each;
  const others = inOrder
    .slice(1)
    .filter(({ each }) => each.source.url !== newest.source.url)
    .filter(({ each }) => each.unit.text !== newest.unit.text && seriesOf(each.source) !== seriesOf(newest.source))
    .slice(0, maxOthers)
    .map(({ each }) => each);
  return { ranked: [newest, ...ranked.filter((each) => each !== newest)], others };
}

/** "in January", "de mars", "March's", "June 2025"; June Moon is a person, and "may" a verb. */
const monthNamed =
  /(?<=(?<!\p{L})(?:in|of|for|from|since|during|im|vom|für|en|de|du|del|di)\s(?:last\s|this\s)?)(?!may(?!\p{L}))\p{L}{3,}(?!\s\p{Lu})|(?<!\p{L})(?!may(?!\p{L}))\p{L}{3,}(?=['’]s|\s\d)/gu;

/** The months that a question names: of the minutes of January and March, "Who was absent in January?" asks for those of January. */
function monthsIn(asked: string): ReadonlySet<number | undefined> {
  const names = asked.match(monthNamed) ?? [];
  return new Set(names.map((name) => monthNumbers.get(name.toLowerCase())));
}

/** That of the heading above a unit, "Prices 2025", or of its document. */
function dateOf({ unit, source }: RankedUnit): number | undefined {
  return dateIn(unit.section) ?? documentDate(source);
}

function saysTheSame(
  { unit }: RankedUnit,
  { unit: other }: RankedUnit,
  language: AnalysedQuestion['language'],
): boolean {
  if (unit.kind !== other.kind) return false;
  if (unit.kind === 'row') return unit.header === other.header && cellsOf(unit.text)[0] === cellsOf(other.text)[0];
  const [label, otherLabel] = [unit, other].map(({ text }) => /^(\p{Lu}[^:.!?]{0,40}): /u.exec(text)?.[1]);
  if (label !== undefined || otherLabel !== undefined) return label === otherLabel;
  const [one, two] = [stemsOf(unit, language), stemsOf(other, language)];
  const shared = [...one].filter((stem) => two.has(stem)).length;
  return shared >= sameShare * Math.max(one.size, two.size) && shared > 1;
}

/** The stems of the words of a sentence without figures and, but in German, names. */
function stemsOf({ words }: RankedUnit['unit'], language: AnalysedQuestion['language']): ReadonlySet<string> {
  const isName = (at: number) => at > 0 && language !== 'de' && words[at]!.capital;
  return new Set(words.flatMap(({ stem, digits }, at) => (digits || isName(at) ? [] : [stem])));
}
