/** Quantiles and spreads. Machines differ and are shared: only ratios within one run are results, times show an order of magnitude. */

/** Several measurements of one thing. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly unit: string;
}

/** The `q`-quantile (0 to 1) of the values, in any order; NaN of none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** NaN of no values. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The median and range of the values. */
export function spread(values: readonly number[], unit: string): Spread {
  return { median: median(values), low: Math.min(...values), high: Math.max(...values), unit };
}

/** Each of `values` divided by the one of `baseline` that was measured in the same round. */
export function ratios(values: readonly number[], baseline: readonly number[]): Spread {
  return spread(
    values.map((value, at) => value / baseline[at]!),
    '×',
  );
}
