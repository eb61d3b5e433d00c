/**
 * Many processes, one key, one Redis. No process knows when Redis saw a call, only when it was sent and answered; the checks
 * hold for every order that is possible then. `TEST_LONG=1` uses a limit per minute.
 */
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Limit } from '../../src/access/plans.ts';
import { forkScript } from '../support/processes/run-script.ts';
import type { HammerCall, HammerOrder } from '../support/scripts/call-limiter.ts';
import { freshPrefix, hasRedis, startRedis } from '../support/servers/redis.ts';

const isLong = process.env.TEST_LONG === '1';
const processes = 8;
const runMs = isLong ? 130_000 : 6_000;
const limit: Limit = { bucket: 'calls', policy: 'p', limit: 10, window_s: isLong ? 60 : 1 };
const windowMs = limit.window_s * 1000;

describe.skipIf(!hasRedis)('a key used by 8 processes simultaneously', () => {
  it('never allows more than the limit in any sliding window, and never refuses without need', async () => {
    const server = await startRedis();
    const prefix = freshPrefix();
    const order = { url: server.url, prefix, limit, runMs, edgeMs: windowMs / 2 };
    const hammers = await Promise.all(Array.from({ length: processes }, startHammer));
    const calls = (await Promise.all(hammers.map((run, i) => run({ ...order, node: `p${i}` })))).flat();
    await server.stop();

    const allowed = calls.filter((call) => call.allowed === true);
    const refused = calls.filter((call) => call.allowed === false);
    expect(calls.length).toBeGreaterThan(processes * 50);
    expect(refused.length).toBeGreaterThan(allowed.length);
    // As many calls as there is room for were allowed, except in the first window and between calls.
    expect(allowed.length).toBeGreaterThan((limit.limit * runMs) / windowMs / 2);
    expect(overAdmissions(allowed)).toEqual([]);
    expect(needlessRefusals(calls, refused)).toEqual([]);
  }, 200_000);
});

/** Pairs of allowed calls, `limit` apart, that cannot have been a window apart. */
function overAdmissions(allowed: readonly HammerCall[]): unknown[] {
  const sent = allowed.map((call) => call.sent).sort((a, b) => a - b);
  const answered = allowed.map((call) => call.answered).sort((a, b) => a - b);
  // The i-th earliest moment that can be is no later than the server's i-th, and so with the latest.
  return answered.slice(limit.limit).flatMap((latest, i) => {
    const earliest = sent[i]!;
    return latest - earliest < windowMs ? [{ earliest, latest }] : [];
  });
}

/** Refusals before which fewer calls than the limit can have been counted within a window. */
function needlessRefusals(calls: readonly HammerCall[], refused: readonly HammerCall[]): unknown[] {
  const counted = calls.filter((call) => call.allowed !== false);
  return refused.filter((refusal) => {
    const inWindow = counted.filter((call) => call.answered > refusal.sent - windowMs && call.sent < refusal.answered);
    return inWindow.length < limit.limit;
  });
}

/** Resolves when the process is ready, with how to have it run and report. */
async function startHammer(): Promise<(order: HammerOrder) => Promise<HammerCall[]>> {
  const child = forkScript('call-limiter');
  const ended = once(child, 'exit');
  await once(child, 'message');
  return async (order) => {
    child.send(order);
    const [calls] = (await once(child, 'message')) as [HammerCall[]];
    await ended;
    return calls;
  };
}
