/**
 * A complete search of the embedded index (request over HTTP → cited answer), compared with the bare FTS5 query of the same
 * words on the same file, by the size of the corpus and by concurrency; with the CPU time of all threads of the server, and
 * the delay of its event loop.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSqlite } from '../src/base/sqlite.ts';
import { writeCorpus } from './support/corpus-files.ts';
import type { BenchOptions, BenchResult, Goal } from './support/report.ts';
import { type BenchServer, startServer } from './support/start-server.ts';
import { median, quantile, spread } from './support/stats.ts';
import type { Row, Table } from './support/table.ts';

const Database = loadSqlite();

/** About the packages that are installed with Citewire. */
export const packageQuestions = [
  'How do I set a request timeout in undici?',
  'What is the default value of bodyTimeout?',
  'How can a WebSocket server detect broken connections?',
  'How do I define an optional property with zod?',
  'Which pragma sets the journal mode in better-sqlite3?',
  'How do I run a task in a worker pool with piscina?',
  'What does the maxSize option of lru-cache do?',
  'How are redacted paths configured in pino?',
  'How do I write a custom reporter for the test runner?',
  'What is the maximum payload length of a message?',
  'How do I escape a value in a regular expression?',
  'Which option disables the offline queue?',
];
const concurrencies = [1, 10, 50, 200];

interface Load {
  readonly rounds: number;
  /** Minimum searches per round. */
  readonly searches: number;
  readonly say: (line: string) => void;
}

/** Milliseconds, with goals: p50 at most 3 times the bare query, p99 of the loop's delay at most 20 ms. */
export default async function search({ quick, say }: BenchOptions): Promise<BenchResult> {
  const load = { rounds: quick ? 3 : 5, searches: quick ? 40 : 100, say };
  const tables: Table[] = [];
  const goals: Goal[] = [];
  const server = await startServer();
  try {
    const own = await measure(server, packageQuestions, concurrencies, load);
    const corpus = `documentation of the installed packages, ${server.passages} passages`;
    tables.push({ ...asTable(own), title: `A complete search, ${corpus}`, drawn: 1 });
    goals.push({ text: `p50 of one at a time against its bare query`, limit: 3, got: own.ratio });
    goals.push({ text: 'p99 of the loop’s delay at 50 at a time, ms', limit: 20, got: own.delayAt50 });
  } finally {
    await server.close();
  }
  const grown: Row[] = [];
  for (const passages of quick ? [1_000] : [1_000, 10_000, 100_000]) {
    const folder = mkdtempSync(join(tmpdir(), 'citewire-corpus-'));
    try {
      const { questions } = writeCorpus(folder, passages);
      say(`indexing ${passages} passages`);
      const big = await startServer({}, folder);
      try {
        const { rows } = await measure(big, questions, [1, 50], load);
        grown.push(...rows.map((row) => ({ ...row, name: `${passages.toLocaleString('en')} passages: ${row.name}` })));
      } finally {
        await big.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  tables.push({ columns, rows: grown, title: 'By the size of a generated corpus', drawn: 1 });
  return { tables, goals };
}

const columns = ['', 'p50', 'p95', '× bare', 'CPU per search', 'loop delay p99'];

interface Measured {
  readonly rows: readonly Row[];
  readonly ratio: number;
  readonly delayAt50: number;
}

function asTable({ rows }: Measured) {
  return { columns, rows };
}

async function measure(
  server: BenchServer,
  questions: readonly string[],
  atOnce: readonly number[],
  { rounds, searches, say }: Load,
): Promise<Measured> {
  await ask(server, questions, 24, 4);
  const bare: number[] = [];
  const found = new Map(atOnce.map((count) => [count, { p50: [], p95: [], ratio: [], cpu: [], delay: [] } as Figures]));
  for (let round = 0; round < rounds; round += 1) {
    const control = median(bareQueries(server.index, questions));
    bare.push(control);
    for (const [count, figures] of found) {
      await server.delay();
      const before = await server.cpu();
      const times = await ask(server, questions, Math.max(searches, 2 * count), count);
      figures.cpu.push(((await server.cpu()) - before) / times.length);
      figures.p50.push(median(times));
      figures.p95.push(quantile(times, 0.95));
      figures.ratio.push(median(times) / control);
      figures.delay.push((await server.delay()).p99);
    }
    const shown = [...found].map(([count, { p50 }]) => `${count}: ${p50.at(-1)!.toFixed(1)}`);
    say(`round ${round + 1}: bare ${control.toFixed(2)}, at a time ${shown.join(', ')} ms`);
  }
  const rows: Row[] = [...found].map(([count, { p50, p95, ratio, cpu, delay }]) => ({
    name: `${count} at a time`,
    own: true,
    cells: [spread(p50, 'ms'), spread(p95, 'ms'), spread(ratio, '×'), spread(cpu, 'ms'), spread(delay, 'ms')],
  }));
  const first = found.get(1)!;
  return {
    rows: [{ name: 'bare FTS5 query', cells: [spread(bare, 'ms'), '', '', '', ''] }, ...rows],
    ratio: median(first.ratio),
    delayAt50: median(found.get(50)?.delay ?? []),
  };
}

type Figures = Record<'p50' | 'p95' | 'ratio' | 'cpu' | 'delay', number[]>;

let asked = 0;

/** The milliseconds that each of `count` searches took, `concurrency` at a time. */
async function ask(
  server: BenchServer,
  questions: readonly string[],
  count: number,
  concurrency: number,
): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < count) {
        next += 1;
        asked += 1;
        const begun = performance.now();
        const response = await fetch(`${server.url}/v1/search`, {
          method: 'POST',
          headers: { 'x-api-key': server.keys[asked % server.keys.length]!, 'content-type': 'application/json' },
          body: JSON.stringify({ prompt: questions[asked % questions.length] }),
        });
        await response.text();
        if (response.status !== 200) throw new Error(`a search was answered with ${response.status}`);
        times.push(performance.now() - begun);
      }
    }),
  );
  return times;
}

/** The milliseconds that the same words took as bare OR queries over the same passages, in this process. */
function bareQueries(index: string, questions: readonly string[]): number[] {
  const db = new Database(index, { readonly: true });
  const query = db.prepare('SELECT rowid FROM passage_words WHERE passage_words MATCH ? ORDER BY rank LIMIT 10');
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (const question of questions.slice(0, 50)) {
      const words = question.match(/[\p{L}\p{N}]+/gu)!.filter((word) => word.length > 3);
      const begun = performance.now();
      query.all(words.map((word) => `"${word}"`).join(' OR '));
      if (round > 0) times.push(performance.now() - begun);
    }
  }
  db.close();
  return times;
}
