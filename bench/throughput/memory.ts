/**
 * `npm run bench -- throughput [folder] --memory [searches]`: the memory of a server, started as `npm start` does, idle,
 * after 1,000, 5,000 and 20,000 searches at 8 at a time, and some seconds after the last: what is resident, how much of it is
 * the heap of each thread, and what is in no heap (`other`: SQLite, malloc, stacks). Linux only: it reads /proc.
 *
 * `--snapshots <folder>` writes a heap snapshot of each thread after the last search.
 */
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Started, start } from '../support/processes.ts';
import { formatResult } from '../support/report.ts';
import type { Row } from '../support/table.ts';
import type { SearchClientsApi } from './search-clients.ts';
import { type Measured, type StartedServer, startServer } from './started-server.ts';

const stops = [1_000, 5_000, 10_000, 20_000, 40_000];
const atATime = 8;
/** Until a server that has just been started, or loaded, has returned the memory that it does not need: see src/base/memory. */
const restMs = { started: 20_000, loaded: 75_000 };
/** Searches after the rest, whose cost shows what it took from the server. */
const afterRest = 60;

/** Prints a table with a row for each number of searches. */
export async function measureMemory(
  pages: { readonly folder: string; readonly questions: readonly string[] },
  { searches = 20_000, snapshots }: { readonly searches?: number; readonly snapshots?: string | undefined },
  say: (line: string) => void,
): Promise<void> {
  const clients = await start<SearchClientsApi>(new URL('./search-clients.ts', import.meta.url));
  let server: StartedServer | undefined;
  try {
    say('indexing the pages');
    server = await startServer(pages);
    const load = (count: number) => askAll(clients, server!, pages.questions, count);
    await sleep(restMs.started);
    const rows = [toRow('idle', await server.measure(), server.status())];
    let made = 0;
    let before = (await server.measure()).cpu;
    for (const stop of [...stops.filter((each) => each < searches), searches]) {
      const count = stop - made;
      const { seconds } = await load(count);
      made = stop;
      const after = await server.measure();
      const rate = `${(count / seconds).toFixed(0)}/s, ${((after.cpu - before) / count).toFixed(1)} ms CPU a search`;
      before = after.cpu;
      say(`${stop} searches: ${mebibytes(server.resident())}, ${rate}`);
      rows.push(toRow(`${stop.toLocaleString('en')} searches`, after, server.status()));
    }
    await sleep(restMs.loaded);
    const rested = await server.measure();
    rows.push(toRow('at rest', rested, server.status()));
    await load(afterRest);
    say(`after it: ${(((await server.measure()).cpu - rested.cpu) / afterRest).toFixed(1)} ms CPU a search`);
    if (snapshots !== undefined) {
      const { probed } = server;
      writeFileSync(join(probed, 'snapshot'), '');
      await load(4 * atATime);
      await server.measure();
      for (const name of readdirSync(probed).filter((each) => each.endsWith('.heapsnapshot'))) {
        copyFileSync(join(probed, name), join(snapshots, name));
      }
    }
    const names = rested.threads.map(({ name }) => `heap of ${name}`);
    const columns = ['', 'resident', 'mapped files', 'buffers', 'other', ...names];
    process.stdout.write(`\n${formatResult({ tables: [{ title: 'Memory', columns, rows }], goals: [] })}\n`);
  } finally {
    await server?.close();
    await clients.stop();
  }
}

function askAll(
  clients: Started<SearchClientsApi>,
  { url, keys }: StartedServer,
  questions: readonly string[],
  count: number,
) {
  return clients.run({ door: 'json', servers: [{ url, keys }], questions, count, atATime });
}

function toRow(name: string, { threads }: Measured, memory: Readonly<Record<string, number>>): Row {
  const sum = (of: 'physical' | 'external') => threads.reduce((total, thread) => total + thread[of], 0);
  const other = memory.RssAnon! * 1024 - sum('physical') - sum('external');
  return {
    name,
    own: true,
    cells: [
      mebibytes(memory.VmRSS! * 1024),
      mebibytes(memory.RssFile! * 1024),
      mebibytes(sum('external')),
      mebibytes(other),
      ...threads.map(({ used, physical }) => `${mebibytes(used)} of ${mebibytes(physical)}`),
    ],
  };
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}
