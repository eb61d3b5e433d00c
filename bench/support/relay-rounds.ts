/**
 * Rounds over several relays. Each is a process that lives through all rounds, so that it is warm; in each round they carry
 * the load in turn for some seconds, so that other load on the machine affects all alike.
 */
import { type Started, sleep, start } from './processes.ts';
import type { ReadersApi } from './readers.ts';
import type { RelayApi } from './relay-process.ts';
import type { TokenServerApi } from './token-server.ts';

export interface Way {
  /** A file of bench/peers. */
  readonly peer: string;
  readonly env?: Record<string, string>;
}

export interface RoundOptions {
  readonly streams: number;
  readonly rounds: number;
  /** How long each is measured per round. */
  readonly ms: number;
  readonly say: (line: string) => void;
}

const warmUpMs = 1_500;
const patienceMs = 60_000;

/** CPU µs per token of each relay, one value per round. Throws if tokens do not reach the readers. */
export async function measureRounds<Name extends string>(
  ways: Readonly<Record<Name, Way>>,
  { streams, rounds, ms, say }: RoundOptions,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(ways) as Name[];
  const costs = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  const upstream = await start<TokenServerApi>(new URL('./token-server.ts', import.meta.url));
  const readers = await start<ReadersApi>(new URL('./readers.ts', import.meta.url));
  const url = await upstream.url();
  const relays = await Promise.all(names.map((name) => startRelay(ways[name], url, streams)));
  try {
    // The first round warms them up.
    for (let round = 0; round <= rounds; round += 1) {
      for (let turn = 0; turn < names.length; turn += 1) {
        const at = (turn + round) % names.length;
        const cost = await measure(relays[at]!, { upstream, readers, streams, ms });
        if (round > 0) costs[names[at]!].push(cost);
      }
      if (round === 0) continue;
      const shown = names.map((name) => `${name} ${costs[name].at(-1)!.toFixed(1)}`);
      say(`${streams} streams, round ${round}: ${shown.join(', ')} µs a token`);
    }
  } finally {
    await Promise.all([upstream, readers, ...relays].map((each) => each.stop()));
  }
  return costs;
}

/** Starts a relay process; `upstream` is its model endpoint, `streams` the number of its clients. */
export function startRelay({ peer, env = {} }: Way, upstream: string, streams: number): Promise<Started<RelayApi>> {
  return start<RelayApi>(new URL('./relay-process.ts', import.meta.url), [peer, upstream, streams], { env });
}

export interface Load {
  readonly upstream: Started<TokenServerApi>;
  readonly readers: Started<ReadersApi>;
  readonly streams: number;
  readonly ms: number;
}

/** Connects the readers and starts the tokens on all streams at once. Throws if they have not connected within a minute. */
export async function begin(relay: Started<RelayApi>, { upstream, readers, streams }: Load): Promise<void> {
  await upstream.hold();
  await readers.open(await relay.address(), streams);
  const until = Date.now() + patienceMs;
  while ((await upstream.streams()) < streams) {
    if (Date.now() > until)
      throw new Error(`${await upstream.streams()} of ${streams} streams started within a minute`);
    await sleep(100);
  }
  await upstream.go();
  await sleep(warmUpMs);
}

/** Ends all streams and disconnects the readers. */
export async function end({ upstream, readers }: Load): Promise<void> {
  await upstream.finish();
  await sleep(500);
  await readers.close();
}

async function measure(relay: Started<RelayApi>, load: Load): Promise<number> {
  const { upstream, readers, ms } = load;
  await begin(relay, load);
  const before = await Promise.all([upstream.count(), relay.cpu(), readers.received()]);
  await sleep(ms);
  const after = await Promise.all([upstream.count(), relay.cpu(), readers.received()]);
  await end(load);
  const tokens = after[0] - before[0];
  // Every token is at least two letters and a space.
  if (after[2] - before[2] < 3 * tokens) throw new Error('what was written upstream did not reach the readers');
  return (after[1] - before[1]) / tokens;
}
