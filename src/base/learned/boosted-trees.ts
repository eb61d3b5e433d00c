/**
 * Gradient-boosted trees, evaluated. A tree is its inner nodes, four numbers each in one flat array (feature, threshold,
 * left, right), and its leaves; a child `c >= 0` is node c, `c < 0` is leaf `-c - 1`. A row goes left when its feature is at
 * most the threshold.
 */

export interface Forest {
  readonly trees: readonly { readonly nodes: readonly number[]; readonly leaves: readonly number[] }[];
}

/** The log-odds that a row's label is 1: the sum of the leaves it falls into. */
export function logOddsOf(forest: Forest, row: ArrayLike<number>): number {
  let sum = 0;
  for (const { nodes, leaves } of forest.trees) {
    let at = nodes.length === 0 ? -1 : 0;
    while (at >= 0) {
      const base = at * 4;
      at = nodes[row[nodes[base]!]! <= nodes[base + 1]! ? base + 2 : base + 3]!;
    }
    sum += leaves[-at - 1]!;
  }
  return sum;
}
