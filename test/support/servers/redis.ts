/** A real Redis on a free port that can be paused, killed, and restarted empty. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ConnectionOptions } from 'node:tls';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import { findProgram } from './programs.ts';

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** SIGSTOP: connections stay open, nothing answers. */
  pause(): void;
  resume(): void;
  /** Kills it; `start` brings it back on the same port, empty. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** For `describe.skipIf`: whether there is a Redis to start. */
export const hasRedis = findProgram('redis') !== undefined;

/**
 * Resolves when it answers. Throws if it is not installed. `args` are more arguments of `redis-server`; with `tls`, the
 * options to connect with, only TLS is spoken.
 */
export async function startRedis(args: readonly string[] = [], tls?: ConnectionOptions): Promise<TestRedis> {
  const program = findProgram('redis');
  if (program === undefined) throw new Error('expected redis-server on the PATH; found none');
  const port = await freePort();
  const url = `${tls === undefined ? 'redis' : 'rediss'}://127.0.0.1:${port}`;
  const ports = tls === undefined ? ['--port', String(port)] : ['--port', '0', '--tls-port', String(port)];
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const fixed = [...ports, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    server = spawn(program!, [...fixed, ...args], { stdio: 'ignore', cwd: '/tmp' });
    await untilReady(url, tls);
  }

  async function kill(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }

  await start();
  return {
    url,
    port,
    pause: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    kill,
    start,
    stop: kill,
  };
}

/** A name that no other test, and no other run of this one, has used. */
export function freshPrefix(): string {
  return `test:${process.pid}:${performance.now()}`;
}

async function untilReady(url: string, tls: ConnectionOptions | undefined): Promise<void> {
  const secure = tls === undefined ? {} : { tls };
  const redis = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null, ...secure });
  redis.on('error', () => {});
  await redis.ping();
  redis.disconnect();
}
