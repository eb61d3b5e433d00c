/** Quantiles and spreads. Machines differ and are shared: only ratios within one run are results, times show an order of magnitude. */

/** Several measurements of one thing. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly unit: string;
}

/** The value below which a share `q` of the values lies; NaN of none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function spread(values: readonly number[], unit: string): Spread {
  return { median: median(values), low: Math.min(...values), high: Math.max(...values), unit };
}

/** Each of `values` by the one measured beside it. */
export function ratios(values: readonly number[], beside: readonly number[]): Spread {
  return spread(
    values.map((value, at) => value / beside[at]!),
    '×',
  );
}
