/**
 * What an idle connection costs in memory: resident bytes of the server with thousands of them, minus those without,
 * compared with bare uWebSockets.js and `ws`. As many as the limit of open files allows, up to 20,000.
 */
import { spawnSync } from 'node:child_process';
import type { IdleClientsApi } from './support/idle-clients.ts';
import { sleep, start } from './support/processes.ts';
import type { RelayApi } from './support/relay-process.ts';
import type { BenchOptions, BenchResult } from './support/report.ts';
import { spread } from './support/stats.ts';

const peers = { citewire: 'Citewire', control: 'bare uWebSockets.js', 'openai-ws': '`ws`' } as const;
type Name = keyof typeof peers;
const names = Object.keys(peers) as Name[];
/** Files that a process has open besides its connections; set by hand. */
const ownFiles = 200;
/** Nothing listens there: no model is called. */
const upstream = 'http://127.0.0.1:9/v1';

/** KiB per idle connection, with a goal of at most 8 KiB more than bare uWebSockets.js. */
export default async function idle({ quick, say }: BenchOptions): Promise<BenchResult> {
  const count = Math.min(quick ? 2_000 : 20_000, mostFiles() - ownFiles);
  const rounds = quick ? 2 : 5;
  const bytes = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) bytes[name].push(await measure(name, count));
    say(`round ${round + 1}: ${names.map((name) => `${name} ${bytes[name].at(-1)!.toFixed(1)}`).join(', ')} KiB`);
  }
  const beyond = bytes.citewire.map((each, at) => each - bytes.control[at]!);
  const rows = names.map((name) => ({
    name: peers[name],
    own: name === 'citewire',
    cells: [spread(bytes[name], 'KiB'), name === 'citewire' ? spread(beyond, 'KiB') : ''],
  }));
  const title = `Memory per idle connection, ${count.toLocaleString('en')} of them`;
  return {
    tables: [{ title, columns: ['', 'per connection', 'beyond bare uWS'], rows, drawn: 1 }],
    goals: [{ text: 'beyond bare uWS, KiB per connection', limit: 8, got: spread(beyond, 'KiB').median }],
  };
}

/** KiB per connection. */
async function measure(name: Name, count: number): Promise<number> {
  const relay = await start<RelayApi>(new URL('./support/relay-process.ts', import.meta.url), [name, upstream, count], {
    node: ['--expose-gc'],
  });
  const clients = await start<IdleClientsApi>(new URL('./support/idle-clients.ts', import.meta.url));
  try {
    const address = await relay.address();
    // The first connections allocate what all share.
    await clients.open(address, 200);
    await clients.close();
    await sleep(500);
    const before = await relay.memory();
    const open = await clients.open(address, count);
    // A busy machine answers some pings too late and loses those connections.
    if (open < 0.95 * count) throw new Error(`${open} of ${count} connections are open`);
    await sleep(1_000);
    return ((await relay.memory()) - before) / 1024 / open;
  } finally {
    await Promise.all([clients.stop(), relay.stop()]);
  }
}

/** The hard limit of open files, which Node uses. */
function mostFiles(): number {
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' });
  return stdout.trim() === 'unlimited' ? Number.POSITIVE_INFINITY : Number(stdout);
}
