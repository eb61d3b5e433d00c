/**
 * What it costs to bring a token from the model's stream to a client's frame: CPU time of the relaying process a token,
 * at 200 and 500 streams of 60 tokens a second each. Beside the least that can be done (peers/control.ts) and what one
 * writes with the usual packages; in turn, round by round, so that a busy machine is busy for all of them.
 */
import { ratios, spread } from './support/figures.ts';
import { type Started, sleep, start } from './support/processes.ts';
import type { ReadersApi } from './support/readers.ts';
import type { RelayApi } from './support/relay-process.ts';
import type { BenchOptions, BenchResult, Goal, Table } from './support/report.ts';
import type { TokenServerApi } from './support/token-server.ts';

const names = {
  control: 'undici + bare parsing + bare uWS',
  citewire: 'Citewire',
  'openai-ws': '`openai` + `ws`',
  'fastify-sse': '`openai` + Fastify SSE',
  'socket-io': '`openai` + Socket.IO',
  'ai-sdk': 'AI SDK over Node HTTP',
} as const;
type Name = keyof typeof names;
const all = Object.keys(names) as Name[];

export default async function relay({ quick, say }: BenchOptions): Promise<BenchResult> {
  const loads = quick ? [200] : [200, 500];
  const tables: Table[] = [];
  const goals: Goal[] = [];
  for (const streams of loads) {
    const costs = await measureRounds(streams, quick ? 3 : 5, quick ? 2_500 : 4_000, say);
    const against = (name: Name) => ratios(costs.citewire, costs[name]);
    tables.push({
      title: `CPU a token, ${streams} streams × 60 tokens/s`,
      columns: ['', 'CPU a token', 'Citewire’s share of it'],
      rows: all.map((name) => {
        const share = name === 'citewire' ? '' : against(name);
        return { name: names[name], own: name === 'citewire', cells: [spread(costs[name], 'µs'), share] };
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

/** CPU µs a token, a value a round. */
async function measureRounds(
  streams: number,
  rounds: number,
  ms: number,
  say: (line: string) => void,
): Promise<Record<Name, number[]>> {
  const costs = Object.fromEntries(all.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  const upstream = await start<TokenServerApi>(new URL('./support/token-server.ts', import.meta.url));
  const readers = await start<ReadersApi>(new URL('./support/readers.ts', import.meta.url));
  const url = await upstream.url();
  const process = new URL('./support/relay-process.ts', import.meta.url);
  const relays = await Promise.all(all.map((name) => start<RelayApi>(process, [name, url, streams])));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < all.length; turn += 1) {
        const at = (turn + round) % all.length;
        costs[all[at]!].push(await measure(relays[at]!, { upstream, readers, streams, ms }));
      }
      say(
        `round ${round + 1}: ${all.map((name) => `${name} ${costs[name].at(-1)!.toFixed(1)}`).join(', ')} µs a token`,
      );
    }
  } finally {
    await Promise.all([upstream, readers, ...relays].map((each) => each.stop()));
  }
  return costs;
}

interface Load {
  readonly upstream: Started<TokenServerApi>;
  readonly readers: Started<ReadersApi>;
  readonly streams: number;
  readonly ms: number;
}

async function measure(relay: Started<RelayApi>, { upstream, readers, streams, ms }: Load): Promise<number> {
  await readers.open(await relay.address(), streams);
  while ((await upstream.streams()) < streams) await sleep(100);
  await sleep(1_500);
  const before = await Promise.all([upstream.count(), relay.cpu(), readers.received()]);
  await sleep(ms);
  const after = await Promise.all([upstream.count(), relay.cpu(), readers.received()]);
  await upstream.finish();
  await sleep(500);
  await readers.close();
  const tokens = after[0] - before[0];
  // Every token is a word of two letters and a blank, or more.
  if (after[2] - before[2] < 3 * tokens) throw new Error('what was written upstream did not reach the readers');
  return (after[1] - before[1]) / tokens;
}
