/**
 * A server as `npm start` starts it: the bundle, in its own process, with the same flags. Each of its threads has a probe
 * (probe.js), which says how much CPU and memory it takes.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAccounts } from '../../src/access/accounts.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { openStore } from '../../src/store/store.ts';
import { createReader } from '../../src/web/reader.ts';
import { nodeOptions } from '../support/npm-start.ts';

export interface Measured {
  /** User and system CPU time of all threads so far, ms. */
  readonly cpu: number;
  /** The p99 of the delay of the event loop since the previous call, ms. */
  readonly delay: number;
  /** Of each heap: bytes in use (with what has not been collected yet), resident bytes, and bytes outside that it keeps. */
  readonly threads: readonly {
    readonly name: string;
    readonly used: number;
    readonly physical: number;
    readonly external: number;
  }[];
}

export interface StartedServer {
  readonly url: string;
  readonly keys: readonly string[];
  /** The index file. */
  readonly index: string;
  readonly passages: number;
  /** Where probes write heap snapshots, once it has a file `snapshot`. */
  readonly probed: string;
  measure(): Promise<Measured>;
  /** Resident memory, bytes. */
  resident(): number;
  /** Of /proc/<pid>/status, in KiB. Linux only. */
  status(): Readonly<Record<string, number>>;
  /** Stops it and removes its data folder. */
  close(): Promise<void>;
}

/** A key may make 100 calls a minute. */
const keyCount = 1_000;
const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Starts a server over an index of `folder`, or over a copy of another server's file `index`. `settings` are environment
 * variables. Rejects if it ends before it listens.
 */
export async function startServer(
  pages: { readonly folder: string } | { readonly index: string },
  settings: Readonly<Record<string, string>> = {},
): Promise<StartedServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'citewire-throughput-'));
  const index = join(dataDir, 'index.db');
  // The copy of a database in use is complete with its log.
  if ('index' in pages) await new (loadSqlite())(pages.index, { readonly: true }).backup(index);
  const { keys, passages } = await prepare(dataDir, 'folder' in pages ? pages.folder : undefined);
  const probed = join(dataDir, 'probe');
  mkdirSync(probed);
  const server = fork(join(root, 'tools/start.js'), ['serve'], {
    execArgv: [...nodeOptions],
    env: {
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${new URL('./probe.js', import.meta.url).href}`,
      PROBE_FOLDER: probed,
      DATA_DIR: dataDir,
      PORT: '0',
      MEDIAWIKI_URL: 'off',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const status = () => {
    const lines = readFileSync(`/proc/${server.pid}/status`, 'utf8').matchAll(/^(\w+):\s+(\d+) kB$/gm);
    return Object.fromEntries([...lines].map(([, name, value]) => [name!, Number(value)]));
  };
  return {
    url: await addressOf(server),
    keys,
    index,
    passages,
    probed,
    async measure() {
      server.send('measure');
      const [answer] = await once(server, 'message');
      return answer;
    },
    resident: () => status().VmRSS! * 1024,
    status,
    async close() {
      if (server.exitCode === null) {
        const gone = once(server, 'exit');
        server.kill('SIGTERM');
        await gone;
      }
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Indexes the pages, if any, and creates keys, while the server does not run. */
async function prepare(dataDir: string, folder: string | undefined): Promise<{ keys: string[]; passages: number }> {
  const corpus = await openCorpus({ file: join(dataDir, 'index.db') });
  if (folder !== undefined) {
    const reader = createReader({});
    await corpus.index({ kind: 'folder', path: folder }, { extract: reader.extractFile });
    await reader.close();
  }
  const { passages } = await corpus.stats();
  await corpus.close();
  const store = await openStore({ dataDir });
  const accounts = createAccounts({ records: store.access });
  const keys: string[] = [];
  for (let i = 0; i < keyCount; i += 1) {
    keys.push((await accounts.createKey({ plan: 'pro', name: `bench ${i}` })).plaintext);
  }
  await store.close();
  return { keys, passages };
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
