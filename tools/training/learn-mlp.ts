/**
 * Trains the networks that src/base/learned/mlp.ts runs, with one hidden layer: Adam (D. P. Kingma and J. Ba, ICLR 2015)
 * with a cosine schedule over batches of whole lists. The same seed results in the same network.
 */

import { createRandom, type Random } from '../../bench/support/random.ts';
import { type Mlp, maxDeviations, softmax } from '../../src/base/learned/mlp.ts';

/** The candidates of one question, and which of them are right; at least one is, and at least one is not. */
export interface List {
  readonly rows: readonly Float32Array[];
  readonly right: readonly boolean[];
}

export interface LearningOptions {
  /** Hidden units, a multiple of four. */
  readonly hidden: number;
  readonly epochs: number;
  readonly seed: number;
  /** L2 regularisation. */
  readonly decay: number;
}

/** The activations of the network for one row: standardised inputs, hidden units, output. */
interface ForwardPass {
  readonly input: Float64Array;
  readonly active: Float64Array;
  readonly output: number;
}

// Set by hand.
/** Wrong candidates sampled from a list in each epoch. */
const maxWrong = 24;
const batchSize = 32;
/** Learning rate at the start. */
const rate = 0.004;
/** Smaller gradients of the output are not propagated. */
const minGradient = 2e-5;

/**
 * Minimises the cross-entropy of the right candidates under a softmax over their list. The wrong ones are sampled, with a
 * correction of their logits by ln(all / sampled).
 */
export function learnRankingMlp(lists: readonly List[], lesson: LearningOptions): Mlp {
  const learner = createLearner(
    lists.flatMap(({ rows }) => rows),
    lesson,
  );
  const steps = lesson.epochs * Math.ceil(lists.length / batchSize);
  let step = 0;
  for (let epoch = 0; epoch < lesson.epochs; epoch += 1) {
    for (const batch of batches(shuffled(lists, learner.random))) {
      for (const { rows, right } of batch) {
        const all = rows.map((_, i) => i);
        const wrong = all.filter((i) => !right[i]);
        const sample = shuffled(wrong, learner.random).slice(0, maxWrong);
        const taken = [...all.filter((i) => right[i]), ...sample];
        const correction = Math.log(Math.max(1, wrong.length) / Math.max(1, sample.length));
        const runs = taken.map((i) => learner.forward(rows[i]!));
        const shares = softmax(runs.map(({ output }, at) => output + (right[taken[at]!] ? 0 : correction)));
        const held = taken.reduce((sum, i, at) => sum + (right[i] ? shares[at]! : 0), 0);
        taken.forEach((i, at) => {
          const wanted = right[i] ? shares[at]! / held : 0;
          learner.backpropagate(runs[at]!, (shares[at]! - wanted) / batch.length);
        });
      }
      learner.step(learningRateAt(step, steps));
      step += 1;
    }
  }
  return learner.network();
}

/** Four hidden units are computed at a time, because their sums are independent. */
function createLearner(rows: readonly Float32Array[], { hidden, decay, seed }: LearningOptions) {
  const random = createRandom(seed);
  const { mean, scale } = standard(rows);
  const width = mean.length;
  // The weights of the first layer by hidden unit, its biases, the weights of the second layer, its bias.
  const weights = new Float64Array(width * hidden + hidden + hidden + 1);
  for (let i = 0; i < width * hidden; i += 1) weights[i] = gaussian(random) / Math.sqrt(width);
  for (let j = 0; j < hidden; j += 1) weights[width * hidden + hidden + j] = gaussian(random) / Math.sqrt(hidden);
  const gradient = new Float64Array(weights.length);
  const first = new Float64Array(weights.length);
  const second = new Float64Array(weights.length);
  const inner = width * hidden;
  const outer = inner + hidden;
  let steps = 0;

  return {
    random,
    forward(row: Float32Array): ForwardPass {
      const input = new Float64Array(width);
      const active = new Float64Array(hidden);
      for (let i = 0; i < width; i += 1) {
        input[i] = Math.max(-maxDeviations, Math.min(maxDeviations, (row[i]! - mean[i]!) * scale[i]!));
      }
      let output = weights[weights.length - 1]!;
      for (let j = 0; j < hidden; j += 4) {
        const at = j * width;
        let a = weights[inner + j]!;
        let b = weights[inner + j + 1]!;
        let c = weights[inner + j + 2]!;
        let d = weights[inner + j + 3]!;
        for (let i = 0; i < width; i += 1) {
          const value = input[i]!;
          a += value * weights[at + i]!;
          b += value * weights[at + width + i]!;
          c += value * weights[at + 2 * width + i]!;
          d += value * weights[at + 3 * width + i]!;
        }
        active[j] = Math.tanh(a);
        active[j + 1] = Math.tanh(b);
        active[j + 2] = Math.tanh(c);
        active[j + 3] = Math.tanh(d);
      }
      for (let j = 0; j < hidden; j += 1) output += active[j]! * weights[outer + j]!;
      return { input, active, output };
    },
    /** Adds to the gradient of the weights, given the derivative of the loss by the output of this pass. */
    backpropagate({ input, active }: ForwardPass, slope: number): void {
      if (Math.abs(slope) < minGradient) return;
      for (let j = 0; j < hidden; j += 1) {
        gradient[outer + j]! += slope * active[j]!;
        const part = slope * weights[outer + j]! * (1 - active[j]! ** 2);
        gradient[inner + j]! += part;
        const from = j * width;
        for (let i = 0; i < width; i += 1) gradient[from + i]! += part * input[i]!;
      }
      gradient[weights.length - 1]! += slope;
    },
    /** One step of Adam. */
    step(by: number): void {
      steps += 1;
      const correct = Math.sqrt(1 - 0.99 ** steps) / (1 - 0.9 ** steps);
      for (let i = 0; i < weights.length; i += 1) {
        const slope = gradient[i]! + decay * weights[i]!;
        first[i] = 0.9 * first[i]! + 0.1 * slope;
        second[i] = 0.99 * second[i]! + 0.01 * slope ** 2;
        weights[i]! -= (by * correct * first[i]!) / (Math.sqrt(second[i]!) + 1e-8);
      }
      gradient.fill(0);
    },
    network(): Mlp {
      const byInput = Array.from({ length: width * hidden }, (_, at) => {
        return weights[(at % hidden) * width + Math.floor(at / hidden)]!;
      });
      const biases = [...weights.slice(width * hidden, outer)];
      const outputs = [...weights.slice(outer, outer + hidden)];
      return {
        mean: mean.map(rounded),
        scale: scale.map(rounded),
        layers: [
          { weights: byInput.map(rounded), bias: biases.map(rounded) },
          { weights: outputs.map(rounded), bias: [rounded(weights[weights.length - 1]!)] },
        ],
      };
    },
  };
}

function standard(rows: readonly Float32Array[]) {
  const width = rows[0]!.length;
  const mean = new Array<number>(width).fill(0);
  const square = new Array<number>(width).fill(0);
  for (const row of rows) {
    for (let i = 0; i < width; i += 1) {
      mean[i]! += row[i]! / rows.length;
      square[i]! += row[i]! ** 2 / rows.length;
    }
  }
  return { mean, scale: square.map((value, i) => 1 / Math.sqrt(Math.max(1e-6, value - mean[i]! ** 2))) };
}

/** Cosine decay from the full rate to almost 0. */
function learningRateAt(step: number, steps: number): number {
  return (rate * (1 + Math.cos((Math.PI * step) / steps))) / 2 + 1e-5;
}

function* batches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += batchSize) yield items.slice(from, from + batchSize);
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i -= 1) {
    const other = Math.floor(random() * (i + 1));
    [mixed[i], mixed[other]] = [mixed[other]!, mixed[i]!];
  }
  return mixed;
}

/** A standard normal number (G. E. P. Box and M. E. Muller, 1958). */
function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
