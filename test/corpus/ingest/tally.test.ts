/** How indexing counts, and what those who follow it are shown, where very many files fail. */
import { describe, expect, it } from 'vitest';
import { withoutTurns } from '../../../src/base/fair-queue.ts';
import type { IndexWriter } from '../../../src/corpus/index/write-index.ts';
import { ingestFiles } from '../../../src/corpus/ingest/ingest-files.ts';
import type { Failure, FileList } from '../../../src/corpus/ingest/list-files.ts';
import { createTally, type IndexProgress } from '../../../src/corpus/ingest/tally.ts';
import { createYieldRule } from '../../../src/corpus/ingest/yield-default-docs.ts';
import type { CallWorker } from '../../../src/corpus/worker-rpc.ts';

const failures = (count: number): Failure[] =>
  Array.from({ length: count }, (_, n) => ({ source: `/docs/${n}.md`, reason: 'it is larger than 5 MB' }));

describe('the counts of indexing', () => {
  it('show the failures so far without a copy of them for each page', () => {
    const shown: [failed: readonly Failure[], count: number][] = [];
    const tally = createTally(({ failed }) => shown.push([failed, failed.length]));
    for (let n = 0; n < 3; n += 1) tally.count({ key: `${n}`, was: 'failed', reason: 'it has no text' }, `/${n}`);
    expect(new Set(shown.map(([failed]) => failed)).size).toBe(1);
    expect(shown.map(([, count]) => count)).toEqual([1, 2, 3]);
    const result = tally.progress();
    tally.fail(failures(2));
    expect(result.failed).toHaveLength(3);
  });

  it('notify once of all the files that a folder has and that cannot be indexed', async () => {
    const list: FileList = {
      files: [],
      failed: failures(5_000),
      kept: [],
      found: 5_000,
      skipped: new Map(),
      complete: true,
    };
    const write = (async () => list) as unknown as CallWorker<IndexWriter>;
    const shown: IndexProgress['done'][] = [];
    const tally = createTally(({ done }) => shown.push(done));
    const { signal } = new AbortController();
    const ingesting = {
      name: 'folder:/docs',
      options: {},
      write,
      batch: { files: 10, bytes: 1_000 },
      tally,
      others: createYieldRule('folder:/docs', write, signal),
      signal,
      inTurn: withoutTurns,
      stop: () => {},
    };
    await ingestFiles(ingesting, { kind: 'folder', path: '/docs' });
    expect(shown).toEqual([0, 5_000]);
    expect(tally.progress()).toMatchObject({ done: 5_000, total: 5_000 });
    expect(tally.progress().failed).toHaveLength(5_000);
  });
});
