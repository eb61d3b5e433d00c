/**
 * `npm run bench -- shared-log [--quick]`: what it costs that other processes can resume a search: CPU time per token, from the
 * model's stream to a client's frame, with the log in memory alone and with the log shared over Redis. The CPU of Redis itself is
 * not counted.
 */
import { startRedis } from '../../test/support/servers/redis.ts';
import { measureRounds } from '../support/relay-rounds.ts';
import { type BenchOptions, formatResult } from '../support/report.ts';
import { ratios, spread } from '../support/stats.ts';

/** Prints the CPU per token of both, in µs, and a goal for the ratio. */
export default async function sharedLog(_args: string[], { quick, say }: BenchOptions): Promise<void> {
  const redis = await startRedis();
  const ways = {
    memory: { peer: 'citewire' },
    redis: { peer: 'citewire', env: { REDIS_URL: redis.url } },
  };
  try {
    const streams = quick ? 100 : 200;
    const costs = await measureRounds(ways, { streams, rounds: quick ? 3 : 5, ms: quick ? 2_500 : 3_000, say });
    const ratio = ratios(costs.redis, costs.memory);
    const result = {
      tables: [
        {
          title: `CPU per token by the place of the log, ${streams} streams × 60 tokens/s`,
          columns: ['', 'CPU per token', '× memory'],
          rows: [
            { name: 'in memory', own: true, cells: [spread(costs.memory, 'µs'), ''] },
            { name: 'shared over Redis', own: true, cells: [spread(costs.redis, 'µs'), ratio] },
          ],
        },
      ],
      goals: [{ text: 'over Redis, against in memory', limit: 1.3, got: ratio.median }],
    };
    process.stdout.write(`\n## shared-log\n\n${formatResult(result)}\n`);
  } finally {
    await redis.stop();
  }
}
