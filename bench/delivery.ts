/**
 * What delivery from a search's log to its readers' sockets costs: CPU time per event and socket, compared with bare
 * uWebSockets.js that sends the same bytes, prepared in advance. With a log for each reader, and with one log for all.
 */

import type { DeliveryApi } from './support/delivery-process.ts';
import { start } from './support/processes.ts';
import type { ReadersApi } from './support/readers.ts';
import type { BenchOptions, BenchResult, Goal } from './support/report.ts';
import { ratios, spread } from './support/stats.ts';
import type { Row } from './support/table.ts';

const readers = 100;

/** CPU time in µs, with a goal of at most 1.5 times bare uWebSockets.js. */
export default async function delivery({ quick, say }: BenchOptions): Promise<BenchResult> {
  const events = quick ? 200 : 400;
  const rounds = quick ? 3 : 7;
  const rows: Row[] = [];
  const goals: Goal[] = [];
  for (const logs of [readers, 1]) {
    const costs = await measureRounds(logs, events, rounds, say);
    const name = logs === 1 ? `one log, ${readers} readers` : `${readers} logs, one reader each`;
    const ratio = ratios(costs.citewire, costs.bare);
    rows.push({ name, own: true, cells: [spread(costs.citewire, 'µs'), ratio] });
    rows.push({ name: `${name}: bare uWS`, cells: [spread(costs.bare, 'µs'), ''] });
    goals.push({ text: `${name}, against bare uWS`, limit: 1.5, got: ratio.median });
  }
  const title = 'CPU per event and socket, log to socket';
  return { tables: [{ title, columns: ['', 'CPU per event', '× bare'], rows, drawn: 1 }], goals };
}

async function measureRounds(logs: number, events: number, rounds: number, say: (line: string) => void) {
  const file = new URL('./support/delivery-process.ts', import.meta.url);
  const citewire = await start<DeliveryApi>(file, ['citewire', logs, events]);
  const bare = await start<DeliveryApi>(file, ['bare', logs, events]);
  const clients = await start<ReadersApi>(new URL('./support/readers.ts', import.meta.url));
  const costs = { citewire: [] as number[], bare: [] as number[] };
  try {
    for (const each of [citewire, bare]) await clients.open(await each.address(), readers);
    // The first round warms both up.
    for (let round = 0; round <= rounds; round += 1) {
      const found = { citewire: await citewire.send(), bare: await bare.send() };
      if (round === 0) continue;
      costs.citewire.push(found.citewire);
      costs.bare.push(found.bare);
      say(`${logs} logs, round ${round}: ${found.citewire.toFixed(2)} against ${found.bare.toFixed(2)} µs`);
    }
  } finally {
    await Promise.all([citewire, bare, clients].map((each) => each.stop()));
  }
  return costs;
}
