/** What is under load: servers, and peers that find the same passages. */
import { start } from '../support/processes.ts';
import type { RetrievalApi } from './retrieval-process.ts';
import type { StartedServer } from './started-server.ts';

/** A server under load. */
export interface Target {
  readonly name: string;
  /** Whether it is Citewire, which is warmed up longer, and asked over all doors. */
  readonly own: boolean;
  /** Whether it has just been started, so that what its first searches cost is worth a row. */
  readonly fresh: boolean;
  readonly servers: readonly { readonly url: string; readonly keys: readonly string[] }[];
  /** CPU time of all threads and processes, ms; and the p99 of the event loop's delay since the last call, ms. */
  measure(): Promise<{ readonly cpu: number; readonly delay: number }>;
  /** Resident memory, MiB. */
  memory(): Promise<number>;
  close(): Promise<unknown>;
}

export const peerNames = {
  fts5: 'passages only: FTS5 + node:http',
  minisearch: 'passages only: MiniSearch + Fastify',
  orama: 'passages only: Orama + Fastify',
};

export type Peer = keyof typeof peerNames;

const mebibyte = 2 ** 20;

/** Starts a peer over the index file of a server. */
export async function startPeer(peer: Peer, index: string): Promise<Target> {
  const url = new URL('./retrieval-process.ts', import.meta.url);
  const child = await start<RetrievalApi>(url, [peer, index]);
  return {
    name: peerNames[peer],
    fresh: true,
    servers: [{ url: await child.url(), keys: [] }],
    own: false,
    measure: async () => ({ cpu: (await child.cpu()) / 1000, delay: Number.NaN }),
    memory: async () => (await child.memory()) / mebibyte,
    close: () => child.stop(),
  };
}

/** Several servers are one target: their sum, and the longest delay. */
export function targetOf(name: string, servers: readonly StartedServer[], { fresh = false } = {}): Target {
  return {
    name,
    own: true,
    fresh,
    servers: servers.map(({ url, keys }) => ({ url, keys })),
    async measure() {
      const all = await Promise.all(servers.map((server) => server.measure()));
      return { cpu: all.reduce((sum, { cpu }) => sum + cpu, 0), delay: Math.max(...all.map(({ delay }) => delay)) };
    },
    memory: async () => servers.reduce((sum, server) => sum + server.resident(), 0) / mebibyte,
    close: () => Promise.all(servers.map((server) => server.close())),
  };
}
