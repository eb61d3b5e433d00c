/**
 * Learns whether evidence answers a question: from questions with their evidence, from some of them without the article
 * that answers, and from questions that no page answers.
 */
import { type Forest, logOddsOf } from '../../src/base/learned/boosted-trees.ts';
import { bin } from './bins.ts';
import { boostOften } from './boost.ts';
import type { Trial } from './trial.ts';

// Set by hand.
/** Share of the answerable questions that may be refused. */
const maxRefused = 0.025;
const options = { trees: 100, leaves: 8, rate: 0.1, leafWeight: 8, l2: 5, groupShare: 0.7, featureShare: 0.2, seed: 1 };
const draws = 3;
/** Weights of a question without the article that answers it, and of one that no page answers. */
const withoutAnswerWeight = 2;
const unanswerableWeight = 2.5;

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
 * A forest for the log odds that evidence answers, shifted so that 0 refuses the accepted share of answerable questions.
 * The shift comes from forests that were trained without the article, since a forest is overconfident about its own data.
 */
export function learnAnswerability(trials: readonly FoldedTrial[]): Forest {
  const examples = trials.flatMap(({ answerable, features, withoutAnswer, fold }, question): Example[] => [
    ...(features === undefined
      ? []
      : [{ row: features, yes: answerable, weight: answerable ? 1 : unanswerableWeight, fold, question }]),
    ...(withoutAnswer === undefined
      ? []
      : [{ row: withoutAnswer, yes: false, weight: withoutAnswerWeight, fold, question }]),
  ]);
  const odds = [...new Set(trials.map(({ fold }) => fold))].flatMap((fold) => {
    const forest = grow(examples.filter((example) => example.fold !== fold));
    return examples.filter((example) => example.fold === fold && example.yes).map(({ row }) => logOddsOf(forest, row));
  });
  const threshold = odds.sort((a, b) => a - b)[Math.floor(maxRefused * odds.length)]!;
  const { trees } = grow(examples);
  return { trees: [...trees, { nodes: [], leaves: [Number((-threshold).toPrecision(4))] }] };
}

function grow(examples: readonly Example[]): Forest {
  const rows = Uint32Array.from(examples.keys());
  const binned = bin(examples[0]!.row.length, examples.length, (row, sign) => examples[row]!.row[sign]!);
  const labels = examples.map(({ yes }) => Number(yes));
  const weights = examples.map(({ weight }) => weight);
  const groups = examples.map(({ question }) => question);
  return boostOften(binned, { labels, weights, groups }, rows, options, draws);
}
