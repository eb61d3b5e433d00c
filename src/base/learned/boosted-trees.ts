/**
 * Evaluates gradient-boosted trees. The inner nodes of a tree are four numbers each in one flat array (feature, threshold,
 * left, right); a child `c >= 0` is node c, `c < 0` is leaf `-c - 1`. A row goes left if its feature is at most the
 * threshold.
 */

export interface Forest {
  readonly trees: readonly { readonly nodes: readonly number[]; readonly leaves: readonly number[] }[];
}

/** All trees in typed arrays, with the indices of nodes and leaves counted through. */
interface Flat {
  /** How many trees the arrays have. */
  readonly trees: number;
  /** The first node of each tree; -leaf - 1 for a tree without nodes. */
  readonly roots: Int32Array;
  /** By node: the feature and the two children. */
  readonly feature: Int32Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly threshold: Float64Array;
  readonly leaves: Float64Array;
}

/** Made when a forest is first used, and again while it grows in training. Half the time of reading it as it is. */
const flattened = new WeakMap<Forest, Flat>();

/** The sum of the leaves that a row of features falls into: log odds, or a score for a forest trained to rank. */
export function logOddsOf(forest: Forest, row: ArrayLike<number>): number {
  let flat = flattened.get(forest);
  if (flat === undefined || flat.trees !== forest.trees.length) {
    flat = flatten(forest);
    flattened.set(forest, flat);
  }
  const { roots, feature, left, right, threshold, leaves } = flat;
  let sum = 0;
  for (let tree = 0; tree < roots.length; tree += 1) {
    let at = roots[tree]!;
    while (at >= 0) at = row[feature[at]!]! <= threshold[at]! ? left[at]! : right[at]!;
    sum += leaves[-at - 1]!;
  }
  return sum;
}

function flatten({ trees }: Forest): Flat {
  const count = trees.reduce((sum, { nodes }) => sum + nodes.length / 4, 0);
  const flat = {
    trees: trees.length,
    roots: new Int32Array(trees.length),
    feature: new Int32Array(count),
    left: new Int32Array(count),
    right: new Int32Array(count),
    threshold: new Float64Array(count),
    leaves: Float64Array.from(trees.flatMap(({ leaves }) => leaves)),
  };
  let node = 0;
  let leaf = 0;
  trees.forEach(({ nodes, leaves }, tree) => {
    const [firstNode, firstLeaf] = [node, leaf];
    const place = (child: number) => (child >= 0 ? firstNode + child : child - firstLeaf);
    flat.roots[tree] = nodes.length === 0 ? -firstLeaf - 1 : firstNode;
    for (let at = 0; at < nodes.length; at += 4, node += 1) {
      flat.feature[node] = nodes[at]!;
      flat.threshold[node] = nodes[at + 1]!;
      flat.left[node] = place(nodes[at + 2]!);
      flat.right[node] = place(nodes[at + 3]!);
    }
    leaf += leaves.length;
  });
  return flat;
}
