/**
 * One of several processes that call the limiter for one key as hard as they can: bursts around moments that all of them
 * know, and single calls in between. Sends `ready`, receives its order, and reports every call with the times between which
 * Redis saw it, on the machine's clock.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRedisLimiter } from '../../../src/access/limiter/redis.ts';
import type { Limit } from '../../../src/access/plans.ts';
import { connectRedis } from '../../../src/base/redis/redis.ts';

export interface HammerOrder {
  readonly url: string;
  readonly prefix: string;
  readonly node: string;
  readonly limit: Limit;
  readonly runMs: number;
  readonly edgeMs: number;
}

/** `allowed` is undefined where no answer came in time. */
export interface HammerCall {
  readonly sent: number;
  readonly answered: number;
  readonly allowed: boolean | undefined;
}

/** Milliseconds on the one clock that all processes of a machine share. */
const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6;

process.once('message', async (order: HammerOrder) => {
  const redis = connectRedis(order.url);
  const limiter = createRedisLimiter({ redis, node: order.node, prefix: order.prefix });
  while (redis.status !== 'ready') await sleep(5);
  await limiter.probe();
  const calls: HammerCall[] = [];
  const until = machineMs() + order.runMs;

  async function call(): Promise<void> {
    const sent = machineMs();
    const allowed = await limiter.take('key', order.limit).then(
      (decision) => decision.allowed,
      () => undefined,
    );
    calls.push({ sent, answered: machineMs(), allowed });
  }

  while (machineMs() < until) {
    const toEdge = order.edgeMs - (machineMs() % order.edgeMs);
    if (toEdge < 3) await Promise.all(Array.from({ length: 6 }, call));
    else await call();
    await sleep(Math.min(Math.max(1, toEdge - 2), 1 + Math.random() * 15));
  }
  redis.disconnect();
  process.send!(calls, () => process.disconnect());
});
process.send?.('ready');
