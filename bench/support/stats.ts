/** Quantiles, spreads and tables. Machines differ and are shared: ratios within one run are the figure, times only an order. */

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

export function shown(cell: Spread | string): string {
  if (typeof cell === 'string') return cell;
  const { median, low, high, unit } = cell;
  const range = low === high ? '' : ` (${digits(low)}–${digits(high)})`;
  return unit === '×' ? `${digits(median)} ×${range}` : `${digits(median)} ${unit}${range}`;
}

function digits(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
