/** Shuts a server down in an order that lets running work finish. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from '../runs/registry.ts';
import type { BackgroundRuns } from '../service/searches/background.ts';
import type { Server } from '../transport/exchange.ts';
import type { Transport } from '../transport/server.ts';
import type { Closers } from './parts/closers.ts';

/** How long answers that are on their way may take once nothing runs any more; set by hand. */
const lastAnswersMs = 1_000;

export interface RunningParts {
  /** They begin work that no caller asks for. A page that they are reading can take seconds to end. */
  readonly producers: readonly { close(): Promise<void> }[];
  readonly background: Pick<BackgroundRuns, 'drain'>;
  readonly transport: Pick<Transport, 'drain' | 'end'>;
  readonly runs: Pick<Registry, 'idle' | 'close'>;
  readonly server: Pick<Server, 'drain' | 'stopListening'>;
  readonly closers: Pick<Closers, 'closeAll'>;
}

/**
 * A function that begins no new work, lets running work finish for at most `graceMs`, 30 s by default, and then closes
 * everything. Calling it again can only shorten the wait.
 */
export function createShutDown(parts: RunningParts): (graceMs?: number) => Promise<void> {
  const expiry = new AbortController();
  let closing: Promise<void> | undefined;

  async function shutDown(): Promise<void> {
    const { producers, background, transport, runs, server, closers } = parts;
    const expired = new Promise((resolve) => expiry.signal.addEventListener('abort', resolve));
    background.drain();
    server.drain();
    const begun = Promise.all(producers.map((producer) => producer.close()));
    const answered = transport.drain();
    await Promise.race([Promise.all([answered, begun.then(() => runs.idle())]), expired]);
    server.stopListening();
    await begun;
    // Running searches are cancelled. Their readers get that event in a later tick, and only then may connections close.
    await runs.close();
    await new Promise((resolve) => setTimeout(resolve));
    const waiting = new AbortController();
    await Promise.race([answered, sleep(lastAnswersMs, undefined, { signal: waiting.signal }).catch(() => {})]);
    waiting.abort();
    transport.end();
    await closers.closeAll();
  }

  return (graceMs = 30_000) => {
    closing ??= shutDown();
    setTimeout(() => expiry.abort(), graceMs).unref();
    return closing;
  };
}
