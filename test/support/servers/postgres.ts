/**
 * A real Postgres: TEST_DATABASE_URL if it is set, else one on a free port, in a temporary folder, that can be paused, killed
 * and restarted. Postgres does not run as root, so tests that do start it as another user. Each test gets its own schema,
 * which is as good as its own database and takes a millisecond to create.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createCluster, ordinaryUser } from '../databases/postgres-cluster.ts';
import { freePort } from './free-port.ts';
import { findProgram } from './programs.ts';

export interface TestPostgres {
  /** For the superuser, who needs no password. */
  readonly url: string;
  readonly port: number;
  /** The URL of a new, empty schema. */
  fresh(): Promise<string>;
  /** Runs it as the superuser. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export interface OwnPostgres extends TestPostgres {
  /** SIGSTOP: connections stay open, nothing answers. */
  pause(): void;
  resume(): void;
  /** Ends it immediately, as a crash would; `start` brings it back on the same port, with what was committed. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Starts a standby that follows it, of which nothing committed is lost: a commit waits for it. */
  startStandby(): Promise<Standby>;
}

export interface Standby {
  readonly url: string;
  /** Makes it a primary; resolves when it accepts writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** For `describe.skipIf`: whether there is a Postgres to start, and whether there is one at all. */
export const hasOwnPostgres = findProgram('postgres') !== undefined;
export const hasPostgres = hasOwnPostgres || process.env.TEST_DATABASE_URL !== undefined;

export function openPostgresServer(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  return given === undefined ? startPostgres() : Promise.resolve(onServer(given));
}

/** `durable`: with fsync, so that what is committed survives a crash of the machine, as in production. */
export async function startPostgres(options: { readonly durable?: boolean } = {}): Promise<OwnPostgres> {
  const program = findProgram('postgres');
  if (program === undefined) throw new Error('expected postgres on the PATH or in /usr/lib/postgresql; found none');
  const bin = dirname(realpathSync(program));
  const folder = mkdtempSync(join(tmpdir(), 'citewire-postgres-'));
  const user = ordinaryUser();
  const asUser = { ...user, cwd: folder, env: { LC_ALL: 'C', PATH: process.env.PATH } };
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  createCluster(program, data, asUser);
  requirePassword(data);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = {
    ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '', shared_buffers: '16MB' },
    fsync: options.durable === true ? 'on' : 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    if (server !== undefined && !hasEnded(server)) return;
    server = spawn(join(bin, 'postgres'), ['-D', data, ...args], { ...asUser, stdio: 'ignore' });
    await untilReady(url);
  }

  async function kill(): Promise<void> {
    if (server === undefined || hasEnded(server)) return;
    const gone = once(server, 'exit');
    // An immediate shutdown: its children end too, and nothing more is written.
    server.kill('SIGQUIT');
    await gone;
  }

  async function startStandby(): Promise<Standby> {
    const copy = join(folder, 'standby');
    const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'];
    execFileSync(join(bin, 'pg_basebackup'), ['-D', copy, '-R', '-X', 'stream', ...from], {
      ...asUser,
      stdio: 'ignore',
    });
    const ownPort = await freePort();
    const ownUrl = `postgres://postgres@127.0.0.1:${ownPort}/postgres`;
    // Later options win.
    const standby = spawn(join(bin, 'postgres'), ['-D', copy, ...args, '-c', `port=${ownPort}`], {
      ...asUser,
      stdio: 'ignore',
    });
    await untilReady(ownUrl);
    const { query } = onServer(url);
    await query("alter system set synchronous_standby_names = '*'");
    await query('select pg_reload_conf()');
    const isFollowed = async () => (await query("select 1 from pg_stat_replication where sync_state = 'sync'")).length;
    while ((await isFollowed()) === 0) await sleep(50);
    return {
      url: ownUrl,
      async promote() {
        const promoted = onServer(ownUrl);
        // It has the setting of the primary, too, and no standby of its own.
        await promoted.query("alter system set synchronous_standby_names = ''");
        await promoted.query('select pg_promote()');
        await promoted.query('select pg_reload_conf()');
      },
      async stop() {
        if (hasEnded(standby)) return;
        const gone = once(standby, 'exit');
        standby.kill('SIGQUIT');
        await gone;
      },
    };
  }

  async function stop(): Promise<void> {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  }

  await start();
  return {
    ...onServer(url, stop),
    pause: () => signalAll(server, 'SIGSTOP'),
    resume: () => signalAll(server, 'SIGCONT'),
    kill,
    start,
    startStandby,
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** `stopServer` removes the server with all that is in it; without one, `stop` removes the schemas. */
function onServer(url: string, stopServer?: () => Promise<void>): TestPostgres {
  const schemas: string[] = [];
  const query = async (sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  return {
    url,
    port: Number(new URL(url).port || 5432),
    query,
    async fresh() {
      const schema = `test_${randomBytes(6).toString('hex')}`;
      await query(`create schema ${schema}`);
      schemas.push(schema);
      const fresh = new URL(url);
      fresh.searchParams.set('options', `-csearch_path=${schema}`);
      return fresh.href;
    },
    async stop() {
      if (stopServer !== undefined) return stopServer();
      for (const schema of schemas) await query(`drop schema ${schema} cascade`).catch(() => {});
    },
  };
}

/** For the user `locked` only, so that a test can have a wrong password. */
function requirePassword(data: string): void {
  const file = join(data, 'pg_hba.conf');
  writeFileSync(file, `host all locked 127.0.0.1/32 scram-sha-256\n${readFileSync(file, 'utf8')}`);
}

/** The server and its children, each of which is its own process group. */
function signalAll(server: ChildProcess | undefined, signal: NodeJS.Signals): void {
  const pid = server?.pid;
  if (server === undefined || pid === undefined || hasEnded(server)) return;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  process.kill(pid, signal);
  for (const child of children) {
    try {
      process.kill(child, signal);
    } catch {
      // It has ended in the meantime.
    }
  }
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(50);
    }
  }
}
