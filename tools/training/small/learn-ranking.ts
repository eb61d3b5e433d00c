/**
 * Learns to rank the units of small corpora: a linear score by which the units that answer get the largest share of a softmax over
 * all units of their question, by gradient descent (Adam), with a penalty for leaving the general ranking.
 */
import type { Mlp } from '../../../src/base/learned/mlp.ts';
import { meanOf } from '../logit.ts';

/** A question: the inputs of its units, and how well each answers, 0 to 1. */
export interface RankingSample {
  readonly rows: readonly (readonly number[])[];
  readonly gold: readonly number[];
}

// Set by hand, in folds by corpus.
const steps = 400;
const rate = 0.02;
const decay = 0.005;
/** What the general score, the first input, begins with: its scale is that of longer lists. */
const generalShare = 0.6;

/** A network of one linear layer. Samples without a unit that answers are left out. */
export function learnRanking(samples: readonly RankingSample[]): Mlp {
  const usable = samples.filter(({ gold }) => gold.some((value) => value > 0));
  const all = usable.flatMap(({ rows }) => rows);
  const width = all[0]!.length;
  const columns = Array.from({ length: width }, (_, at) => all.map((row) => row[at]!));
  const mean = columns.map(meanOf);
  const scale = columns.map((values, at) => {
    const deviation = Math.sqrt(meanOf(values.map((value) => (value - mean[at]!) ** 2)));
    return deviation > 1e-9 ? 1 / deviation : 0;
  });
  const start = scale.map((each, at) => (at === 0 ? generalShare / each : 0));
  const weights = [...start];
  const inputs = usable.map(({ rows }) => rows.map((row) => row.map((value, at) => (value - mean[at]!) * scale[at]!)));
  const first = new Array<number>(width).fill(0);
  const second = new Array<number>(width).fill(0);
  for (let step = 1; step <= steps; step += 1) {
    const gradient = weights.map((weight, at) => decay * (weight - start[at]!));
    for (const [at, { gold }] of usable.entries()) {
      const units = inputs[at]!;
      const scores = units.map((unit) => unit.reduce((sum, value, i) => sum + value * weights[i]!, 0));
      const top = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - top));
      const total = powers.reduce((sum, power) => sum + power, 0);
      const right = powers.reduce((sum, power, i) => sum + power * gold[i]!, 0) || 1e-9;
      for (const [i, unit] of units.entries()) {
        const error = (powers[i]! / total - (powers[i]! * gold[i]!) / right) / usable.length;
        for (let column = 0; column < width; column += 1) gradient[column]! += error * unit[column]!;
      }
    }
    for (let at = 0; at < width; at += 1) {
      first[at] = 0.9 * first[at]! + 0.1 * gradient[at]!;
      second[at] = 0.999 * second[at]! + 0.001 * gradient[at]! ** 2;
      const momentum = first[at]! / (1 - 0.9 ** step);
      weights[at]! -= (rate * momentum) / (Math.sqrt(second[at]! / (1 - 0.999 ** step)) + 1e-8);
    }
  }
  return { mean, scale, layers: [{ weights, bias: [0] }] };
}
