/**
 * Trains how answers are found in few pages and when they are refused, and prints how answers from small corpora score:
 * `node --import tsx tools/training/small/train-small.ts [--write]`. The corpora are those of bench/questions/small.ts. Takes some
 * minutes; the same corpora result in the same weights.
 *
 * Cross-validation with five folds by corpus: nothing of a corpus is in the weights that are evaluated on it. A question counts
 * as open where the documents do not say, and where the units that answer it are blanked out; so does one that is asked of the
 * documents of another corpus.
 */
import { writeFile } from 'node:fs/promises';
import { readSmallCorpora } from '../../../bench/questions/small.ts';
import { type AnsweredSmall, scoreColumns, scoresOf } from '../../../bench/small.ts';
import { formatTable } from '../../../bench/support/table.ts';
import { type Mlp, runMlp } from '../../../src/base/learned/mlp.ts';
import { compose } from '../../../src/model/extractive/answer/compose.ts';
import type { AnalysedQuestion } from '../../../src/model/extractive/question/analyse.ts';
import { answerability } from '../../../src/model/extractive/rank/answerability.ts';
import { fewPagesFeatures, isBestDisqualified } from '../../../src/model/extractive/rank/few-pages/odds.ts';
import { type FewPagesWeights, replaceFewPagesWeights } from '../../../src/model/extractive/rank/few-pages/weights.ts';
import { type RankedUnit, rankUnits } from '../../../src/model/extractive/rank/rank.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';
import { learnLogit } from '../logit.ts';
import { type Asked, askSmallCorpora, foldCount, says } from './ask-corpora.ts';
import { learnRanking, type RankingSample } from './learn-ranking.ts';

/**
 * Share of the answerable questions that may be refused, those without evidence or with none of the asked form among them; set by
 * hand.
 */
const maxRefused = 0.06;
/**
 * Weights of a question that the documents answer (less if the first unit does not), of one that they leave open, of one whose
 * answer is blanked out and of one that is asked of the documents of another corpus. Set by hand.
 */
const sampleWeights = { answered: 1, wrong: 0.5, open: 2, blanked: 0.5, strange: 0.2 };
/** Shares of wrongly refused questions for which the rightly refused ones and the right first units are printed. */
const shownShares = [0.02, 0.04, 0.06, 0.08, 0.1, 0.15];
/** Share of the words of a unit that answers which another must have of the labelled sentence to answer as well. */
const sameSentence = 0.7;
/** How much a unit answers that has the expected words by chance. */
const byChance = 0.3;

interface Trial extends Asked {
  /** What the answer would be, and whether its first unit is right. */
  readonly composed: string;
  readonly isRight: boolean;
  /** Undefined without evidence, and where the best unit lacks what any answer must have: both are always refused. */
  readonly features: readonly number[] | undefined;
  readonly blankedFeatures: readonly number[] | undefined;
  readonly strangeFeatures: readonly (readonly number[])[];
}

async function trainSmall([write]: string[]): Promise<void> {
  const asked = await askSmallCorpora(readSmallCorpora());
  const samples = asked.map(toSample);
  const rankingWithout = (fold: number | undefined) =>
    learnRanking(samples.filter((_, at) => asked[at]!.fold !== fold && asked[at]!.answers !== undefined));
  const none = linear(1);
  // Each question is tried with a ranking that was learned without its corpus.
  const trials = Array.from({ length: foldCount }, (_, fold) => fold).flatMap((fold) => {
    replaceFewPagesWeights({ rank: rankingWithout(fold), answerability: none });
    return asked.filter((each) => each.fold === fold).map(tryOut);
  });
  const answered = trials.map((trial): AnsweredSmall => {
    const odds = learnOdds(trials, trial.fold);
    return { ...trial, answer: trial.features !== undefined && runMlp(odds, trial.features) > 0 ? trial.composed : '' };
  });
  process.stdout.write(`${formatTable(scoreColumns, [scoresOf('five folds by corpus', answered)])}\n`);
  process.stdout.write(`${describeOdds(trials)}\n`);
  if (write !== '--write') return;
  const target = new URL('../../../src/model/extractive/rank/few-pages/weights.json', import.meta.url);
  const weights: FewPagesWeights = { rank: rounded(rankingWithout(undefined)), answerability: learnOdds(trials) };
  await writeFile(target, JSON.stringify(weights));
  process.stdout.write('written\n');
}

/** How well the odds tell questions that the documents leave open from others, in folds. */
function describeOdds(trials: readonly Trial[]): string {
  const judged = trials.map((trial) => ({
    ...trial,
    odds:
      trial.features === undefined ? Number.NEGATIVE_INFINITY : runMlp(learnOdds(trials, trial.fold), trial.features),
  }));
  const oddsOf = (some: typeof judged) => some.map(({ odds }) => odds).sort((a, b) => a - b);
  const answerable = oddsOf(judged.filter(({ answers }) => answers !== undefined));
  const right = oddsOf(judged.filter(({ answers, isRight }) => answers !== undefined && isRight));
  const open = oddsOf(judged.filter(({ answers }) => answers === undefined));
  const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
  const refused = shownShares.map((share) => {
    const threshold = answerable[Math.floor(share * answerable.length)]!;
    const kept = right.filter((odds) => odds >= threshold).length / answerable.length;
    return `${percent(share)} → ${percent(open.filter((odds) => odds < threshold).length / open.length)} (${percent(kept)})`;
  });
  return [
    `first unit right: ${percent(right.length / answerable.length)}`,
    `area under the curve, right answers and open questions: ${areaUnder(right, open).toFixed(3)}`,
    `the same, all that the documents answer: ${areaUnder(answerable, open).toFixed(3)}`,
    `wrongly refused → rightly refused (right first units that stay): ${refused.join(', ')}`,
  ].join('\n');
}

/** The share of pairs in which the first has more; half of those that are even. */
function areaUnder(more: readonly number[], less: readonly number[]): number {
  const wins = more.reduce((sum, a) => sum + less.reduce((won, b) => won + (a > b ? 1 : a === b ? 0.5 : 0), 0), 0);
  return wins / (more.length * less.length);
}

/** The units of a question in the order of the documents, and how well each answers. */
function toSample({ analysed, sources, answers = [], sentence = '' }: Asked): RankingSample {
  const ranked = rankUnits(analysed, sources);
  const pages = ranked[0]?.fewPages;
  if (pages === undefined) return { rows: [], gold: [] };
  const units = [...pages.details.keys()].map(({ unit }) => unit);
  const labelled = new Set(wordsOf(sentence));
  const shared = units.map(({ text }) =>
    says(text, answers) ? wordsOf(text).filter((word) => labelled.has(word)).length : -1,
  );
  const most = Math.max(...shared);
  const gold = shared.map((count) => (count < 0 ? 0 : count >= sameSentence * most ? 1 : byChance));
  return { rows: pages.rows, gold };
}

/** Answers a question, whether or not it is answerable. */
function tryOut(asked: Asked): Trial {
  const { analysed, sources, blanked, strange, answers = [] } = asked;
  const ranked = rankUnits(analysed, sources);
  const featuresOf = (from: readonly Source[]) => readFeatures(analysed, rankUnits(analysed, from));
  return {
    ...asked,
    composed: ranked.length === 0 ? '' : compose(analysed, ranked).join(''),
    isRight: ranked.length > 0 && says(ranked[0]!.unit.text, answers),
    features: readFeatures(analysed, ranked),
    blankedFeatures: blanked && featuresOf(blanked),
    strangeFeatures: strange.flatMap((from) => {
      const features = featuresOf(from);
      return features === undefined ? [] : [features];
    }),
  };
}

function readFeatures(question: AnalysedQuestion, ranked: readonly RankedUnit[]): number[] | undefined {
  const pages = ranked[0]?.fewPages;
  if (pages === undefined || question.terms.length === 0) return undefined;
  if (isBestDisqualified(ranked, pages)) return undefined;
  return fewPagesFeatures(question, ranked, pages, answerability(question, ranked));
}

const learned = new Map<number, Mlp>();

/**
 * The log odds that the documents answer, shifted so that 0 refuses the accepted share of answerable questions. The shift
 * comes from weights that were learned without the corpus.
 */
function learnOdds(trials: readonly Trial[], without?: number): Mlp {
  const known = without === undefined ? undefined : learned.get(without);
  if (known !== undefined) return known;
  const others = trials.filter(({ fold }) => fold !== without);
  const folds = [...new Set(others.map(({ fold }) => fold))];
  const odds = folds.flatMap((fold) => {
    const weights = fitOdds(others.filter((trial) => trial.fold !== fold));
    return others.flatMap(({ fold: own, answers, features }) =>
      own === fold && answers !== undefined
        ? [features === undefined ? Number.NEGATIVE_INFINITY : runMlp(weights, features)]
        : [],
    );
  });
  const threshold = odds.sort((a, b) => a - b)[Math.floor(maxRefused * odds.length)]!;
  const { mean, scale, layers } = fitOdds(others);
  const [{ weights, bias }] = layers as [Mlp['layers'][number]];
  const shifted = rounded({ mean, scale, layers: [{ weights, bias: [bias[0]! - threshold] }] });
  if (without !== undefined) learned.set(without, shifted);
  return shifted;
}

function fitOdds(trials: readonly Trial[]): Mlp {
  const open = (rows: readonly (readonly number[])[], weight: number) =>
    rows.map((row) => ({ row, yes: false, weight }));
  return learnLogit(
    trials.flatMap(({ answers, isRight, features, blankedFeatures, strangeFeatures }) => [
      ...(features === undefined
        ? []
        : answers === undefined
          ? open([features], sampleWeights.open)
          : [{ row: features, yes: true, weight: isRight ? sampleWeights.answered : sampleWeights.wrong }]),
      ...open(blankedFeatures === undefined ? [] : [blankedFeatures], sampleWeights.blanked),
      ...open(strangeFeatures, sampleWeights.strange),
    ]),
  );
}

function rounded({ mean, scale, layers }: Mlp): Mlp {
  const round = (values: readonly number[]) => values.map((value) => Number(value.toPrecision(4)));
  return {
    mean: round(mean),
    scale: round(scale),
    layers: layers.map(({ weights, bias }) => ({ weights: round(weights), bias: round(bias) })),
  };
}

function linear(width: number): Mlp {
  const zeros = new Array<number>(width).fill(0);
  return { mean: zeros, scale: zeros, layers: [{ weights: zeros, bias: [0] }] };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

await trainSmall(process.argv.slice(2));
