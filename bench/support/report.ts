/**
 * The results of a bench in three forms: a table on the terminal, JSON in bench/results, and in bench/README.md the table
 * with a chart, between the comments with the bench's name.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { drawBarChart } from './chart.ts';
import { formatCell, formatTable, type Table } from './table.ts';

export interface BenchOptions {
  /** Fewer rounds and smaller loads: minutes for all benches, and nothing is written. */
  readonly quick: boolean;
  readonly say: (line: string) => void;
}

export type Bench = (options: BenchOptions) => Promise<BenchResult>;

export interface BenchResult {
  /** One for each thing that is measured. */
  readonly tables: readonly Table[];
  readonly goals: readonly Goal[];
}

export interface Goal {
  readonly text: string;
  readonly limit: number;
  readonly got: number;
  /** Whether `got` must be at least the limit. Default: at most. */
  readonly atLeast?: boolean;
}

const here = new URL('..', import.meta.url);

/** Whether the goal is met. */
function isReached({ limit, got, atLeast = false }: Goal): boolean {
  return atLeast ? got >= limit : got <= limit;
}

/** Markdown: the tables, each with what `chart` returns above it, and the goals. */
export function formatResult({ tables, goals }: BenchResult, chart?: (table: Table, at: number) => string): string {
  const parts = tables.map((each, at) => {
    const rows = each.rows.map(({ name, cells }) => [name, ...cells.map(formatCell)]);
    return [`**${each.title}**`, chart?.(each, at) ?? '', formatTable(each.columns, rows)].filter(Boolean).join('\n\n');
  });
  const lines = goals.map((goal) => {
    const sign = goal.atLeast ? '≥' : '≤';
    return `- ${isReached(goal) ? 'holds' : '**not reached**'}: ${goal.text} ${sign} ${goal.limit}; measured ${round(goal.got)}`;
  });
  return [...parts, ...(lines.length === 0 ? [] : [lines.join('\n')])].join('\n\n');
}

/** Writes the JSON, the charts, and the bench's part of the README. Throws if the README has no place for it. */
export function writeResult(name: string, result: BenchResult): void {
  mkdirSync(new URL('results/', here), { recursive: true });
  const machine = { node: process.version, cores: cpus().length };
  const date = new Date().toISOString().slice(0, 10);
  const goals = result.goals.map((goal) => ({ ...goal, holds: isReached(goal) }));
  const json = JSON.stringify({ name, date, machine, ...result, goals }, null, 2);
  writeFileSync(new URL(`results/${name}.json`, here), `${json}\n`);
  const text = formatResult(result, (each, at) => {
    if (each.drawn === undefined) return '';
    const file = `results/${name}${at === 0 ? '' : `-${at + 1}`}.svg`;
    writeFileSync(new URL(file, here), drawBarChart(each, each.drawn));
    return `![${each.title}](${file})`;
  });
  const readme = new URL('README.md', here);
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const before = readFileSync(readme, 'utf8');
  const from = before.indexOf(begin);
  const to = before.indexOf(end);
  if (from === -1 || to === -1) throw new Error(`bench/README.md has no place for ${name}: ${begin} … ${end}`);
  writeFileSync(readme, `${before.slice(0, from)}${begin}\n\n${text}\n\n${before.slice(to)}`);
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
