/** A multilayer perceptron: standardised inputs, tanh layers, one linear output. */

export interface Mlp {
  /** Of each input over the training data; `scale` is the inverse of its standard deviation. */
  readonly mean: readonly number[];
  readonly scale: readonly number[];
  readonly layers: readonly Layer[];
}

/** Row-major weights, one row for each input, and a bias for each output. */
interface Layer {
  readonly weights: readonly number[];
  readonly bias: readonly number[];
}

/** Standardised inputs are clamped to ± this many standard deviations of the training data; set by hand. */
export const maxDeviations = 5;

/** The output of the network for one input, which has as many numbers as `mean`. */
export function runMlp({ mean, scale, layers }: Mlp, input: ArrayLike<number>): number {
  let values = new Float64Array(mean.length);
  for (let i = 0; i < values.length; i += 1) {
    const standard = (input[i]! - mean[i]!) * scale[i]!;
    values[i] = Math.max(-maxDeviations, Math.min(maxDeviations, standard));
  }
  for (let depth = 0; depth < layers.length; depth += 1) {
    values = applyLayer(layers[depth]!, values);
    if (depth === layers.length - 1) break;
    for (let j = 0; j < values.length; j += 1) values[j] = Math.tanh(values[j]!);
  }
  return values[0]!;
}

/** One layer without its activation. Four sums at a time, each in a local variable: a search takes a million products. */
function applyLayer({ weights, bias }: Layer, values: Float64Array): Float64Array<ArrayBuffer> {
  const width = bias.length;
  const next = new Float64Array(width);
  let j = 0;
  for (; j + 3 < width; j += 4) {
    let [a, b, c, d] = [bias[j]!, bias[j + 1]!, bias[j + 2]!, bias[j + 3]!];
    for (let i = 0, at = j; i < values.length; i += 1, at += width) {
      const value = values[i]!;
      a += value * weights[at]!;
      b += value * weights[at + 1]!;
      c += value * weights[at + 2]!;
      d += value * weights[at + 3]!;
    }
    next[j] = a;
    next[j + 1] = b;
    next[j + 2] = c;
    next[j + 3] = d;
  }
  for (; j < width; j += 1) {
    let sum = bias[j]!;
    for (let i = 0, at = j; i < values.length; i += 1, at += width) sum += values[i]! * weights[at]!;
    next[j] = sum;
  }
  return next;
}

/** The mean output of networks that were trained from different seeds: its error is lower than that of any one. */
export function runMlps(mlps: readonly Mlp[], input: ArrayLike<number>): number {
  return mlps.reduce((sum, mlp) => sum + runMlp(mlp, input), 0) / mlps.length;
}

/** The softmax of some scores: probabilities that sum to 1. */
export function softmax(scores: readonly number[]): number[] {
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - top));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
