/** The losses that forests are trained on: gradient and hessian of the loss by the score of each row. */

export interface Examples {
  /** Between 0 and 1; 0 or 1 for ranking. */
  readonly labels: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  /** The group of each row (a page, a question); rows of a group are sampled together. */
  readonly groups: ArrayLike<number>;
  /** Whether rows are ranked within their group; otherwise each is classified on its own. */
  readonly ranked?: boolean;
}

export interface Gradients {
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
}

/** Cross-entropy of the label of each row. Writes to `into`. */
export function pointwiseGradients(
  rows: Uint32Array,
  { labels, weights }: Examples,
  scores: Float64Array,
  into: Gradients,
): void {
  for (const row of rows) setGradient(row, 1 / (1 + Math.exp(-scores[row]!)), labels[row]!, weights[row]!, into);
}

/** Cross-entropy of the rows labelled 1 under a softmax over their group. Writes to `into`. */
export function listwiseGradients(rows: Uint32Array, examples: Examples, scores: Float64Array, into: Gradients): void {
  const { labels, weights, groups } = examples;
  const count = 1 + rows.reduce((most, row) => Math.max(most, groups[row]!), 0);
  const top = new Float64Array(count).fill(-Infinity);
  const all = new Float64Array(count);
  const held = new Float64Array(count);
  const power = (row: number) => Math.exp(scores[row]! - top[groups[row]!]!);
  for (const row of rows) top[groups[row]!] = Math.max(top[groups[row]!]!, scores[row]!);
  for (const row of rows) {
    all[groups[row]!]! += power(row);
    if (labels[row] === 1) held[groups[row]!]! += power(row);
  }
  for (const row of rows) {
    const wanted = labels[row] === 1 ? power(row) / held[groups[row]!]! : 0;
    setGradient(row, power(row) / all[groups[row]!]!, wanted, weights[row]!, into);
  }
}

function setGradient(
  row: number,
  share: number,
  wanted: number,
  weight: number,
  { gradients, hessians }: Gradients,
): void {
  gradients[row] = weight * (share - wanted);
  hessians[row] = weight * share * (1 - share);
}
