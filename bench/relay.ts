/**
 * What it costs to bring a token from the model's stream to a client's frame: CPU time of the relaying process a token, at
 * 200 streams of 60 tokens a second each. Three ways, in turn, round by round, so that a busy machine is busy for all.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { median, table } from './support/figures.ts';

const kinds = ['control', 'citewire', 'openai-ws'] as const;
const warmUpMs = 3_000;
const measuredMs = 6_000;

/** `relay [streams] [rounds]` */
export default async function relay([streams = '200', rounds = '3']: string[]): Promise<void> {
  const count = Number(streams);
  const costs = new Map<string, number[]>(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const kind of kinds) costs.get(kind)!.push(await measure(kind, count));
    const shown = kinds.map((kind) => `${kind} ${costs.get(kind)!.at(-1)!.toFixed(1)}`).join(', ');
    process.stdout.write(`round ${round + 1}: ${shown} µs a token\n`);
  }
  const control = median(costs.get('control')!);
  const byHand = median(costs.get('openai-ws')!);
  const rows = kinds.map((kind) => {
    const cost = median(costs.get(kind)!);
    return [kind, `${cost.toFixed(1)} µs`, (cost / control).toFixed(2), (cost / byHand).toFixed(2)];
  });
  process.stdout.write(`\n${count} streams × 60 tokens/s\n\n`);
  process.stdout.write(`${table(['', 'CPU a token', '× control', '× openai + ws'], rows)}\n`);
}

/** CPU µs a token. */
async function measure(kind: (typeof kinds)[number], streams: number): Promise<number> {
  const seconds = (warmUpMs + measuredMs) / 1000 + 4;
  const upstream = await start('token-server.ts', [String(seconds)]);
  const server = await start('relay-server.ts', [kind, upstream.ready.url, String(streams)]);
  const sockets: WebSocket[] = [];
  try {
    for (let i = 0; i < streams; i += 1) sockets.push(await open(server.ready, i));
    await sleep(warmUpMs);
    const before = await Promise.all([ask(upstream.child, 'count'), ask(server.child, 'cpu')]);
    await sleep(measuredMs);
    const after = await Promise.all([ask(upstream.child, 'count'), ask(server.child, 'cpu')]);
    return (after[1] - before[1]) / (after[0] - before[0]);
  } finally {
    for (const socket of sockets) socket.terminate();
    upstream.child.send('close');
    server.child.send('close');
    await Promise.all([once(upstream.child, 'exit'), once(server.child, 'exit')]);
  }
}

interface Ready {
  readonly url: string;
  readonly keys?: readonly string[];
}

async function start(file: string, args: string[]): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = fork(new URL(`./support/${file}`, import.meta.url), args, { execArgv: ['--import', 'tsx'] });
  const [ready] = (await once(child, 'message')) as [Ready];
  return { child, ready };
}

/** A socket on which a stream has been asked for. */
async function open({ url, keys }: Ready, at: number): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers: keys === undefined ? {} : { 'x-api-key': keys[at % keys.length]! } });
  await once(socket, 'open');
  const request = { prompt: 'How tall is the Heron Point Lighthouse?' };
  socket.send(JSON.stringify({ type: 'search.start', ref: String(at), request }));
  return socket;
}

async function ask(child: ChildProcess, question: string): Promise<number> {
  child.send(question);
  const [answer] = (await once(child, 'message')) as [number];
  return answer;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
