/** Trains the forest that ranks units together with the networks, on the same lists. */
import type { Forest } from '../../src/base/learned/boosted-trees.ts';
import { bin } from './bins.ts';
import { boost } from './boost.ts';
import type { List } from './learn-mlp.ts';

const options = {
  trees: 150,
  leaves: 16,
  rate: 0.08,
  leafWeight: 5,
  l2: 10,
  groupShare: 0.7,
  featureShare: 0.3,
  seed: 1,
};

/** A forest whose score orders the candidates of a list. */
export function learnRankingTrees(lists: readonly List[]): Forest {
  const rows = lists.flatMap((list) => list.rows);
  const examples = {
    labels: Float64Array.from(lists.flatMap(({ right }) => right.map(Number))),
    weights: new Float64Array(rows.length).fill(1),
    groups: Int32Array.from(lists.flatMap((list, at) => list.rows.map(() => at))),
    ranked: true,
  };
  const binned = bin(rows[0]!.length, rows.length, (row, feature) => rows[row]![feature]!);
  return boost(binned, examples, Uint32Array.from(rows.keys()), options).forest;
}
