/**
 * Decisions per second on Redis: the limiter as it is, a bare EVALSHA of its own script, and the fixed window of
 * rate-limiter-flexible; and the most calls that each lets through in any second, across the edge of a window.
 */
import { startRedis } from '../test/support/servers/redis.ts';
import type { LimiterApi } from './support/limiter-process.ts';
import { start } from './support/processes.ts';
import type { BenchOptions, BenchResult } from './support/report.ts';
import { ratios, spread } from './support/stats.ts';

const titles = {
  citewire: 'Citewire, exact sliding log',
  evalsha: 'bare EVALSHA of the same script',
  fixed: 'rate-limiter-flexible, fixed window',
} as const;
type Name = keyof typeof titles;
const names = Object.keys(titles) as Name[];
const keys = 500;

/** Decisions per second, with goals: 0.8 of a bare EVALSHA, and never more than the limit in a window. */
export default async function limiter({ quick, say }: BenchOptions): Promise<BenchResult> {
  const decisions = 2_000;
  // Short turns, so that other load on the machine affects all alike.
  const rounds = quick ? 10 : 40;
  const redis = await startRedis();
  const file = new URL('./support/limiter-process.ts', import.meta.url);
  const ways = await Promise.all(names.map((name) => start<LimiterApi>(file, [name, redis.url])));
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const crowds: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const [at, name] of names.entries()) {
        const rate = await ways[at]!.run(decisions, keys);
        // The first round warms up.
        if (round > 0) rates[name].push(rate);
      }
      if (round > 0)
        say(`round ${round}: ${names.map((name) => `${name} ${rates[name].at(-1)!.toFixed(0)}`).join(', ')} /s`);
    }
    for (const way of ways) crowds.push(await way.crowd(quick ? 2 : 5));
  } finally {
    await Promise.all(ways.map((way) => way.stop()));
    await redis.stop();
  }
  const against = ratios(rates.citewire, rates.evalsha);
  const rows = names.map((name, at) => ({
    name: titles[name],
    own: name === 'citewire',
    cells: [spread(rates[name], '/s'), ratios(rates[name], rates.evalsha), `${crowds[at]} of 20`],
  }));
  const columns = ['', 'decisions', '× bare', 'max let through in any second'];
  return {
    tables: [{ title: 'Decisions a second on Redis, 64 at a time', columns, rows, drawn: 1 }],
    goals: [
      { text: 'decisions against a bare EVALSHA', limit: 0.8, got: against.median, atLeast: true },
      { text: 'max let through in any window of 20', limit: 20, got: crowds[0]! },
    ],
  };
}
