/**
 * What documents of several dates say of the same thing: "Treasurer: Ada Collins" in the minutes of one year and "Treasurer: Carys Moon"
 * in those of the next. The newest of them answers.
 */
import { monthAlone, months } from '../../../base/text/dates/months.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { ValueType } from '../question/asked/asked-value.ts';
import { cellsOf } from '../text/cells.ts';
import { dateIn, documentDate, seriesOf } from '../text/document-date.ts';
import { stemOf } from '../text/words.ts';
import type { RankedUnit } from './rank.ts';
import { saysAnyChange, statedChange } from './stated-change.ts';

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
export function newestFirst(question: AnalysedQuestion, ranked: readonly RankedUnit[]): NewestFirst {
  const [best] = ranked;
  const { asked, language } = question;
  if (best === undefined || saysWhen.test(asked)) return { ranked, others: [] };
  const changed = ranked.slice(0, maxRanked).find((each) => changes(question, best, each));
  if (changed !== undefined) return { ranked: [changed, ...ranked.filter((each) => each !== changed)], others: [] };
  const date = dateOf(best);
  if (date === undefined) return { ranked, others: [] };
  const same = ranked.slice(0, maxRanked).flatMap((each) => {
    const its = dateOf(each);
    // "Present: Ada Collins (treasurer)" is not said by "Present: Carys Moon", for the question who the treasurer is.
    const isAsked = best.own.every((strength, term) => strength === 0 || each.own[term]! > 0);
    const isSame = its !== undefined && its !== date && isAsked && saysTheSame(best, each, language);
    return isSame ? [{ each, date: its }] : [];
  });
  if (same.length === 0) return { ranked, others: [] };
  const named = monthsIn(asked);
  const all = [{ each: best, date }, ...same];
  const ofMonth = all.filter((each) => named.has(Math.floor(each.date / 100) % 100));
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
  return new Set(names.map(monthAlone));
}

/** That of the heading above a unit, "Prices 2025", or of its document. */
function dateOf({ unit, source }: RankedUnit): number | undefined {
  return dateIn(unit.section) ?? documentDate(source);
}

/** What any event does, which the text that moves it need not say. */
const eventVerbs: ReadonlySet<string> = new Set(
  'start begin take place open happen end held hold plan schedule due'.split(' ').map(stemOf),
);
/** What a change has to have, where a value of the type may be another one: a day for a time of the day, or for a place. */
const ofChange: Readonly<Partial<Record<ValueType, RegExp>>> = {
  day: /./,
  clock:
    /\d[:.]\d\d|\d ?(?:[ap]\.?m\b|o'clock|uhr|h(?!\p{L}))|(?<!\p{L})(?:noon|midday|midnight|evening|morning|afternoon)/iu,
  place: new RegExp(
    String.raw`(?<!\p{L})(?:to|in|into|at) (?:the |our )?(?!(?:${months.join('|')})(?!\p{L}))\p{L}{3}`,
    'iu',
  ),
};

/** A year that is that of the new day, "to 27 June 2026"; in any other place it may be that of the change. */
const ofNewDay =
  /(?<!\p{L})(?:to|until|auf|au|al|a) (?:the |den |le |el |\p{L}+day,? )*(?:(?:\d{1,2}(?:st|nd|rd|th|\.|er)? (?:of |de )?)?\p{L}{3,10}\.?(?: \d{1,2}(?:st|nd|rd|th)?,?)? (?:de )?|)(?:19|20)\d\d(?!\d)/iu;

/** Whether a sentence is of a year before that of another, or may be. */
function isOfPast({ text }: RankedUnit['unit'], best: RankedUnit): boolean {
  const years = text.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g)?.map(Number) ?? [];
  if (years.length === 0) return false;
  const day = dateIn(best.unit.text) ?? dateOf(best);
  return day === undefined ? !ofNewDay.test(text) : Math.max(...years) < Math.floor(day / 10_000);
}

/** Whether another unit says that what the best one says of an event has changed; not that of an older document. */
function changes({ terms, language }: AnalysedQuestion, best: RankedUnit, other: RankedUnit): boolean {
  const { type, details } = best.fewPages ?? {};
  const needed = type === undefined ? undefined : ofChange[type];
  if (other === best || needed === undefined) return false;
  const named = terms.flatMap(({ stem }, term) => (best.own[term]! > 0 && !eventVerbs.has(stem) ? [term] : []));
  if (named.length === 0 || !named.every((term) => other.own[term]! > 0)) return false;
  const stems = new Set(named.map((term) => terms[term]!.stem));
  const change = statedChange(other.unit.text, language, ({ stem }) => stems.has(stem));
  if (change === undefined || saysAnyChange(best.unit.text) || isOfPast(other.unit, best)) return false;
  const [date, its] = [dateOf(best), dateOf(other)];
  if (date !== undefined && (its === undefined || its < date)) return false;
  return change.isOff || (details!.get(other)!.values > 0 && needed.test(other.unit.text));
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
