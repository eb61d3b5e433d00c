/**
 * What exporting traces costs: CPU time per relayed token with a collector on loopback, against the same server without one, in the
 * same rounds. Prints its result. Delivery from a log to its readers has no code of traces, so it is not compared.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { measureRounds } from '../support/relay-rounds.ts';
import type { BenchOptions } from '../support/report.ts';
import { ratios, type Spread, spread } from '../support/stats.ts';

/** Compares tokens relayed with traces and without, in rounds; prints the ratios, and those of two servers without as the noise. */
export default async function telemetry(_: readonly string[], { quick, say }: BenchOptions): Promise<void> {
  let bytes = 0;
  const collector = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => response.writeHead(200).end('{}'));
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const ways = {
    plain: { peer: 'citewire' },
    traced: { peer: 'citewire', env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } },
    // How far the same thing is from itself: the noise.
    again: { peer: 'citewire' },
  };
  try {
    const costs: Record<keyof typeof ways, number[]> = { plain: [], traced: [], again: [] };
    // New processes for each few rounds, as those of one run are fast or slow together; and keys have limits.
    for (let set = 0; set < (quick ? 2 : 4); set += 1) {
      const found = await measureRounds(ways, { streams: 100, rounds: 3, ms: 2_500, say });
      for (const name of Object.keys(ways) as (keyof typeof ways)[]) costs[name].push(...found[name]);
    }
    const line = (name: keyof typeof ways) =>
      `${name.padEnd(8)}${shown(spread(costs[name], 'µs'))}, against plain ${shown(ratios(costs[name], costs.plain))}`;
    process.stdout.write(`CPU per token, 100 streams × 60 tokens/s; median (lowest to highest)
${line('plain')}\n${line('traced')}\n${line('again')}\n${bytes} bytes exported\n`);
  } finally {
    collector.closeAllConnections();
    collector.close();
  }
}

function shown({ median, low, high, unit }: Spread): string {
  return `${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}) ${unit}`;
}
