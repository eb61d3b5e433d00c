/**
 * Ranks the units of a small corpus, a document or a few, on top of the general scores. A small corpus says a thing once, in words
 * that the question need not share: synonyms count, in the unit, in its headings and labels and in the sentences beside it, and so
 * does whether the unit has what is asked for, a price for "how much". What else the corpus contains tells little. Trained by
 * tools/training/small/train-small.ts.
 */
import { type Mlp, runMlp } from '../../../base/learned/mlp.ts';
import { coverage, mergeInto, scaled, shareFound } from '../match/coverage.ts';
import { answerStrength, createEverydayMatcher } from '../match/everyday.ts';
import { createOppositeCheck } from '../match/particles.ts';
import { raiseSameDay } from '../match/same-day.ts';
import { createTermMatcher, plainStems, type Strengths } from '../match/term-matcher.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { hasAskedCell, hasFocusCell } from '../question/asked-column.ts';
import { readAskedForm } from '../question/asked-form.ts';
import { kindAskedFor, pricedThings, saysOnlyAsVerb, thingAskedFor } from '../question/asked-thing.ts';
import { type ValueType, valueAskedBy, valueTypes } from '../question/asked-value.ts';
import { fileNameOf } from '../text/document-date.ts';
import { readPassage, type Source } from '../text/passages.ts';
import { readWords } from '../text/words.ts';
import { createContraryCheck, languageAskedFor, markEarlier, markOthers } from './contrary.ts';
import type { Candidate } from './features.ts';
import learned from './few-pages-weights.json' with { type: 'json' };
import { readLabels } from './labels.ts';
import { createRowCheck } from './named-rows.ts';
import { markRivals } from './rivals.ts';

/** What is known of the units of one small corpus about one question; the arrays are in the order of the candidates. */
export interface FewPages {
  readonly type: ValueType | undefined;
  /** Inputs of the ranking, one row for each unit. */
  readonly rows: readonly (readonly number[])[];
  readonly details: ReadonlyMap<Candidate, Detail>;
  /** The weight of each term of the question: less if many units have it. */
  readonly weights: readonly number[];
}

interface Detail {
  /** Strengths with synonyms, of the unit and of the title, headings and label above it. */
  readonly wide: Strengths;
  readonly above: Strengths;
  /** The same of the units before and after it below the same heading. */
  readonly beside: Strengths;
  /** Values of the asked type that the question does not have itself. */
  readonly values: number;
  /** Whether it cannot answer: it has no value of the asked form, or does not speak of the thing that is asked after. */
  readonly isWanting: boolean;
  /** Whether it is about something else for certain. */
  readonly isContrary: boolean;
  /** Whether it is a row of a table whose first cell is in the question word for word: "No sound". */
  readonly isNamed: boolean;
}

export interface FewPagesWeights {
  readonly rank: Mlp;
  readonly answerability: Mlp;
}

/** Passages and pages below which evidence is all that a small corpus has; a larger index fills any search. Set by hand. */
const few = { passages: 10, pages: 6 };
/** Share of the passages of a folder of everyday documents that look like it: 0.9 do, and 0.13 of encyclopedia articles. Set by hand. */
const minEverydayShare = 0.5;
/** Types whose values are not recognised as surely as those of the others, which all look alike. */
const vague: ReadonlySet<ValueType> = new Set<ValueType>(['person', 'place', 'reason', 'permission']);
/** The other types. */
export const precise: ReadonlySet<ValueType> = new Set(valueTypes.filter((type) => !vague.has(type)));
const pronoun = /^(?:He|She|It|Er|Sie|Es|Il|Elle|Él|Ella)\s/;
/** What a neighbour's words are credited with, as a share of a unit's own. Set by hand. */
const neighbourShare = 0.7;

/** The learned weights: `replaceFewPagesWeights` sets others. */
export const fewPagesWeights = { ...learned } as FewPagesWeights;

/** Replaces the weights for the rest of the process: for training only. */
export function replaceFewPagesWeights(replacement: FewPagesWeights): void {
  Object.assign(fewPagesWeights, replacement);
}

/** Whether passages are from a corpus of a document or a few, as their index says or their number suggests. */
export function hasFewPages(sources: readonly Pick<Source, 'url' | 'corpusSize'>[]): boolean {
  if (sources.length > 0 && sources.every(({ corpusSize }) => corpusSize === 'small')) return true;
  return sources.length < few.passages && new Set(sources.map(({ url }) => url)).size < few.pages;
}

/**
 * Whether passages are read as those of a few pages: of these, or of a folder of everyday documents, which say a thing once as well, in
 * words of their own. In a folder of articles about subjects, whose names are the words of a question, the general ranking is better.
 */
export function readsAsFewPages(sources: readonly Source[]): boolean {
  if (hasFewPages(sources)) return true;
  if (sources.length === 0 || !sources.every(({ corpusSize }) => corpusSize !== undefined)) return false;
  return sources.filter((source) => readPassage(source).everyday).length > minEverydayShare * sources.length;
}

/** Scores of the units, on the scale of logits, by their reading. */
export function scoreFewPages({ rows }: FewPages): number[] {
  return rows.map((row) => runMlp(fewPagesWeights.rank, row));
}

/** Reads all units of a small corpus; `scores` are the general ones. */
export function readFewPages(
  question: AnalysedQuestion,
  candidates: readonly Candidate[],
  scores: readonly number[],
): FewPages {
  const matcher = createTermMatcher(question);
  const type = valueAskedBy(question.text);
  const asked = readAskedForm(question.text, question.language !== undefined);
  // A telephone number is seldom called one.
  const existing = question.language === undefined && type !== 'contact' ? thingAskedFor(question.text) : undefined;
  const thing = question.terms.findIndex(({ stem }) => stem === existing);
  const nothing = new Float32Array(question.terms.length);
  const saysOpposite = createOppositeCheck(question.text);
  const isContrary = createContraryCheck(question);
  const language = languageAskedFor(question);
  const isNamed = createRowCheck(question.text);
  const raise = createEverydayMatcher(question);
  const readWidely = (stems: Iterable<string>, exact: Strengths) =>
    raise(stems, matcher.readWithSynonyms(stems, exact));
  const wide = candidates.map(({ unit, own }) =>
    raise(plainStems(unit.words), matcher.readTextWithSynonyms(unit, own)),
  );
  /** Whether a unit begins with a word for what the one before it is about. */
  const refersBack = ({ unit, source }: Candidate, before: Candidate | undefined) =>
    pronoun.test(unit.text) && before?.source === source && before.unit.block === unit.block;
  candidates.forEach((candidate, i) => {
    // "It is serviced every September" is about the boiler of the sentence before it.
    if (!refersBack(candidate, candidates[i - 1])) return;
    wide[i] = mergeInto(wide[i]!.slice(), scaled(wide[i - 1]!, neighbourShare));
  });
  const texts = candidates.map(({ unit }) => unit.text);
  raiseSameDay(question, texts, wide);
  const sections = candidates.map(({ unit }) => readWidely(unit.sectionStems, matcher.read(unit.sectionStems)));
  const labels = readLabels(candidates);
  const labelled = labels.map((label) => (label === undefined ? nothing : wide[label]!));
  const labelIndexes = new Set(labels);
  const above = candidates.map(({ passage, around }, i) => {
    const stems = [...passage.headingStems, ...passage.titleStems];
    return mergeInto(mergeInto(readWidely(stems, around), sections[i]!), labelled[i]!);
  });
  const valuesOf: number[] = [];
  candidates.forEach((candidate, i) => {
    const { unit } = candidate;
    const stated = asked?.count(unit.text, unit.kind === 'row') ?? 0;
    const isBelow =
      unit.kind === 'row' &&
      (hasAskedCell(type, unit.header, unit.text) || hasFocusCell(question, unit.header, unit.text));
    // "She does the visits" names somebody if the sentence before it does.
    const isOfBefore = type === 'person' && refersBack(candidate, candidates[i - 1]);
    valuesOf.push(stated > 0 ? stated : isBelow ? 1 : isOfBefore ? valuesOf[i - 1]! : 0);
  });
  const isBeside = (one: Candidate, other: Candidate | undefined) =>
    other !== undefined && other.source === one.source && other.unit.section === one.unit.section;
  const details = candidates.map((candidate, i): Mutable<Detail> & { before: Strengths; after: Strengths } => {
    const before = isBeside(candidate, candidates[i - 1]) ? wide[i - 1]! : nothing;
    const after = isBeside(candidate, candidates[i + 1]) ? wide[i + 1]! : nothing;
    const { unit } = candidate;
    const isOther = isContrary(unit);
    const values = valuesOf[i]!;
    const isSilent =
      (thing >= 0 &&
        above[i]![thing] === 0 &&
        (wide[i]![thing] === 0 || saysOnlyAsVerb(unit.text, question.terms[thing]!.stem))) ||
      (language >= 0 && candidate.own[language] === 0 && candidate.around[language] === 0);
    return {
      wide: wide[i]!,
      above: above[i]!,
      before,
      after,
      beside: mergeInto(before.slice(), after),
      values,
      isWanting:
        (asked?.isRequired === true && values === 0 && !asked.isOther(unit.text)) ||
        isSilent ||
        saysOpposite(unit.text) ||
        isOther,
      isContrary: isOther,
      isNamed: unit.kind === 'row' && isNamed(unit.text, values > 0 && isListed(type)),
    };
  });

  markOthers(question, details);
  markEarlier(question, details);
  markRivals(question, candidates, details);
  const priced = type === 'money' ? pricedThings(question.asked, question.language) : [];
  const fileStems = new Set(
    [...new Set(candidates.map(({ source }) => fileNameOf(source)))].flatMap((name) =>
      readWords(name, question.language).map(({ stem }) => stem),
    ),
  );
  const isSaid = (term: number) =>
    fileStems.has(question.terms[term]!.stem) || details.some((each) => each.wide[term]! > 0 || each.above[term]! > 0);
  if (question.terms.some(({ stem }, term) => priced.includes(stem) && !isSaid(term)))
    for (const each of details) each.isWanting = true;
  const kinds = existing === undefined ? [] : kindAskedFor(question.asked);
  const isSurelySaid = (term: number) =>
    details.some((each) => each.wide[term]! > answerStrength || each.above[term]! > answerStrength);
  if (question.terms.some(({ stem }, term) => kinds.includes(stem) && !isSurelySaid(term)))
    for (const each of details) each.isWanting = true;
  const terms = [...question.terms.keys()];
  /** Other words for a term count in part, or many free ones would make a term common that is itself said once. */
  const rarer = (of: readonly Strengths[]) =>
    terms.map((term) => {
      const count = of.reduce((sum, each) => sum + each[term]!, 0);
      return question.terms[term]!.weight * (rarity(count, of.length) + 0.1);
    });
  const termWeights = rarer(wide);
  const cover = coverage(termWeights);
  const coverExact = coverage(rarer(candidates.map(({ own }) => own)));
  const rarest = termWeights.indexOf(Math.max(...termWeights));
  const valued = details.filter(({ values }) => values > 0).length;
  const valueRarity = rarity(valued, candidates.length);
  const covers = wide.map((each) => cover(each));
  const wholes = wide.map((each, i) => cover(each, above[i]!));
  const best = Math.max(0, ...covers);
  const bestWhole = Math.max(0, ...wholes);

  const focus = focusTermsOf(question);
  const rows = candidates.map(({ unit, own, features }, i) => {
    const { before, after, values } = details[i]!;
    const has = values > 0 ? 1 : 0;
    const of = (...types: readonly ValueType[]) => (type !== undefined && types.includes(type) ? has : 0);
    return [
      scores[i]!,
      coverExact(own),
      covers[i]!,
      wholes[i]!,
      covers[i] === best ? 1 : 0,
      wholes[i] === bestWhole ? 1 : 0,
      cover(sections[i]!, labelled[i]!),
      labelIndexes.has(i) ? 1 : 0,
      cover(labelled[i]!),
      cover(wide[i]!, scaled(before, neighbourShare), above[i]!),
      cover(before),
      cover(after),
      wide[i]![rarest] ?? 0,
      above[i]![rarest] ?? 0,
      of(...precise),
      of(...precise) * valueRarity,
      of('money'),
      of('duration', 'clock', 'day'),
      of('person'),
      of('place'),
      of('reason'),
      of('permission'),
      has * covers[i]!,
      has * wholes[i]!,
      unit.kind === 'row' ? 1 : 0,
      unit.kind === 'item' ? 1 : 0,
      unit.kind === 'code' ? 1 : 0,
      /[:?]$/.test(unit.text) ? 1 : 0,
      unit.dependsOnContext ? 1 : 0,
      Math.min(1, unit.words.length / 40),
      unit.words.length < 5 ? 1 : 0,
      features.typedAmong,
      features.close,
      features.phrases,
      features.novel,
      features.first,
      focus.length === 0 ? 0 : shareFound(focus, wide[i]!),
      of('count') * shareFound(focus, wide[i]!),
      of('count') * shareFound(focus, above[i]!),
      type === 'count' || type === undefined ? shareFound(focus, wide[i]!, above[i]!) : 0,
    ];
  });
  return {
    type,
    rows,
    weights: termWeights,
    details: new Map(candidates.map((each, i) => [each, details[i]!])),
  };
}

/** Whether the rows of a table are named by what has such a value: a price by a service, somebody by a trade. */
function isListed(type: ValueType | undefined): boolean {
  return type === 'person' || (type !== undefined && precise.has(type));
}

type Mutable<One> = { -readonly [Key in keyof One]: One[Key] };

/** The terms that name what is asked for, "passengers" of "How many passengers …". */
export function focusTermsOf({ terms, focus }: AnalysedQuestion): number[] {
  return terms.flatMap(({ stem }, term) => (focus.includes(stem) ? [term] : []));
}

/** 1 for something that hardly any of `of` units has, near 0 for what all have. */
function rarity(count: number, of: number): number {
  return Math.log((of + 1) / (count + 0.5)) / Math.log(of + 2);
}
