/**
 * Gradient-boosted trees, evaluated. A tree is its inner nodes, four numbers each in one flat array (feature, threshold,
 * left, right), and its leaves; a child `c >= 0` is node c, `c < 0` is leaf `-c - 1`. A row goes left when its feature is at
 * most the threshold. The sum of the leaves is log-odds.
 */

export interface Forest {
  readonly trees: readonly { readonly nodes: readonly number[]; readonly leaves: readonly number[] }[];
}

/** The probability that a row's label is 1. */
export function probabilityOf(forest: Forest, row: ArrayLike<number>): number {
  let sum = 0;
  for (const { nodes, leaves } of forest.trees) {
    let at = 0;
    while (at >= 0 && nodes.length > 0) {
      const base = at * 4;
      at = nodes[row[nodes[base]!]! <= nodes[base + 1]! ? base + 2 : base + 3]!;
    }
    sum += leaves[nodes.length === 0 ? 0 : -at - 1]!;
  }
  return 1 / (1 + Math.exp(-sum));
}
