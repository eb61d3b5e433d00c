/**
 * What it costs to relay a token from the model's stream to a client's frame: CPU time of the relaying process per token, at
 * 200 and 500 streams of 60 tokens per second each. Compared with a minimal relay (peers/control.ts) and with relays written
 * with the usual packages.
 */

import { measureRounds } from './support/relay-rounds.ts';
import type { BenchOptions, BenchResult, Goal } from './support/report.ts';
import { ratios, spread } from './support/stats.ts';
import type { Table } from './support/table.ts';

const titles = {
  control: 'undici + bare parsing + bare uWS',
  citewire: 'Citewire',
  'openai-ws': '`openai` + `ws`',
  'fastify-sse': '`openai` + Fastify SSE',
  'socket-io': '`openai` + Socket.IO',
  'ai-sdk': 'AI SDK over Node HTTP',
} as const;
type Name = keyof typeof titles;
const names = Object.keys(titles) as Name[];
const ways = Object.fromEntries(names.map((peer) => [peer, { peer }])) as Record<Name, { peer: string }>;

/** CPU time per token in µs, with goals relative to three of the peers. */
export default async function relay({ quick, say }: BenchOptions): Promise<BenchResult> {
  const tables: Table[] = [];
  const goals: Goal[] = [];
  for (const streams of quick ? [100] : [200, 500]) {
    const costs = await measureRounds(ways, { streams, rounds: quick ? 3 : 5, ms: quick ? 2_500 : 3_000, say });
    const against = (name: Name) => ratios(costs.citewire, costs[name]);
    tables.push({
      title: `CPU per token, ${streams} streams × 60 tokens/s`,
      columns: ['', 'CPU per token', 'Citewire, relative'],
      rows: names.map((name) => {
        const share = name === 'citewire' ? '' : against(name);
        return { name: titles[name], own: name === 'citewire', cells: [spread(costs[name], 'µs'), share] };
      }),
      drawn: 1,
    });
    const goal = (text: string, limit: number, name: Name) =>
      goals.push({ text: `${streams} streams, ${text}`, limit, got: against(name).median });
    goal('against the control', 1.25, 'control');
    goal('against `openai` + `ws`', 0.5, 'openai-ws');
    goal('against the AI SDK', 0.33, 'ai-sdk');
  }
  return { tables, goals };
}
