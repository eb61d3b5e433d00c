/**
 * What it costs that a search is shown as ended only once it is stored: the time from the engine's terminal event to that
 * event in the log, and the CPU time of a whole search, over each store and for records that are only kept in memory.
 *
 *   npm run bench -- durability [--quick]
 *
 * Each search cites three pages, which are pinned, and has an idempotency key. At n searches, as many callers start the next
 * one as soon as the last has ended. The stores take turns, round by round. Postgres is left out where there is none; it runs
 * with fsync. The disk is that of the temporary folder.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Citation, SearchEvent } from '../protocol/index.ts';
import { noUsage } from '../protocol/index.ts';
import { openCorpus } from '../src/corpus/corpus.ts';
import type { CitedPages } from '../src/runs/cited-pages.ts';
import { createMemoryRunRecords } from '../src/runs/records/memory-run-records.ts';
import type { RunRecords } from '../src/runs/records/run-records.ts';
import { createRegistry } from '../src/runs/registry.ts';
import type { StartOptions } from '../src/runs/start-options.ts';
import { openStore, type StoreOptions } from '../src/store/store.ts';
import { hasOwnPostgres, startPostgres } from '../test/support/servers/postgres.ts';
import { quantile, spread } from './support/stats.ts';
import { formatCell, formatTable } from './support/table.ts';

interface Backend {
  readonly name: string;
  readonly records: RunRecords;
  readonly cited?: CitedPages;
}

interface Round {
  readonly p50: number;
  readonly p99: number;
  readonly cpu: number;
}

const concurrencies = [1, 8, 64];
const account = { name: 'a', plan: 'pro', status: 'active', status_reason: null, created_at: '2026' } as const;
const timings = { total_ms: 1, stages: {} };

/** Prints a table: ms to the terminal event at p50 and p99, and µs of CPU time per search. */
export default async function durability(args: readonly string[]): Promise<void> {
  const isQuick = args.includes('--quick');
  const [rounds, searches] = isQuick ? [3, 256] : [7, 1_024];
  const folder = mkdtempSync(join(tmpdir(), 'citewire-durability-'));
  const corpus = await openCorpus({ file: join(folder, 'index.db') });
  const pages = await Promise.all(
    [1, 2, 3].map((page) =>
      corpus.putSnapshot({
        url: `https://bench.invalid/${page}`,
        title: 'A page',
        text: `${page} ${'word '.repeat(400)}`,
      }),
    ),
  );
  const postgres = hasOwnPostgres ? await startPostgres({ durable: true }) : undefined;
  const stores = await Promise.all([
    open({ dataDir: folder }),
    ...(postgres === undefined ? [] : [open({ dataDir: folder, databaseUrl: await postgres.fresh() })]),
  ]);
  const backends: Backend[] = [
    { name: 'memory', records: createMemoryRunRecords(10) },
    ...stores.map((store, at) => ({ name: ['SQLite', 'Postgres'][at]!, records: store.runs, cited: corpus })),
  ];
  try {
    const rows: [string, ...string[]][] = [];
    for (const atOnce of concurrencies) {
      const measured = new Map(backends.map(({ name }) => [name, [] as Round[]]));
      for (const backend of backends) await measure(backend, atOnce, searches / 4, pages);
      for (let round = 0; round < rounds; round += 1) {
        for (const backend of backends) {
          measured.get(backend.name)!.push(await measure(backend, atOnce, searches, pages));
        }
      }
      for (const [name, of] of measured) {
        const cell = (pick: (round: Round) => number, unit: string) => formatCell(spread(of.map(pick), unit));
        rows.push([
          `${atOnce} at a time, ${name}`,
          cell(({ p50 }) => p50, 'ms'),
          cell(({ p99 }) => p99, 'ms'),
          cell(({ cpu }) => cpu, 'µs'),
        ]);
      }
    }
    console.log(formatTable(['', 'to the terminal event, p50', 'p99', 'CPU per search'], rows));
  } finally {
    for (const store of stores) await store.close();
    await corpus.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  }
}

async function open(where: StoreOptions) {
  const store = await openStore(where);
  await store.access.addAccount({ id: 'a', ...account });
  return store;
}

async function measure(backend: Backend, atOnce: number, searches: number, pages: readonly string[]): Promise<Round> {
  const runs = createRegistry({ ...backend, retentionMs: 0, onFault: fail });
  const times: number[] = [];
  let started = 0;
  const before = process.cpuUsage();

  async function callRepeatedly(): Promise<void> {
    while (started < searches) {
      started += 1;
      let endedAt = 0;
      const options: StartOptions = {
        ...{ account_id: 'a', request_id: 'r', prompts: ['What is there?'], mode: 'text', engine: 'bench' },
        ...{ deadline_ms: 60_000, onDisconnect: 'continue', grace_ms: 0 },
        idempotency: { key: `${started}`, hash: 'h' },
      };
      const run = await runs.start(options, async function* () {
        for (let from = 0; from < 300; from += 6) yield { type: 'answer.delta', block: 'b1', from, text: 'words ' };
        const last = completed(pages);
        endedAt = performance.now();
        yield last;
      });
      await run.done;
      times.push(performance.now() - endedAt);
    }
  }

  await Promise.all(Array.from({ length: atOnce }, callRepeatedly));
  const { user, system } = process.cpuUsage(before);
  await runs.close();
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), cpu: (user + system) / searches };
}

/** An answer as large as usual: 300 characters, three citations, ten sources. */
function completed(pages: readonly string[]): SearchEvent {
  const quote = 'word '.repeat(40);
  const citations = pages.map((snapshot, at): Citation => {
    const place = { block: 'b1', start: at, end: at + 1, source_start: 2, source_end: 2 + quote.length };
    const url = `https://bench.invalid/${at}`;
    return {
      id: `c${at}`,
      source_id: `src_${at}`,
      n: at + 1,
      url,
      snapshot,
      quote,
      ...place,
      support: 'exact',
      score: 1,
    };
  });
  const sources = Array.from({ length: 10 }, (_, at) => ({
    ...{ id: `src_${at}`, n: at + 1, url: `https://bench.invalid/${at}`, title: 'A page', excerpt: quote.repeat(2) },
  })) as never[];
  const rest = { sources, citations, usage: noUsage, timings };
  const status = 'answered' as const;
  const result = { search_id: 's', status, answer: 'words '.repeat(50), ...rest };
  return { type: 'search.completed', status, result, ...rest };
}

function fail(error: unknown): never {
  throw error;
}
