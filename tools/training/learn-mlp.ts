/**
 * Learns the networks that src/base/learned/mlp.ts runs: inputs standardised, one layer of tanh, one output.
 * Gradient descent by Adam with a falling rate, over batches of whole lists. The same seed gives the same network.
 */

import { createRandom, type Random } from '../../bench/support/random.ts';
import { type Mlp, maxDeviations, softmax } from '../../src/base/learned/mlp.ts';

/** Candidates of one question, and which of them are right; every list needs one of each. */
export interface List {
  readonly rows: readonly Float32Array[];
  readonly right: readonly boolean[];
}

export interface LearningOptions {
  readonly hidden: number;
  readonly epochs: number;
  readonly seed: number;
  /** How strongly weights are drawn to 0. */
  readonly decay: number;
}

/** What a row did to the network: its standardised inputs, the hidden units, the output. */
interface Run {
  readonly input: Float64Array;
  readonly active: Float64Array;
  readonly output: number;
}

/** Wrong candidates of a list that one epoch looks at; another takes others. */
const mostWrong = 24;
const listsOfBatch = 32;
const rate = 0.004;
/** Slopes below this teach nothing worth the time. */
const negligible = 2e-5;

/**
 * The cross-entropy of the right candidates among all. Of the wrong ones a sample stands for all, counted by as much more,
 * so that the outputs are log odds of the whole list.
 */
export function learnRankingMlp(lists: readonly List[], lesson: LearningOptions): Mlp {
  const learner = createLearner(
    lists.flatMap(({ rows }) => rows),
    lesson,
  );
  const steps = lesson.epochs * Math.ceil(lists.length / listsOfBatch);
  let step = 0;
  for (let epoch = 0; epoch < lesson.epochs; epoch += 1) {
    for (const batch of batches(shuffled(lists, learner.random))) {
      for (const { rows, right } of batch) {
        const all = rows.map((_, i) => i);
        const wrong = all.filter((i) => !right[i]);
        const sample = shuffled(wrong, learner.random).slice(0, mostWrong);
        const taken = [...all.filter((i) => right[i]), ...sample];
        const correction = Math.log(Math.max(1, wrong.length) / Math.max(1, sample.length));
        const runs = taken.map((i) => learner.run(rows[i]!));
        const shares = softmax(runs.map(({ output }, at) => output + (right[taken[at]!] ? 0 : correction)));
        const held = taken.reduce((sum, i, at) => sum + (right[i] ? shares[at]! : 0), 0);
        taken.forEach((i, at) => {
          const wanted = right[i] ? shares[at]! / held : 0;
          learner.blame(runs[at]!, (shares[at]! - wanted) / batch.length);
        });
      }
      learner.step(falling(step, steps));
      step += 1;
    }
  }
  return learner.network();
}

/** `hidden` is a multiple of four: units are run four at a time, for their sums wait for nothing of each other. */
function createLearner(rows: readonly Float32Array[], { hidden, decay, seed }: LearningOptions) {
  const random = createRandom(seed);
  const { mean, scale } = standard(rows);
  const width = mean.length;
  // The first layer's weights by hidden unit, its biases, the second layer's weights, its bias.
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
    run(row: Float32Array): Run {
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
    /** Adds what the weights should change by, given the slope of the loss over this run's output. */
    blame({ input, active }: Run, slope: number): void {
      if (Math.abs(slope) < negligible) return;
      for (let j = 0; j < hidden; j += 1) {
        gradient[outer + j]! += slope * active[j]!;
        const part = slope * weights[outer + j]! * (1 - active[j]! ** 2);
        gradient[inner + j]! += part;
        const from = j * width;
        for (let i = 0; i < width; i += 1) gradient[from + i]! += part * input[i]!;
      }
      gradient[weights.length - 1]! += slope;
    },
    /** Adam (Kingma and Ba, 2015). */
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

/** From the full rate to nothing, along half a cosine. */
function falling(step: number, steps: number): number {
  return (rate * (1 + Math.cos((Math.PI * step) / steps))) / 2 + 1e-5;
}

function* batches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += listsOfBatch) yield items.slice(from, from + listsOfBatch);
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i -= 1) {
    const other = Math.floor(random() * (i + 1));
    [mixed[i], mixed[other]] = [mixed[other]!, mixed[i]!];
  }
  return mixed;
}

/** Box and Muller. */
function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
