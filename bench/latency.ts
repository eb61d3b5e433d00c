/**
 * How much later a token reaches a client than the model's endpoint wrote it, with many streams of 60 tokens per second
 * each, compared with the control of `relay`; how long the first frame takes; and whether anything is lost. Both ends use
 * the machine's clock. On a machine that cannot sustain the load the endpoint writes more slowly: the table shows the rate.
 */

import { type Started, sleep, start } from './support/processes.ts';
import type { ReadersApi } from './support/readers.ts';
import type { RelayApi } from './support/relay-process.ts';
import { begin, end, type Load, startRelay } from './support/relay-rounds.ts';
import type { BenchOptions, BenchResult } from './support/report.ts';
import { median, quantile, spread } from './support/stats.ts';
import type { Row } from './support/table.ts';
import type { TokenServerApi } from './support/token-server.ts';

const streamSeconds = 16;
const peers = ['citewire', 'control'] as const;

interface Found {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly first: number;
  /** Tokens per second of each stream. */
  readonly rate: number;
  readonly lost: number;
}

/** Milliseconds, with goals for the p99 of the largest load (50 ms) and for lost tokens (none). */
export default async function latency({ quick, say }: BenchOptions): Promise<BenchResult> {
  const loads = quick ? [50] : [50, 200, 500, 1_000];
  const rows: Row[] = [];
  let largest: Found[] = [];
  let lost = 0;
  for (const streams of loads) {
    const found = await measureRounds(streams, quick ? 2 : 5, say);
    for (const peer of peers) rows.push(rowOf(`${peer}, ${streams} streams`, peer === 'citewire', found[peer]));
    largest = found.citewire;
    lost += found.citewire.reduce((sum, each) => sum + each.lost, 0);
  }
  const columns = ['', 'added delay p50', 'p99', 'max', 'first frame p50', 'tokens per stream', 'lost'];
  const p99 = median(largest.map((found) => found.p99));
  return {
    tables: [{ title: 'Added delay (p99), upstream write to client read', columns, rows, drawn: 2 }],
    goals: [
      { text: `p99 of the added delay at ${loads.at(-1)} streams, ms`, limit: 50, got: p99 },
      { text: 'tokens lost', limit: 0, got: lost },
    ],
  };
}

function rowOf(name: string, own: boolean, found: readonly Found[]): Row {
  const of = (field: keyof Found, unit: string) =>
    spread(
      found.map((each) => each[field]),
      unit,
    );
  const lost = found.reduce((sum, each) => sum + each.lost, 0);
  const cells = [of('p50', 'ms'), of('p99', 'ms'), of('max', 'ms'), of('first', 'ms'), of('rate', '/s'), `${lost}`];
  return { name, own, cells };
}

async function measureRounds(
  streams: number,
  rounds: number,
  say: (line: string) => void,
): Promise<Record<(typeof peers)[number], Found[]>> {
  const here = import.meta.url;
  const upstream = await start<TokenServerApi>(new URL('./support/token-server.ts', here), [
    'timestamped',
    streamSeconds,
  ]);
  const readers = await start<ReadersApi>(new URL('./support/readers.ts', here));
  const url = await upstream.url();
  const relays = await Promise.all(peers.map((peer) => startRelay({ peer }, url, streams)));
  const load = { upstream, readers, streams, ms: 2_500 };
  const all = { citewire: [] as Found[], control: [] as Found[] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, peer] of peers.entries()) all[peer].push(await measure(relays[at]!, load));
      const shown = peers.map((peer) => `${peer} ${all[peer].at(-1)!.p99.toFixed(0)}`);
      say(`${streams} streams, round ${round + 1}: p99 ${shown.join(', ')} ms`);
    }
  } finally {
    await Promise.all([upstream, readers, ...relays].map((each) => each.stop()));
  }
  return all;
}

async function measure(relay: Started<RelayApi>, load: Load): Promise<Found> {
  const { upstream, readers, streams, ms } = load;
  await begin(relay, load);
  await readers.watch();
  const before = await upstream.count();
  await sleep(ms);
  const after = await upstream.count();
  const { ages, firstFrames, lost } = await readers.seen();
  await end(load);
  const at = (share: number) => quantile(ages, share);
  return {
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    first: quantile(firstFrames, 0.5),
    rate: (1000 * (after - before)) / ms / streams,
    lost,
  };
}
