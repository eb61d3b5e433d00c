/**
 * A real Postgres: TEST_DATABASE_URL where it is set, else one of our own on a free port, in a temporary folder, with the
 * troubles it can have. Postgres does not run as root; a root's tests start it as another user. Each test gets a schema
 * of its own, which is to this program what a database is, and made in a millisecond.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { findProgram } from './programs.ts';

export interface TestPostgres {
  /** Of its superuser, who needs no password. */
  readonly url: string;
  readonly port: number;
  /** The URL of a new, empty schema. */
  fresh(): Promise<string>;
  /** Runs it as the superuser. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export interface OwnPostgres extends TestPostgres {
  /** SIGSTOP: connections stay, nothing answers. */
  pause(): void;
  resume(): void;
  /** Ends it at once, as a crash would; `start` brings it back on the same port, with what was committed. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** For `describe.skipIf`: whether there is a Postgres to start, and whether there is one at all. */
export const hasOwnPostgres = findProgram('postgres') !== undefined;
export const hasPostgres = hasOwnPostgres || process.env.TEST_DATABASE_URL !== undefined;

export function openPostgresServer(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  return given === undefined ? startPostgres() : Promise.resolve(onServer(given, async () => {}));
}

/** `durable`: what is committed outlives a crash of the machine too, as it does in earnest. */
export async function startPostgres(options: { readonly durable?: boolean } = {}): Promise<OwnPostgres> {
  const program = findProgram('postgres');
  if (program === undefined) throw new Error('expected postgres on the PATH or in /usr/lib/postgresql; found none');
  const bin = dirname(realpathSync(program));
  const folder = mkdtempSync(join(tmpdir(), 'citewire-postgres-'));
  const user = ordinaryUser();
  const asUser = { ...user, cwd: folder, env: { LC_ALL: 'C', PATH: process.env.PATH } };
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const made = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...foreignOrder(program)];
  execFileSync(join(bin, 'initdb'), made, { ...asUser, stdio: 'ignore' });
  askForPasswords(data);
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
    // Postgres' own word for a crash: its children end at once too, nothing is written any more.
    server.kill('SIGQUIT');
    await gone;
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
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function onServer(url: string, stopServer: () => Promise<void>): TestPostgres {
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
      for (const schema of schemas) await query(`drop schema ${schema} cascade`).catch(() => {});
      await stopServer();
    },
  };
}

/** An order of text that is not that of its bytes, where this version can have one on every machine. */
function foreignOrder(program: string): string[] {
  const version = Number(/\d+/.exec(execFileSync(program, ['--version']).toString())?.[0]);
  return version >= 15 ? ['--locale-provider=icu', '--icu-locale=en-US'] : [];
}

/** Of the user `locked` alone, so that a test can have a wrong one. */
function askForPasswords(data: string): void {
  const file = join(data, 'pg_hba.conf');
  writeFileSync(file, `host all locked 127.0.0.1/32 scram-sha-256\n${readFileSync(file, 'utf8')}`);
}

/** Whom a root starts it as: Debian's user for it, else the one that owns nothing. */
function ordinaryUser(): { uid: number; gid: number } | { uid?: undefined } {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const user = ['postgres', 'nobody'].flatMap((name) => users.filter((line) => line.startsWith(`${name}:`)))[0];
  const [, , uid, gid] = user?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** The server and its children, each of which is a group of its own. */
function signalAll(server: ChildProcess | undefined, signal: NodeJS.Signals): void {
  const pid = server?.pid;
  if (pid === undefined) return;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  process.kill(pid, signal);
  for (const child of children) {
    try {
      process.kill(child, signal);
    } catch {
      // It has ended meanwhile.
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
