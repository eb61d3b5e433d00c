/**
 * Many idle sockets and many streaming ones, a tenth of which read nothing: the server's memory stays within bounds, it
 * closes stalled sockets with 4508, and no client misses anything. `TEST_LONG=1` uses 10,000 and 500 of them.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SearchFrame } from '../../protocol/index.ts';
import { expectDense } from '../contracts/search-laws.ts';
import { connect, type WsClient } from '../support/clients/ws-client.ts';
import { type SoakProcess, startSoakProcess } from '../support/processes/soak-process.ts';

const isLong = process.env.TEST_LONG === '1';
const [idle, streaming] = isLong ? [10_000, 500] : [300, 30];
const stalled = streaming / 10;
const MiB = 1024 * 1024;
/** Limits of the server's memory per socket, and slack for garbage; set by hand. */
const bounds = { idle: 24 * 1024, streaming: 128 * 1024, stalled: 1 * MiB, slack: 96 * MiB };

/** The server gives up on a reader after 20 s without progress, and waits a little for its close frame to arrive. */
const stallMs = 23_000;

let server: SoakProcess;
beforeAll(async () => {
  const [, soft] = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))!;
  const needed = idle + streaming + stalled + 500;
  if (Number(soft) < needed) throw new Error(`expected ulimit -n of at least ${needed}; got ${soft}`);
  server = await startSoakProcess();
});
afterAll(() => server.close());

const open = () => connect(server.url, { 'x-api-key': 'k' });

async function openMany(count: number): Promise<WsClient[]> {
  const clients: WsClient[] = [];
  while (clients.length < count) {
    const many = Math.min(100, count - clients.length);
    clients.push(...(await Promise.all(Array.from({ length: many }, open))));
  }
  return clients;
}

const framesOf = ({ received }: WsClient, search_id: string) =>
  received.filter(
    (frame) => frame.search_id === search_id && typeof frame.seq === 'number',
  ) as unknown as SearchFrame[];

it(`serves ${idle} idle and ${streaming} streaming sockets, ${stalled} of them stalled, within bounds of memory`, {
  timeout: 300_000,
}, async () => {
  (await open()).close();
  const before = await server.memory();
  const idlers = await openMany(idle);
  const withIdle = await server.memory();
  const readers = await openMany(streaming);
  const pausedAt: number[] = [];
  const ids = await Promise.all(
    readers.map(async (reader, at) => {
      const search_id = await reader.start({ prompt: at < stalled ? 'large' : 'small' });
      if (at < stalled) {
        reader.raw.pause();
        pausedAt[at] = performance.now();
      }
      return search_id;
    }),
  );
  const stalls = readers.slice(0, stalled).map(async (reader, at) => {
    await sleep(pausedAt[at]! + stallMs - performance.now());
    reader.raw.resume();
    return reader.closed;
  });
  const most: number[] = [];
  const measuring = setInterval(async () => most.push(await server.memory()), 2_000);
  const closed = await Promise.all(stalls);
  clearInterval(measuring);
  most.push(await server.memory());
  expect(new Set(closed.map(({ code }) => code))).toEqual(new Set([4508]));
  expect((withIdle - before) / idle).toBeLessThan(bounds.idle + bounds.slack / idle);
  const allowed = idle * bounds.idle + streaming * bounds.streaming + stalled * bounds.stalled + bounds.slack;
  expect(Math.max(...most) - before).toBeLessThan(allowed);
  if (isLong) {
    const kib = (bytes: number) => Math.round(bytes / 1024).toLocaleString('en');
    console.log(`${kib((withIdle - before) / idle)} KiB an idle socket, ${kib(Math.max(...most) - before)} KiB in all`);
  }

  const resumed = await Promise.all(
    readers.slice(0, stalled).map(async (reader, at) => {
      const got = framesOf(reader, ids[at]!);
      expectDense(got, 0);
      expect(reader.received.at(-1)).toMatchObject({ type: 'session.closing', code: 4508, resume: true });
      const again = await open();
      const after_seq = got.at(-1)?.seq ?? 0;
      again.send({ type: 'search.resume', ref: 'r', search_id: ids[at], after_seq });
      return { again, got, after_seq };
    }),
  );
  await Promise.all(resumed.map(({ again }) => again.next(({ type }) => type === 'answer.delta')));
  server.end();
  const heads = await Promise.all(
    resumed.map(async ({ again, got, after_seq }, at) => {
      const rest = await again.search(ids[at]!);
      expectDense(rest, after_seq);
      expect(got.length + rest.length).toBeGreaterThan(600);
      return rest.at(-1)!.type;
    }),
  );
  expect(new Set(heads)).toEqual(new Set(['search.failed']));
  for (const [at, reader] of readers.entries()) {
    if (at >= stalled) expectDense(await reader.search(ids[at]!), 0);
  }
  expect(idlers.filter(({ raw }) => raw.readyState !== raw.OPEN)).toEqual([]);
  for (const { raw } of [...idlers, ...readers, ...resumed.map(({ again }) => again)]) raw.terminate();
});
