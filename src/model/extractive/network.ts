/**
 * A small feed-forward network: standardised inputs, tanh layers, one linear output. Plain arrays in, one number out.
 */

export interface Network {
  readonly mean: readonly number[];
  readonly scale: readonly number[];
  /** Row-major weights, one row for each input, and a bias for each output. */
  readonly layers: readonly { readonly weights: readonly number[]; readonly bias: readonly number[] }[];
}

/** Inputs further than this many deviations from what was learned on are held there. */
export const farthest = 5;

export function runNetwork(network: Network, input: ArrayLike<number>): number {
  let values = new Float64Array(network.mean.length);
  for (let i = 0; i < values.length; i += 1) {
    const standard = (input[i]! - network.mean[i]!) * network.scale[i]!;
    values[i] = Math.max(-farthest, Math.min(farthest, standard));
  }
  network.layers.forEach(({ weights, bias }, depth) => {
    const next = Float64Array.from(bias);
    const width = next.length;
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i]!;
      if (value === 0) continue;
      const row = i * width;
      for (let j = 0; j < width; j += 1) next[j]! += value * weights[row + j]!;
    }
    if (depth < network.layers.length - 1) for (let j = 0; j < width; j += 1) next[j] = Math.tanh(next[j]!);
    values = next;
  });
  return values[0]!;
}

/** The mean of several that learned the same from other beginnings: it errs less than any of them. */
export function runNetworks(networks: readonly Network[], input: ArrayLike<number>): number {
  return networks.reduce((sum, network) => sum + runNetwork(network, input), 0) / networks.length;
}
