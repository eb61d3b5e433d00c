/**
 * Whether the evidence answers at all, learned from questions with what is found for them, from some of the same with
 * their article taken away, and from questions that none of the pages answers.
 */
import { type Forest, logOddsOf } from '../../src/base/learned/boosted-trees.ts';
import { bin } from './bins.ts';
import { boostOften } from './boost.ts';
import type { Trial } from './trial.ts';

/** The share of questions with an answer that may be refused. */
const refusable = 0.025;
const lesson = { trees: 100, leaves: 8, rate: 0.1, leafWeight: 8, l2: 5, groupShare: 0.7, featureShare: 0.2, seed: 1 };
const draws = 3;
const weightOfAway = 2;
const weightOfOthers = 2.5;

/** A trial and the fold of its article. */
export interface FoldedTrial extends Trial {
  readonly fold: number;
}

interface Example {
  readonly row: Float32Array;
  readonly yes: boolean;
  readonly weight: number;
  readonly fold: number;
  readonly question: number;
}

/**
 * Log odds, moved so that 0 refuses just as many as may be. How many that are is told by forests that have not seen the
 * article: of what it was learned from a forest is too sure.
 */
export function learnAnswerability(trials: readonly FoldedTrial[]): Forest {
  const examples = trials.flatMap(({ answerable, signs, away, fold }, question): Example[] => [
    ...(signs === undefined
      ? []
      : [{ row: signs, yes: answerable, weight: answerable ? 1 : weightOfOthers, fold, question }]),
    ...(away === undefined ? [] : [{ row: away, yes: false, weight: weightOfAway, fold, question }]),
  ]);
  const odds = [...new Set(trials.map(({ fold }) => fold))].flatMap((fold) => {
    const forest = grow(examples.filter((example) => example.fold !== fold));
    return examples.filter((example) => example.fold === fold && example.yes).map(({ row }) => logOddsOf(forest, row));
  });
  const least = odds.sort((a, b) => a - b)[Math.floor(refusable * odds.length)]!;
  const { trees } = grow(examples);
  return { trees: [...trees, { nodes: [], leaves: [Number((-least).toPrecision(4))] }] };
}

function grow(examples: readonly Example[]): Forest {
  const rows = Uint32Array.from(examples.keys());
  const binned = bin(examples[0]!.row.length, examples.length, (row, sign) => examples[row]!.row[sign]!);
  const labels = examples.map(({ yes }) => Number(yes));
  const weights = examples.map(({ weight }) => weight);
  const groups = examples.map(({ question }) => question);
  return boostOften(binned, { labels, weights, groups }, rows, lesson, draws);
}
