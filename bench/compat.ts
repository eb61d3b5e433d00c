/** What a token costs through the doors of OpenAI, compared with the native event stream, under the load of `relay`. */
import { measureRounds } from './support/relay-rounds.ts';
import type { BenchOptions, BenchResult } from './support/report.ts';
import { ratios, spread } from './support/stats.ts';

const ways = {
  sse: { peer: 'citewire', env: { BENCH_DOOR: 'sse' } },
  chat: { peer: 'citewire', env: { BENCH_DOOR: 'chat' } },
  responses: { peer: 'citewire', env: { BENCH_DOOR: 'responses' } },
} as const;

/** CPU time per token in µs, with a goal for each door. */
export default async function compat({ quick, say }: BenchOptions): Promise<BenchResult> {
  const streams = quick ? 100 : 200;
  const costs = await measureRounds(ways, { streams, rounds: quick ? 3 : 5, ms: quick ? 2_500 : 3_000, say });
  const against = (name: keyof typeof ways) => ratios(costs[name], costs.sse);
  const row = (name: string, way: keyof typeof ways) => ({
    name,
    own: true,
    cells: [spread(costs[way], 'µs'), against(way)],
  });
  return {
    tables: [
      {
        title: `CPU per token by door, ${streams} streams × 60 tokens/s`,
        columns: ['', 'CPU per token', '× native'],
        rows: [
          row('`POST /v1/search`, events', 'sse'),
          row('`POST /v1/chat/completions`', 'chat'),
          row('`POST /v1/responses`', 'responses'),
        ],
        drawn: 1,
      },
    ],
    goals: [
      { text: 'chat completions against the native events', limit: 1.3, got: against('chat').median },
      { text: 'responses against the native events', limit: 1.3, got: against('responses').median },
    ],
  };
}
