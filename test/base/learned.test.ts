/** Trees and networks are evaluated from typed arrays: bit for bit as their plain form is read, so no answer depends on how. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Forest, logOddsOf } from '../../src/base/learned/boosted-trees.ts';
import { type Mlp, maxDeviations, runMlp } from '../../src/base/learned/mlp.ts';
import { weights } from '../../src/model/extractive/rank/weights.ts';

const row = (length: number) =>
  fc.array(fc.double({ min: -20, max: 20, noNaN: true }), { minLength: length, maxLength: length });

/** As the comments of the formats say. */
function walk({ trees }: Forest, features: readonly number[]): number {
  return trees.reduce((sum, { nodes, leaves }) => {
    let at = nodes.length === 0 ? -1 : 0;
    while (at >= 0) {
      const [feature = 0, threshold = 0, left = 0, right = 0] = nodes.slice(4 * at, 4 * at + 4);
      at = features[feature]! <= threshold ? left : right;
    }
    return sum + leaves[-at - 1]!;
  }, 0);
}

function multiply({ mean, scale, layers }: Mlp, input: readonly number[]): number {
  const standard = input.map((value, i) => (value - mean[i]!) * scale[i]!);
  let values = standard.map((value) => Math.max(-maxDeviations, Math.min(maxDeviations, value)));
  layers.forEach((layer, depth) => {
    const width = layer.bias.length;
    const sums = layer.bias.map((bias, j) =>
      values.reduce((sum, value, i) => sum + value * layer.weights[i * width + j]!, bias),
    );
    values = depth === layers.length - 1 ? sums : sums.map(Math.tanh);
  });
  return values[0]!;
}

describe('the learned models', () => {
  it('returns the same log odds as the nodes of the trees, for any features', () => {
    const features = 1 + Math.max(...weights.trees.trees.flatMap(({ nodes }) => nodes.filter((_, i) => i % 4 === 0)));
    fc.assert(
      fc.property(row(features), (input) => {
        expect(logOddsOf(weights.trees, input)).toBe(walk(weights.trees, input));
      }),
    );
  });

  it('returns the sum of leaves for trees without nodes', () => {
    const forest = { trees: [0.25, -1].map((leaf) => ({ nodes: [], leaves: [leaf] })) };
    expect(logOddsOf(forest, [])).toBe(-0.75);
  });

  it('counts a tree that is added while the forest is trained', () => {
    const trees = [{ nodes: [0, 1, -1, -2], leaves: [3, 5] }];
    expect(logOddsOf({ trees }, [2])).toBe(5);
    const forest = { trees };
    expect(logOddsOf(forest, [0])).toBe(3);
    trees.push({ nodes: [0, 1, -1, -2], leaves: [10, 20] });
    expect(logOddsOf(forest, [0])).toBe(13);
  });

  it('returns the same output of networks as their weights, for any input', () => {
    const [mlp] = weights.rank;
    fc.assert(
      fc.property(row(mlp!.mean.length), (input) => {
        expect(runMlp(mlp!, input)).toBe(multiply(mlp!, input));
      }),
    );
  });
});
