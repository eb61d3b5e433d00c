/** What uWebSockets.js saves compared with the portable transport (node:http + ws), under the load of `relay`. */

import { measureRounds } from './support/relay-rounds.ts';
import type { BenchOptions, BenchResult } from './support/report.ts';
import { ratios, spread } from './support/stats.ts';

const ways = {
  uws: { peer: 'citewire', env: { TRANSPORT: 'uws' } },
  node: { peer: 'citewire', env: { TRANSPORT: 'node' } },
} as const;

/** CPU time per token in µs. */
export default async function transport({ quick, say }: BenchOptions): Promise<BenchResult> {
  const streams = quick ? 100 : 200;
  const costs = await measureRounds(ways, { streams, rounds: quick ? 3 : 5, ms: quick ? 2_500 : 3_000, say });
  const rows = [
    { name: 'uWebSockets.js', own: true, cells: [spread(costs.uws, 'µs'), ratios(costs.uws, costs.node)] },
    { name: 'node:http + ws', cells: [spread(costs.node, 'µs'), ratios(costs.node, costs.node)] },
  ];
  const title = `CPU per token by transport, ${streams} streams × 60 tokens/s`;
  return { tables: [{ title, columns: ['', 'CPU per token', '× portable'], rows, drawn: 1 }], goals: [] };
}
