/** The inputs of the ranking of a small corpus: how much of a question each unit covers, with what is above and beside it. */
import { coverage, scaled, shareFound } from '../../match/coverage.ts';
import type { Strengths } from '../../match/term-matcher.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { preciseTypes, type ValueType } from '../../question/asked/asked-value.ts';
import type { Candidate } from '../features.ts';
import { type Detail, neighbourShare } from './details.ts';

export interface FewPagesFeatures {
  /** Inputs of the ranking, one row for each unit. */
  readonly rows: readonly (readonly number[])[];
  /** The weight of each term of the question: less if many units have it. */
  readonly weights: readonly number[];
}

/** `scores` are the general ones. */
export function readFewPagesFeatures(
  question: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
  scores: readonly number[],
  type: ValueType | undefined,
): FewPagesFeatures {
  const weights = weigh(
    question,
    details.map(({ wide }) => wide),
  );
  const cover = coverage(weights);
  const coverExact = coverage(
    weigh(
      question,
      candidates.map(({ own }) => own),
    ),
  );
  const rarest = weights.indexOf(Math.max(...weights));
  const valueRarity = rarity(details.filter(({ values }) => values > 0).length, details.length);
  const covers = details.map(({ wide }) => cover(wide));
  const wholes = details.map(({ wide, above }) => cover(wide, above));
  const best = Math.max(0, ...covers);
  const bestWhole = Math.max(0, ...wholes);
  const focus = focusTermsOf(question);
  const rows = candidates.map(({ unit, own, features }, i) => {
    const { wide, section, label, above, before, after, isLabel, values } = details[i]!;
    const has = values > 0 ? 1 : 0;
    const of = (...types: readonly ValueType[]) => (type !== undefined && types.includes(type) ? has : 0);
    return [
      scores[i]!,
      coverExact(own),
      covers[i]!,
      wholes[i]!,
      covers[i] === best ? 1 : 0,
      wholes[i] === bestWhole ? 1 : 0,
      cover(section, label),
      isLabel ? 1 : 0,
      cover(label),
      cover(wide, scaled(before, neighbourShare), above),
      cover(before),
      cover(after),
      wide[rarest] ?? 0,
      above[rarest] ?? 0,
      of(...preciseTypes),
      of(...preciseTypes) * valueRarity,
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
      focus.length === 0 ? 0 : shareFound(focus, wide),
      of('count') * shareFound(focus, wide),
      of('count') * shareFound(focus, above),
      type === 'count' || type === undefined ? shareFound(focus, wide, above) : 0,
    ];
  });
  return { rows, weights };
}

/** The terms that name what is asked for, "passengers" of "How many passengers …". */
export function focusTermsOf({ terms, focus }: AnalysedQuestion): number[] {
  return terms.flatMap(({ stem }, term) => (focus.includes(stem) ? [term] : []));
}

/** Other words for a term count in part, or many free ones would make a term common that is itself said once. */
function weigh({ terms }: AnalysedQuestion, texts: readonly Strengths[]): number[] {
  return terms.map(({ weight }, term) => {
    const count = texts.reduce((sum, each) => sum + each[term]!, 0);
    return weight * (rarity(count, texts.length) + 0.1);
  });
}

/** 1 for something that hardly any of `of` units has, near 0 for what all have. */
function rarity(count: number, of: number): number {
  return Math.log((of + 1) / (count + 0.5)) / Math.log(of + 2);
}
