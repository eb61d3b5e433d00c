/** Tables of results and how their cells are written. */
import type { Spread } from './stats.ts';

export interface Table {
  readonly title: string;
  /** The first is the heading of the row names. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The column that the chart shows; without it there is no chart. */
  readonly drawn?: number;
}

export interface Row {
  readonly name: string;
  /** Whether it is this project's; the chart highlights it. */
  readonly own?: boolean;
  readonly cells: readonly (Spread | string)[];
}

/** `12.3 ms (11.0–14.2)`; text as it is. */
export function formatCell(cell: Spread | string): string {
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
export function formatTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** `1.23 ms`, `12.3 ms`. */
export const formatMs = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

/** The share of these for which something is so, "12.5 %". */
export function formatShare<One>(all: readonly One[], is: (one: One) => boolean): string {
  return `${((100 * all.filter(is).length) / Math.max(1, all.length)).toFixed(1)} %`;
}
