/**
 * `npm run bench -- throughput [folder] --memory [searches]`: the memory of a server, started as `npm start` does, idle,
 * after 1,000, 5,000 and 20,000 searches at 8 at a time, and some seconds after the last: what is resident, how much of it is
 * the heap of each thread, and what is in no heap (`other`: SQLite, malloc, stacks). Linux only: it reads /proc.
 *
 * `--snapshots <folder>` writes a heap snapshot of each thread after the last search.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAccounts } from '../../src/access/accounts.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { openStore } from '../../src/store/store.ts';
import { createReader } from '../../src/web/reader.ts';
import { type Started, start } from '../support/processes.ts';
import { formatResult } from '../support/report.ts';
import type { Row } from '../support/table.ts';
import type { SearchClientsApi } from './search-clients.ts';

interface Measured {
  /** Of all threads so far, ms. */
  readonly cpu: number;
  /** Of each heap: bytes in use (with what has not been collected yet), resident bytes, and bytes outside that it keeps. */
  readonly threads: readonly {
    readonly name: string;
    readonly used: number;
    readonly physical: number;
    readonly external: number;
  }[];
}

/** A key may make 100 calls a minute. */
const keyCount = 300;
const stops = [1_000, 5_000, 10_000, 20_000, 40_000];
const atATime = 8;
/** Until a server that has just been started, or loaded, has given back what it does not need: see src/base/memory. */
const restMs = { started: 20_000, loaded: 75_000 };
/** Searches after the rest, whose cost shows what it took from the server. */
const afterRest = 60;
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Prints a table with a row for each number of searches. */
export async function measureMemory(
  pages: { readonly folder: string; readonly questions: readonly string[] },
  { searches = 20_000, snapshots }: { readonly searches?: number; readonly snapshots?: string | undefined },
  say: (line: string) => void,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'citewire-memory-'));
  const clients = await start<SearchClientsApi>(new URL('./search-clients.ts', import.meta.url));
  let server: ChildProcess | undefined;
  try {
    say('indexing the pages');
    const keys = await prepare(dataDir, pages.folder);
    const probed = join(dataDir, 'probe');
    mkdirSync(probed);
    server = startServer(dataDir, probed);
    const url = await addressOf(server);
    await sleep(restMs.started);
    const rows = [toRow('idle', await query(server), memoryOf(server))];
    let made = 0;
    let before = (await query(server)).cpu;
    for (const stop of [...stops.filter((each) => each < searches), searches]) {
      const count = stop - made;
      const { seconds } = await load(clients, { url, keys }, pages.questions, count);
      made = stop;
      const after = await query(server);
      const memory = memoryOf(server);
      const rate = `${(count / seconds).toFixed(0)}/s, ${((after.cpu - before) / count).toFixed(1)} ms CPU a search`;
      before = after.cpu;
      say(`${stop} searches: ${(memory.VmRSS! / 1024).toFixed(0)} MiB, ${rate}`);
      rows.push(toRow(`${stop.toLocaleString('en')} searches`, after, memory));
    }
    await sleep(restMs.loaded);
    const rested = await query(server);
    rows.push(toRow('at rest', rested, memoryOf(server)));
    await load(clients, { url, keys }, pages.questions, afterRest);
    say(`after it: ${(((await query(server)).cpu - rested.cpu) / afterRest).toFixed(1)} ms CPU a search`);
    if (snapshots !== undefined) {
      writeFileSync(join(probed, 'snapshot'), '');
      await load(clients, { url, keys }, pages.questions, 4 * atATime);
      await query(server);
      for (const name of readdirSync(probed).filter((each) => each.endsWith('.heapsnapshot'))) {
        copyFileSync(join(probed, name), join(snapshots, name));
      }
    }
    const names = (await query(server)).threads.map(({ name }) => `heap of ${name}`);
    const columns = ['', 'resident', 'mapped files', 'buffers', 'other', ...names];
    process.stdout.write(`\n${formatResult({ tables: [{ title: 'Memory', columns, rows }], goals: [] })}\n`);
  } finally {
    if (server !== undefined) await end(server);
    await clients.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function load(
  clients: Started<SearchClientsApi>,
  { url, keys }: { readonly url: string; readonly keys: readonly string[] },
  questions: readonly string[],
  count: number,
) {
  return clients.run({ door: 'json', servers: [{ url, keys }], questions, count, atATime });
}

/** Indexes the pages and creates keys; the server must not run. Resolves with the keys. */
async function prepare(dataDir: string, folder: string): Promise<string[]> {
  const corpus = await openCorpus({ file: join(dataDir, 'index.db') });
  const reader = createReader({});
  const extract = reader.extractFile;
  await corpus.index({ kind: 'folder', path: folder }, { extract });
  await reader.close();
  await corpus.close();
  const store = await openStore({ dataDir });
  const accounts = createAccounts({ records: store.access });
  const keys: string[] = [];
  for (let i = 0; i < keyCount; i += 1) {
    keys.push((await accounts.createKey({ plan: 'pro', name: `bench ${i}` })).plaintext);
  }
  await store.close();
  return keys;
}

function startServer(dataDir: string, probed: string): ChildProcess {
  const probe = new URL('./memory-probe.js', import.meta.url).href;
  return fork(join(root, 'tools/start.js'), ['serve'], {
    execArgv: ['--enable-source-maps', '--max-semi-space-size=4'],
    env: {
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${probe}`,
      MEMORY_PROBE: probed,
      DATA_DIR: dataDir,
      PORT: '0',
      MEDIAWIKI_URL: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}

/** The address that the server prints when it listens. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    server.stdout!.setEncoding('utf8').on('data', (text) => {
      const address = /http:\/\/[\d.]+:\d+/.exec(text);
      if (address !== null) resolve(address[0]);
    });
    server.on('exit', () => reject(new Error('the server ended before it listened')));
  });
}

async function query(server: ChildProcess): Promise<Measured> {
  server.send('measure');
  const [answer] = await once(server, 'message');
  return answer;
}

/** Of /proc/<pid>/status, in KiB. */
function memoryOf({ pid }: ChildProcess): Record<string, number> {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').matchAll(/^(\w+):\s+(\d+) kB$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name!, Number(value)]));
}

function toRow(name: string, { threads }: Measured, memory: Record<string, number>): Row {
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

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGTERM');
  await gone;
}
