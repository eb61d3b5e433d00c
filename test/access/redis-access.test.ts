/** What the log says of a Redis that cannot be used, or not as REDIS_URL says. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedisAccess } from '../../src/access/redis-access.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';

interface Line {
  readonly msg: string;
  readonly reason?: string;
}

/** What was written to the console. Replaced before the first connection, which wraps it. */
const written: unknown[] = [];
console.warn = (...words) => written.push(...words);

/** The lines of the log after a start with this Redis. */
async function linesWith(url: string): Promise<Line[]> {
  const lines: Line[] = [];
  const out = { isTTY: false, hasColors: () => false, write: (line: string) => lines.push(JSON.parse(line)) };
  written.length = 0;
  const access = await openRedisAccess(url, createMetrics(), createLog('info', { out: out as never }));
  await access.limiter.close();
  await access.revocations.close();
  access.disconnect();
  return lines;
}

const refused = [expect.objectContaining({ reason: 'it refused the user or the password in REDIS_URL' })];

describe('without a Redis', () => {
  it('says that another server answers there', async () => {
    const server = createServer((socket) => void socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { port: number };
    const lines = await linesWith(`redis://127.0.0.1:${port}`);
    server.close();
    expect(lines).toMatchObject([{ reason: expect.stringContaining('does not speak the protocol of Redis') }]);
  });

  it('says that nothing answers there', async () => {
    const lines = await linesWith('redis://127.0.0.1:1');
    expect(lines).toMatchObject([{ reason: expect.stringContaining('ECONNREFUSED') }]);
  });
});

describe.skipIf(!hasRedis)('a Redis', () => {
  let server: TestRedis;
  let open: TestRedis;
  beforeAll(async () => {
    open = await startRedis();
    server = await startRedis();
    const redis = new Redis(server.url);
    await redis.acl('SETUSER', 'citewire', 'on', '>right', '~*', '&*', '+@all');
    await redis.config('SET', 'requirepass', 'right');
    redis.disconnect();
  });
  afterAll(async () => {
    await open?.stop();
    await server?.stop();
  });

  it.each(['', 'citewire:wrong@', ':wrong@'])('names a password that is missing or wrong: %o', async (user) => {
    const lines = await linesWith(`redis://${user}127.0.0.1:${server.port}`);
    expect(lines).toEqual(refused);
  });

  it('that needs no password is used, and says so once, as a line of the log', async () => {
    const lines = await linesWith(`redis://:unused@127.0.0.1:${open.port}`);
    expect(
      lines.map(({ reason = '' }) => reason).filter((reason) => /does not require a password/.test(reason)),
    ).toHaveLength(1);
    expect(lines).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('shared by all processes') }));
    expect(written).toEqual([]);
  });
});
