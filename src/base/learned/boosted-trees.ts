/**
 * Evaluates gradient-boosted trees. The inner nodes of a tree are four numbers each in one flat array (feature, threshold,
 * left, right); a child `c >= 0` is node c, `c < 0` is leaf `-c - 1`. A row goes left if its feature is at most the
 * threshold.
 */

export interface Forest {
  readonly trees: readonly { readonly nodes: readonly number[]; readonly leaves: readonly number[] }[];
}

/** The sum of the leaves that a row of features falls into: log odds, or a score for a forest trained to rank. */
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
