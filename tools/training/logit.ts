/** Logistic regression over standardised inputs with L2 regularisation, by Newton's method: a dozen steps reach the optimum. */
import type { Mlp } from '../../src/base/learned/mlp.ts';

export interface Sample {
  readonly row: readonly number[];
  readonly yes: boolean;
  readonly weight: number;
}

// Set by hand.
const maxSteps = 20;
/** A step that changes no weight by more is the last. */
const precision = 1e-7;
const decay = 0.01;
/** Added to the diagonal, so that an input that never changes leaves the equations solvable. */
const ridge = 1e-9;

/** A network of one linear layer whose output is the log odds that a sample is `yes`. */
export function learnLogit(samples: readonly Sample[]): Mlp {
  const width = samples[0]!.row.length;
  const columns = Array.from({ length: width }, (_, column) => samples.map(({ row }) => row[column]!));
  const mean = columns.map(meanOf);
  const scale = columns.map((values, column) => {
    const deviation = Math.sqrt(meanOf(values.map((value) => (value - mean[column]!) ** 2)));
    return deviation > 1e-9 ? 1 / deviation : 0;
  });
  // The last input is 1: its weight is the bias, which is not regularised.
  const inputs = samples.map(({ row }) => [...row.map((value, column) => (value - mean[column]!) * scale[column]!), 1]);
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const weights = new Array<number>(width + 1).fill(0);
  for (let step = 0; step < maxSteps; step += 1) {
    const gradient = weights.map((weight, column) => (column < width ? decay * weight : 0));
    const curvature = weights.map((_, row) =>
      weights.map((_, column) => (row === column ? (row < width ? decay : 0) + ridge : 0)),
    );
    for (const [i, { yes, weight }] of samples.entries()) {
      const input = inputs[i]!;
      const probability = 1 / (1 + Math.exp(-input.reduce((sum, value, column) => sum + value * weights[column]!, 0)));
      const error = ((probability - (yes ? 1 : 0)) * weight) / total;
      const bend = (probability * (1 - probability) * weight) / total;
      for (let row = 0; row <= width; row += 1) {
        gradient[row]! += error * input[row]!;
        for (let column = 0; column <= row; column += 1)
          curvature[row]![column]! += bend * input[row]! * input[column]!;
      }
    }
    const change = solve(curvature, gradient);
    for (let column = 0; column <= width; column += 1) weights[column]! -= change[column]!;
    if (Math.max(...change.map(Math.abs)) < precision) break;
  }
  return { mean, scale, layers: [{ weights: weights.slice(0, width), bias: [weights[width]!] }] };
}

/** Solves a positive definite system, of whose matrix the lower half is read and overwritten, by Cholesky's method. */
function solve(matrix: number[][], right: readonly number[]): number[] {
  const size = right.length;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let rest = matrix[row]![column]!;
      for (let i = 0; i < column; i += 1) rest -= matrix[row]![i]! * matrix[column]![i]!;
      matrix[row]![column] = row === column ? Math.sqrt(rest) : rest / matrix[column]![column]!;
    }
  }
  const solution = [...right];
  for (let row = 0; row < size; row += 1) {
    for (let i = 0; i < row; i += 1) solution[row]! -= matrix[row]![i]! * solution[i]!;
    solution[row]! /= matrix[row]![row]!;
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let i = row + 1; i < size; i += 1) solution[row]! -= matrix[i]![row]! * solution[i]!;
    solution[row]! /= matrix[row]![row]!;
  }
  return solution;
}

/** The arithmetic mean; NaN of no values. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
