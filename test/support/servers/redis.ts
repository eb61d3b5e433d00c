/** A real Redis on a free port that can be paused, killed, and restarted empty. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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

/** Resolves when it answers. Throws if it is not installed. */
export async function startRedis(): Promise<TestRedis> {
  const program = findProgram('redis');
  if (program === undefined) throw new Error('expected redis-server on the PATH; found none');
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    server = spawn(program!, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
      cwd: '/tmp',
    });
    await untilReady(url);
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

async function untilReady(url: string): Promise<void> {
  const redis = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on('error', () => {});
  await redis.ping();
  redis.disconnect();
}
