/** A multilayer perceptron: standardised inputs, tanh layers, one linear output. */

export interface Mlp {
  /** The mean of each input over the training data; `scale` is the inverse of its standard deviation. */
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

/** A network in typed arrays, with a place for the values of each layer: running it allocates nothing. */
interface Flat {
  readonly mean: Float64Array;
  readonly scale: Float64Array;
  readonly layers: readonly { readonly weights: Float64Array; readonly bias: Float64Array }[];
  /** The input, then the output of each layer. */
  readonly values: readonly Float64Array[];
}

/** Made when a network is first used. */
const flattened = new WeakMap<Mlp, Flat>();

function flatten({ mean, scale, layers }: Mlp): Flat {
  return {
    mean: Float64Array.from(mean),
    scale: Float64Array.from(scale),
    layers: layers.map(({ weights, bias }) => ({ weights: Float64Array.from(weights), bias: Float64Array.from(bias) })),
    values: [mean, ...layers.map(({ bias }) => bias)].map(({ length }) => new Float64Array(length)),
  };
}

/** The output of the network for one input, which has as many numbers as `mean`. */
export function runMlp(mlp: Mlp, input: ArrayLike<number>): number {
  let flat = flattened.get(mlp);
  if (flat === undefined) {
    flat = flatten(mlp);
    flattened.set(mlp, flat);
  }
  const { mean, scale, layers } = flat;
  let values = flat.values[0]!;
  for (let i = 0; i < values.length; i += 1) {
    const standard = (input[i]! - mean[i]!) * scale[i]!;
    values[i] = Math.max(-maxDeviations, Math.min(maxDeviations, standard));
  }
  for (let depth = 0; depth < layers.length; depth += 1) {
    const { weights, bias } = layers[depth]!;
    const next = flat.values[depth + 1]!;
    applyLayer(weights, bias, values, next);
    values = next;
    if (depth === layers.length - 1) break;
    for (let j = 0; j < values.length; j += 1) values[j] = Math.tanh(values[j]!);
  }
  return values[0]!;
}

/** One layer without its activation. Four sums at a time, each in a local variable: a search takes a million products. */
function applyLayer(weights: Float64Array, bias: Float64Array, values: Float64Array, next: Float64Array): void {
  const width = bias.length;
  let j = 0;
  for (; j + 3 < width; j += 4) {
    let a = bias[j]!;
    let b = bias[j + 1]!;
    let c = bias[j + 2]!;
    let d = bias[j + 3]!;
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
