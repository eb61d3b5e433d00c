/** What ended searches cite is kept for as long as their records are. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noUsage, type Source, type TextResult } from '../../protocol/index.ts';
import { AppError } from '../../src/base/errors.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import { createRegistry } from '../../src/runs/registry.ts';
import { startTestApp } from '../support/start-app.ts';

const Sqlite = loadSqlite();

/** Runs a search that cites these snapshots; `calls` lists the calls to the page pins and the records, in order. */
async function record(
  snapshots: readonly string[],
  saving: 'works' | 'fails',
  pinning: 'works' | 'fails' | 'fails once' | 'is unreachable twice' = 'works',
  sources: Source[] = [],
) {
  const calls: string[] = [];
  const faults: unknown[] = [];
  const records = createMemoryRunRecords();
  const runs = createRegistry({
    retentionMs: 0,
    records: {
      ...records,
      async save(run) {
        calls.push('save');
        if (saving === 'fails') throw new Error('no room for a record');
        return records.save(run);
      },
    },
    cited: {
      async pin(_, ids) {
        calls.push(`pin ${ids.join(' ')}`);
        const pins = calls.filter((call) => call.startsWith('pin')).length;
        if (pinning === 'is unreachable twice' && pins <= 2) throw new AppError('overloaded', 'unreachable');
        if (pinning === 'fails' || (pinning === 'fails once' && pins === 1)) throw new Error('no room for a mark');
      },
      unpin: async () => void calls.push('unpin'),
      unpinBefore: async () => false,
    },
    onFault: (error) => faults.push(error),
  });
  const citation = (snapshot: string) => ({
    ...{ id: snapshot, source_id: 'src_1', n: 1, url: 'http://a.example/', block: 'b1', start: 0, end: 1 },
    ...{ quote: 'q', source_start: 0, source_end: 1, snapshot, support: 'exact' as const, score: 1 },
  });
  const citations = snapshots.map(citation);
  const timings = { total_ms: 1, stages: {} };
  const result = {
    search_id: 's',
    status: 'answered' as const,
    answer: '',
    citations,
    sources: [],
    usage: noUsage,
    timings,
  };
  const run = await runs.start(
    {
      ...{ account_id: 'a', request_id: 'r', prompts: ['?'], mode: 'text', engine: 'test', deadline_ms: 10_000 },
      ...{ onDisconnect: 'continue', grace_ms: 0, idempotency: undefined },
    },
    async function* () {
      const { status } = result;
      yield { type: 'search.completed' as const, status, result, sources, citations, usage: noUsage, timings };
    },
  );
  await run.done;
  await runs.close();
  return { calls, faults: faults.map(String), causes: faults.map((error) => String((error as Error).cause)) };
}

function source(snapshot: string, hasExcerpt: boolean): Source {
  const excerpt = hasExcerpt ? { excerpt: { text: 'q', source_start: 0, source_end: 1 } } : {};
  return { id: snapshot, n: 1, url: 'http://a.example/', title: '', domain: 'a.example', snapshot, ...excerpt };
}

describe('cited pages', () => {
  it('pins the cited pages, each once, before the search is recorded', async () => {
    expect(await record(['x', 'y', 'x'], 'works')).toMatchObject({ calls: ['pin x y', 'save'], faults: [] });
  });

  it('pins the pages that it has excerpts of, cited or not, and no others', async () => {
    expect(
      await record(['x'], 'works', 'works', [source('y', true), source('z', false), source('x', true)]),
    ).toMatchObject({
      calls: ['pin x y', 'save'],
      faults: [],
    });
  });

  it('pins nothing for a search without citations', async () => {
    expect(await record([], 'works')).toMatchObject({ calls: ['save'], faults: [] });
  });

  it('unpins the cited pages when the search cannot be recorded', async () => {
    const { calls, faults, causes } = await record(['x'], 'fails');
    expect(calls).toEqual(['pin x', 'save', 'unpin']);
    expect(faults).toEqual([expect.stringMatching(/^Error: search s_\S+ is not stored$/)]);
    expect(causes).toEqual(['Error: no room for a record']);
  });

  it('records the search even when its pages cannot be pinned', async () => {
    const { calls, faults } = await record(['x'], 'works', 'fails');
    expect(calls).toEqual(['pin x', 'save', 'pin x']);
    expect(faults).toEqual(['Error: no room for a mark']);
  });

  it('pins the cited pages after all when what failed works again once the search is recorded', async () => {
    const { calls, faults } = await record(['x'], 'works', 'fails once');
    expect(calls).toEqual(['pin x', 'save', 'pin x']);
    expect(faults).toEqual([]);
  });

  it('records the search again, with its pages pinned, when the index is unreachable longer than the store', async () => {
    const { calls, faults } = await record(['x'], 'works', 'is unreachable twice');
    expect(calls).toEqual(['pin x', 'save', 'pin x', 'pin x', 'save']);
    expect(faults).toEqual([]);
  });

  it('pins the cited pages in the index of a running server, until the search is removed', async () => {
    await using app = await startTestApp();
    const response = await app.post('/v1/search', { prompt: 'Who designed the Heron Point Lighthouse?' });
    const { search_id, citations, sources } = (await response.json()) as TextResult;
    const excerpted = sources.filter(({ excerpt }) => excerpt !== undefined);
    const cited = [...new Set([...citations, ...excerpted].map(({ snapshot }) => snapshot))].sort();
    expect(cited.length).toBeGreaterThan(0);
    const database = new Sqlite(join(app.dataDir, 'index.db'), { readonly: true });
    const marks = database.prepare(
      'SELECT s.id FROM cited JOIN snapshots AS s ON s.n = cited.snapshot WHERE search = ? ORDER BY s.id',
    );
    await expect.poll(() => marks.pluck().all(search_id)).toEqual(cited);
    const path = `${app.url}/v1/search/${search_id}/record`;
    await fetch(path, { method: 'DELETE', headers: { 'x-api-key': app.key } });
    expect(marks.pluck().all(search_id)).toEqual([]);
    database.close();
  });
});
