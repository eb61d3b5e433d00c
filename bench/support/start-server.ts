/** Starts server.ts of this folder and queries it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { TextResult } from '../../protocol/index.ts';

export interface BenchServer {
  readonly url: string;
  readonly keys: readonly string[];
  /** The index file, for controls that query it directly. */
  readonly index: string;
  readonly pages: number;
  readonly passages: number;
  /** The delay of the server's event loop since the previous call, ms. */
  delay(): Promise<{ p50: number; p99: number; max: number }>;
  /** CPU time of all its threads so far, ms. */
  cpu(): Promise<number>;
  /** Resident memory, bytes. */
  resident(): Promise<number>;
  close(): Promise<void>;
}

/**
 * `settings` override the defaults; `folder` is indexed, by default the documentation of the installed packages. With
 * `index`, the index file of another server, it is copied instead.
 */
export async function startServer(
  settings: Readonly<Record<string, string>> = {},
  folder = '',
  index = '',
): Promise<BenchServer> {
  const child = fork(new URL('./server.ts', import.meta.url), [JSON.stringify(settings), folder, index], {
    execArgv: ['--import', new URL('./typescript.js', import.meta.url).href],
  });
  const [ready] = await once(child, 'message');
  return {
    ...ready,
    delay: () => query(child, 'delay'),
    cpu: () => query(child, 'cpu'),
    resident: () => query(child, 'resident'),
    async close() {
      child.send('close');
      await once(child, 'exit');
    },
  };
}

async function query(child: ChildProcess, question: string) {
  child.send(question);
  const [answer] = await once(child, 'message');
  return answer;
}

/**
 * Searches for `prompt`, as a follow-up of the search `previous` if there was one with the same `turn`. A different `turn` uses a
 * different key, so that none reaches its limit. Throws unless answered with 2xx.
 */
export async function ask(
  { url, keys }: BenchServer,
  turn: number,
  prompt: string,
  previous?: string,
): Promise<TextResult> {
  const headers = { 'x-api-key': keys[turn % keys.length]!, 'content-type': 'application/json' };
  const body = JSON.stringify({ prompt, ...(previous === undefined ? {} : { previous_search_id: previous }) });
  const response = await fetch(`${url}/v1/search`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as TextResult;
}
