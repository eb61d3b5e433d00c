import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/identity.ts';
import { createMemoryTicketStore, createTickets, type TicketStore } from '../../src/access/tickets.ts';
import { createRedisTicketStore } from '../../src/access/tickets-redis.ts';
import { connectRedis } from '../../src/base/redis/redis.ts';
import { ticketLaws } from '../contracts/tickets.ts';
import { freshPrefix, hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';

ticketLaws('the memory of one process', async () => {
  let at = 1_000;
  const kept: [string, string][] = [];
  const memory = createMemoryTicketStore({ now: () => at });
  const store: TicketStore = {
    put(hash, value, ttl_s) {
      kept.push([hash, value]);
      return memory.put(hash, value, ttl_s);
    },
    take: memory.take,
  };
  return {
    store,
    advance: async (ms) => {
      at += ms + 1;
    },
    dump: async () => JSON.stringify(kept),
    close: async () => {},
  };
});

describe.skipIf(!hasRedis)('over a real Redis', () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  ticketLaws('Redis', async () => {
    const redis = connectRedis(server.url);
    while (redis.status !== 'ready') await sleep(5);
    return {
      store: createRedisTicketStore({ redis, prefix: freshPrefix() }),
      advance: (ms) => sleep(ms + 50).then(() => {}),
      async dump() {
        const names = await redis.keys('*');
        return JSON.stringify(await Promise.all(names.map(async (name) => [name, await redis.get(name)])));
      },
      close: async () => redis.disconnect(),
    };
  });

  it('answers overloaded when Redis is gone, instead of failing or waiting', async () => {
    const redis = connectRedis('redis://127.0.0.1:1');
    const tickets = createTickets({ store: createRedisTicketStore({ redis }) });
    const caller: Caller = { key_id: 'abcdefgh', account_id: 'acc_1', plan: 'pro', scopes: [] };
    await expect(tickets.issue(caller, { ttl_s: 60 })).rejects.toMatchObject({ code: 'overloaded' });
    await expect(tickets.redeem('A'.repeat(43), undefined)).rejects.toMatchObject({ code: 'overloaded' });
    redis.disconnect();
  });
});
