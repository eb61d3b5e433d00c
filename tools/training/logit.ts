/** Logistic regression over standardised inputs by gradient descent with L2 regularisation. */
import type { Mlp } from '../../src/base/learned/mlp.ts';

export interface Sample {
  readonly row: readonly number[];
  readonly yes: boolean;
  readonly weight: number;
}

// Set by hand.
const steps = 3000;
const rate = 0.3;
const decay = 0.01;

/** A network of one linear layer whose output is the log odds that a sample is `yes`. */
export function learnLogit(samples: readonly Sample[]): Mlp {
  const width = samples[0]!.row.length;
  const columns = Array.from({ length: width }, (_, column) => samples.map(({ row }) => row[column]!));
  const mean = columns.map(meanOf);
  const scale = columns.map((values, column) => {
    const deviation = Math.sqrt(meanOf(values.map((value) => (value - mean[column]!) ** 2)));
    return deviation > 1e-9 ? 1 / deviation : 0;
  });
  const inputs = samples.map(({ row }) => row.map((value, column) => (value - mean[column]!) * scale[column]!));
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const weights = new Array<number>(width).fill(0);
  let bias = 0;
  for (let step = 0; step < steps; step += 1) {
    const gradient = weights.map((weight) => decay * weight);
    let biasGradient = 0;
    for (const [i, { yes, weight }] of samples.entries()) {
      const input = inputs[i]!;
      const odds = input.reduce((sum, value, column) => sum + value * weights[column]!, bias);
      const error = ((1 / (1 + Math.exp(-odds)) - (yes ? 1 : 0)) * weight) / total;
      for (let column = 0; column < width; column += 1) gradient[column]! += error * input[column]!;
      biasGradient += error;
    }
    for (let column = 0; column < width; column += 1) weights[column]! -= rate * gradient[column]!;
    bias -= rate * biasGradient;
  }
  return { mean, scale, layers: [{ weights, bias: [bias] }] };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
