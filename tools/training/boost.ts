/**
 * Gradient boosting of regression trees, for classification or ranking: histograms of at most 63 bins per feature, trees
 * grown leaf-wise by gain, Newton steps with L2 regularisation, groups of rows sampled for each tree, and features too.
 * J. H. Friedman, "Greedy function approximation", Annals of Statistics 29(5), 2001; G. Ke et al., "LightGBM", NIPS 2017.
 */

import { createRandom } from '../../bench/support/random.ts';
import type { Forest } from '../../src/base/learned/boosted-trees.ts';
import type { Binned } from './bins.ts';
import { type Examples, listwiseGradients, pointwiseGradients } from './gradients.ts';

export interface BoostOptions {
  readonly trees: number;
  readonly leaves: number;
  /** Learning rate. */
  readonly rate: number;
  /** Minimum sum of hessians in a leaf. */
  readonly leafWeight: number;
  readonly l2: number;
  /** Share of the groups, and of the features, that each tree is grown from. */
  readonly groupShare: number;
  readonly featureShare: number;
  readonly seed: number;
}

/** From the 20th tree on, rows with a small gradient are sampled one in four at four times their weight (Ke et al., GOSS). */
const settled = { after: 20, gradient: 0.03, drawn: 0.25 };

interface Leaf {
  rows: Uint32Array;
  sums: Float64Array;
  gradient: number;
  hessian: number;
  split: Split | undefined;
  /** Index into `nodes` of the parent's reference to it, or -1 for the root. */
  slot: number;
}

interface Split {
  readonly feature: number;
  readonly bin: number;
  readonly gain: number;
}

/** Trains on the rows `train`. Returns the forest and its scores for all rows, including those it was not trained on. */
export function boost(
  binned: Binned,
  examples: Examples,
  train: Uint32Array,
  options: BoostOptions,
): { forest: Forest; scores: Float64Array } {
  const random = createRandom(options.seed);
  const { labels, weights, groups } = examples;
  const computeGradients = examples.ranked === true ? listwiseGradients : pointwiseGradients;
  const scores = new Float64Array(binned.rows);
  const gradients = new Float64Array(binned.rows);
  const hessians = new Float64Array(binned.rows);
  const trees: Forest['trees'][number][] = [];
  const start = priorOf(train, labels, weights);
  scores.fill(start);
  trees.push({ nodes: [], leaves: [start] });
  const names = [...new Set(Array.from(train, (row) => groups[row]!))];
  for (let at = 0; at < options.trees; at += 1) {
    computeGradients(train, examples, scores, { gradients, hessians });
    const drawn = new Set(names.filter(() => random() < options.groupShare));
    const sample = train.filter((row) => {
      if (!drawn.has(groups[row]!)) return false;
      if (at < settled.after || Math.abs(gradients[row]!) > settled.gradient) return true;
      gradients[row]! /= settled.drawn;
      hessians[row]! /= settled.drawn;
      return random() < settled.drawn;
    });
    const features = binned.columns.map((_, f) => f).filter(() => random() < options.featureShare);
    const tree = grow(binned, sample, features, gradients, hessians, options);
    for (let row = 0; row < binned.rows; row += 1) scores[row]! += tree.leaves[leafOf(tree.bins, binned.columns, row)]!;
    trees.push({ nodes: tree.nodes, leaves: tree.leaves });
  }
  return { forest: { trees }, scores };
}

/** The mean of `draws` forests with different seeds, as one forest. */
export function boostOften(
  binned: Binned,
  examples: Examples,
  train: Uint32Array,
  options: BoostOptions,
  draws: number,
): Forest {
  const forests = Array.from(
    { length: draws },
    (_, draw) => boost(binned, examples, train, { ...options, seed: options.seed + draw }).forest,
  );
  const scaled = (leaves: readonly number[]) => leaves.map((leaf) => Number((leaf / draws).toPrecision(4)));
  return {
    trees: forests.flatMap(({ trees }) => trees.map(({ nodes, leaves }) => ({ nodes, leaves: scaled(leaves) }))),
  };
}

function priorOf(train: Uint32Array, labels: ArrayLike<number>, weights: ArrayLike<number>): number {
  let on = 0;
  let all = 0;
  for (const row of train) {
    on += weights[row]! * labels[row]!;
    all += weights[row]!;
  }
  return Math.log(on / (all - on));
}

interface Tree {
  /** As in `Forest`, and the same with bins as thresholds. */
  readonly nodes: number[];
  readonly bins: number[];
  readonly leaves: number[];
}

function grow(
  { columns, thresholds }: Binned,
  sample: Uint32Array,
  features: readonly number[],
  gradients: Float64Array,
  hessians: Float64Array,
  options: BoostOptions,
): Tree {
  const offsets = new Int32Array(features.length + 1);
  for (const [at, feature] of features.entries()) offsets[at + 1] = offsets[at]! + thresholds[feature]!.length + 1;
  const size = offsets[features.length]!;

  function histogram(rows: Uint32Array): Float64Array {
    const sums = new Float64Array(size * 2);
    // Gathered once, because every feature iterates over them.
    const pairs = new Float64Array(rows.length * 2);
    for (let i = 0; i < rows.length; i += 1) {
      pairs[i * 2] = gradients[rows[i]!]!;
      pairs[i * 2 + 1] = hessians[rows[i]!]!;
    }
    for (let at = 0; at < features.length; at += 1) {
      const column = columns[features[at]!]!;
      const base = offsets[at]! * 2;
      for (let i = 0; i < rows.length; i += 1) {
        const cell = base + column[rows[i]!]! * 2;
        sums[cell] = sums[cell]! + pairs[i * 2]!;
        sums[cell + 1] = sums[cell + 1]! + pairs[i * 2 + 1]!;
      }
    }
    return sums;
  }

  function leafFrom(rows: Uint32Array, sums: Float64Array, slot: number): Leaf {
    let gradient = 0;
    let hessian = 0;
    for (const row of rows) {
      gradient += gradients[row]!;
      hessian += hessians[row]!;
    }
    const leaf: Leaf = { rows, sums, gradient, hessian, split: undefined, slot };
    leaf.split = bestSplit(leaf);
    return leaf;
  }

  function bestSplit({ sums, gradient, hessian }: Leaf): Split | undefined {
    const worth = (g: number, h: number) => (g * g) / (h + options.l2);
    const whole = worth(gradient, hessian);
    let best: Split | undefined;
    for (const [at, feature] of features.entries()) {
      let g = 0;
      let h = 0;
      for (let cell = offsets[at]!; cell < offsets[at + 1]! - 1; cell += 1) {
        g += sums[cell * 2]!;
        h += sums[cell * 2 + 1]!;
        if (h < options.leafWeight) continue;
        if (hessian - h < options.leafWeight) break;
        const gain = worth(g, h) + worth(gradient - g, hessian - h) - whole;
        if (gain > (best?.gain ?? 1e-9)) best = { feature, bin: cell - offsets[at]!, gain };
      }
    }
    return best;
  }

  const nodes: number[] = [];
  const bins: number[] = [];
  const leaves: Leaf[] = [leafFrom(sample, histogram(sample), -1)];
  while (leaves.length < options.leaves) {
    const at = leaves.reduce(
      (top, { split }, index) => ((split?.gain ?? 0) > (leaves[top]!.split?.gain ?? 0) ? index : top),
      0,
    );
    const leaf = leaves[at]!;
    if (leaf.split === undefined) break;
    const { feature, bin: cut } = leaf.split;
    const [left, right] = partition(leaf.rows, columns[feature]!, cut);
    const small = histogram(left.length < right.length ? left : right);
    const large = leaf.sums;
    for (let cell = 0; cell < large.length; cell += 1) large[cell]! -= small[cell]!;
    const node = nodes.length / 4;
    nodes.push(feature, thresholds[feature]![cut]!, 0, 0);
    bins.push(feature, cut, 0, 0);
    if (leaf.slot >= 0) nodes[leaf.slot] = bins[leaf.slot] = node;
    leaves[at] = leafFrom(left, left.length < right.length ? small : large, node * 4 + 2);
    leaves.push(leafFrom(right, left.length < right.length ? large : small, node * 4 + 3));
  }
  for (const [at, { slot }] of leaves.entries()) if (slot >= 0) nodes[slot] = bins[slot] = -at - 1;
  const values = leaves.map(({ gradient, hessian }) =>
    Number(((-options.rate * gradient) / (hessian + options.l2)).toPrecision(4)),
  );
  return { nodes, bins, leaves: values };
}

function partition(rows: Uint32Array, column: Uint8Array, cut: number): [Uint32Array, Uint32Array] {
  const split = new Uint32Array(rows.length);
  let left = 0;
  let right = rows.length;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    if (column[row]! <= cut) split[left++] = row;
    else split[--right] = row;
  }
  return [split.subarray(0, left), split.subarray(left)];
}

function leafOf(bins: readonly number[], columns: readonly Uint8Array[], row: number): number {
  let at = bins.length === 0 ? -1 : 0;
  while (at >= 0) {
    const base = at * 4;
    at = bins[columns[bins[base]!]![row]! <= bins[base + 1]! ? base + 2 : base + 3]!;
  }
  return -at - 1;
}
