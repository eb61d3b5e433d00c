/**
 * What a token costs through the doors of OpenAI, compared with the native event stream, under the load of `relay`; and what a
 * search for sources alone costs at the doors that want no answer, compared with the search that writes one.
 */
import { packageQuestions } from './search.ts';
import { measureRounds } from './support/relay-rounds.ts';
import type { BenchOptions, BenchResult } from './support/report.ts';
import { type BenchServer, startServer } from './support/start-server.ts';
import { median, ratios, spread } from './support/stats.ts';

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
  const { times, cpu } = await measureSources(quick ? 3 : 7, quick ? 24 : 60, say);
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
      {
        title: 'A search for sources, with an answer and without',
        columns: ['', 'p50', 'CPU per search', '× p50', '× CPU'],
        rows: [
          {
            name: 'effort fast, with an answer',
            own: true,
            cells: [spread(times.whole, 'ms'), spread(cpu.whole, 'ms'), '', ''],
          },
          {
            name: '`answer: false`',
            own: true,
            cells: [
              spread(times.sources, 'ms'),
              spread(cpu.sources, 'ms'),
              ratios(times.sources, times.whole),
              ratios(cpu.sources, cpu.whole),
            ],
          },
        ],
      },
    ],
    goals: [
      { text: 'chat completions against the native events', limit: 1.3, got: against('chat').median },
      { text: 'responses against the native events', limit: 1.3, got: against('responses').median },
      {
        text: 'CPU of a search for sources against one with an answer',
        limit: 1,
        got: ratios(cpu.sources, cpu.whole).median,
      },
    ],
  };
}

const questions = packageQuestions.slice(0, 6);

type Figures = Record<'whole' | 'sources', number[]>;

/** The median time of a search and the CPU time of one, ms, in each round: with an answer and without, in turns, one at a time. */
async function measureSources(rounds: number, searches: number, say: (line: string) => void) {
  const server = await startServer();
  const times: Figures = { whole: [], sources: [] };
  const cpu: Figures = { whole: [], sources: [] };
  const requests = { whole: { effort: 'fast' }, sources: { effort: 'fast', answer: false } };
  try {
    for (let round = -1; round < rounds; round += 1) {
      for (const kind of ['whole', 'sources'] as const) {
        const before = await server.cpu();
        const took = await askAll(server, requests[kind], searches);
        const each = ((await server.cpu()) - before) / searches;
        // The first round warms it up.
        if (round < 0) continue;
        times[kind].push(median(took));
        cpu[kind].push(each);
      }
      if (round >= 0)
        say(`round ${round + 1}: ${times.whole.at(-1)!.toFixed(1)} and ${times.sources.at(-1)!.toFixed(1)} ms`);
    }
  } finally {
    await server.close();
  }
  return { times, cpu };
}

let turn = 0;

async function askAll({ url, keys }: BenchServer, request: object, count: number): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < count; n += 1) {
    turn += 1;
    const headers = { 'x-api-key': keys[turn % keys.length]!, 'content-type': 'application/json' };
    const body = JSON.stringify({ ...request, prompt: questions[n % questions.length] });
    const begun = performance.now();
    const response = await fetch(`${url}/v1/search`, { method: 'POST', headers, body });
    await response.text();
    if (!response.ok) throw new Error(`a search was answered with ${response.status}`);
    took.push(performance.now() - begun);
  }
  return took;
}
