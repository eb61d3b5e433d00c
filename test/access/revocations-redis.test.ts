import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedisRevocations } from '../../src/access/revocations-redis.ts';
import { freshPrefix, hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';

describe.skipIf(!hasRedis)('revocations over a real Redis', () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  async function openListener(channel: string) {
    const heard: string[] = [];
    let sessions = 0;
    const revocations = createRedisRevocations({ url: server.url, channel, onListening: () => sessions++ });
    revocations.onAnnounced((accountId) => heard.push(accountId));
    await expect.poll(() => sessions).toBe(1);
    return { revocations, heard, sessions: () => sessions };
  }

  it('announces a revocation to every process, and immediately to its own', async () => {
    const channel = freshPrefix();
    const [one, two] = [await openListener(channel), await openListener(channel)];
    one.revocations.announce('acc_1');
    expect(one.heard).toEqual(['acc_1']);
    await expect.poll(() => two.heard).toEqual(['acc_1']);
    await one.revocations.close();
    await two.revocations.close();
  });

  it('sends a revocation from a process that exits right after', async () => {
    const channel = freshPrefix();
    const listener = await openListener(channel);
    const command = createRedisRevocations({ url: server.url, channel });
    command.announce('acc_2');
    await command.close();
    await expect.poll(() => listener.heard).toEqual(['acc_2']);
    await listener.revocations.close();
  });

  it('receives revocations again after Redis was away, and fails nothing meanwhile', async () => {
    const channel = freshPrefix();
    const [one, two] = [await openListener(channel), await openListener(channel)];
    await server.kill();
    one.revocations.announce('acc_3');
    await server.start();
    await expect.poll(() => [one.sessions(), two.sessions()]).toEqual([2, 2]);
    one.revocations.announce('acc_4');
    await expect.poll(() => two.heard).toContain('acc_4');
    await one.revocations.close();
    await two.revocations.close();
  });
});
