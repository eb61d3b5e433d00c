/** Sources that nobody reads any more are found while a server runs, and those that wait at a living one are left to it. */
import { expect, it } from 'vitest';
import { resumeSources } from '../../src/service/sources/resume-sources.ts';
import { createIndexer } from '../../src/sources/indexer.ts';
import type { SourceIndex, StoredSource } from '../../src/sources/source-index.ts';
import { createDeferred } from '../support/deferred.ts';

const times = { laterMs: 20, leftMs: 1_000, everyMs: 20 };

function source(id: string, change: Partial<StoredSource> = {}): StoredSource {
  return {
    ...{ id, source: `acc_a/url:https://${id}.example/`, owner: 'acc_a', kind: 'url', name: id, state: 'waiting' },
    ...{ done: 0, total: 0, added_at: '2026-01-01T00:00:00.000Z', indexed_at: null, passages: null, failed: 0 },
    ...{ failures: [], reason: null, touched_at: 0, bytes: 0, pages: 0, address: null },
    ...change,
  } as StoredSource;
}

/** An index of these sources; those that are read are added to `read`. */
function indexOf(rows: Map<string, StoredSource>, read: string[]): SourceIndex {
  const touch = (id: string) => rows.set(id, { ...rows.get(id)!, touched_at: Date.now() });
  return {
    list: async () => [...rows.values()].map((row) => ({ ...row, untouched_ms: Date.now() - row.touched_at })),
    async take({ id, touched_at }: StoredSource) {
      if (rows.get(id)?.touched_at !== touched_at) return false;
      touch(id);
      return true;
    },
    keep: async (sources: readonly StoredSource[]) => sources.forEach(({ id }) => void touch(id)),
    async index({ id }: StoredSource) {
      read.push(id);
      rows.set(id, { ...source(id), state: 'ready' });
    },
  } as unknown as SourceIndex;
}

/** A server over these sources. */
function start(rows: Map<string, StoredSource>, status: () => string = () => 'active', every = times) {
  const read: string[] = [];
  const faults: unknown[] = [];
  const index = indexOf(rows, read);
  const onFault = (error: unknown) => void faults.push(error);
  const indexer = createIndexer({ index, onFault, keepEveryMs: 50 });
  const accounts = async () => [{ id: 'acc_a', plan: 'pro' as const, status: status() }];
  resumeSources({ index, indexer, accounts, onFault, times: every });
  return { read, faults, indexer };
}

it('finds what a server has left that is gone, once among those that look', async () => {
  const rows = new Map<string, StoredSource>();
  const servers = [start(rows), start(rows)];
  const read = () => servers.flatMap((each) => each.read);
  await new Promise((resolve) => setTimeout(resolve, 50));
  // Another server has it wait, and stops doing so.
  rows.set('left', source('left', { touched_at: Date.now() }));
  rows.set('died', source('died', { state: 'waiting', interrupted: true, touched_at: Date.now() }));
  await expect.poll(read).toEqual(['died']);
  await expect.poll(read).toEqual(['died', 'left']);
  for (const { indexer, faults } of servers) {
    await indexer.close();
    expect(faults).toEqual([]);
  }
});

it('looks often while another server reads a source, and takes it soon after that server has died', async () => {
  const rows = new Map<string, StoredSource>();
  rows.set('x', source('x', { state: 'indexing', touched_at: Date.now() }));
  // Of the looks that are far apart, none comes within this test.
  const server = start(rows, undefined, { ...times, everyMs: 600_000 });
  await new Promise((resolve) => setTimeout(resolve, 10 * times.laterMs));
  expect(server.read).toEqual([]);
  rows.set('x', source('x', { state: 'waiting', interrupted: true, touched_at: 1 }));
  await expect.poll(() => server.read).toEqual(['x']);
  await server.indexer.close();
});

it('reads those of an account that is active again', async () => {
  let status = 'suspended';
  const server = start(new Map([['x', source('x')]]), () => status);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(server.read).toEqual([]);
  status = 'active';
  await expect.poll(() => server.read).toEqual(['x']);
  await server.indexer.close();
});

it('leaves what waits for its turn at a living server to that', async () => {
  const rows = new Map<string, StoredSource>();
  const other = start(rows);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { promise: reading, resolve: finish } = createDeferred();
  const busy = createIndexer({
    index: { ...indexOf(rows, []), index: () => reading },
    onFault: () => {},
    keepEveryMs: 50,
  });
  for (const id of ['a', 'b', 'c']) {
    rows.set(id, source(id, { touched_at: Date.now() }));
    busy.start(rows.get(id)!, { maxPages: 1 });
  }
  await new Promise((resolve) => setTimeout(resolve, 2 * times.leftMs));
  expect(other.read).toEqual([]);
  await other.indexer.close();
  finish();
  await busy.close();
});
