/**
 * A conversation as a tree: each question follows up on one before it, and questions that follow up on the same one are
 * versions of each other. The page shows one path through it, from the first question to one without a follow-up.
 */

export interface TreeNode {
  /** The question that this one follows up on. */
  readonly parent: TreeNode | undefined;
}

/** From the first question to `last`. */
export function pathTo<Node extends TreeNode>(last: Node | undefined): Node[] {
  const path: Node[] = [];
  for (let node = last; node !== undefined; node = node.parent as Node | undefined) path.unshift(node);
  return path;
}

/** The versions of a question, oldest first, itself included. `nodes` are in the order in which they were asked. */
export function versionsOf<Node extends TreeNode>(nodes: readonly Node[], of: Node): Node[] {
  return nodes.filter(({ parent }) => parent === of.parent);
}

/** The end of the path that continues from `node` by the newest follow-up each time. */
export function newestBelow<Node extends TreeNode>(nodes: readonly Node[], node: Node): Node {
  const next = nodes.findLast(({ parent }) => parent === node);
  return next === undefined ? node : newestBelow(nodes, next);
}
