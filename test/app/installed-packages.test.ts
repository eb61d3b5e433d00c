/** What the log says of the indexing of the documentation: how it ended, wherever it says that it was going on. */
import { afterEach, expect, it, vi } from 'vitest';
import { indexPackages } from '../../src/app/installed-packages.ts';
import type { Log } from '../../src/base/log.ts';
import type { OpenCorpus } from '../../src/corpus/corpus.ts';

afterEach(() => {
  vi.useRealTimers();
});

const unchanged = { added: 0, updated: 0, removed: 0, gaveWay: false };

/** The lines of an indexing that takes so long and ends with these counts, or is stopped. */
async function logged(takesMs: number, counts: typeof unchanged | 'stopped'): Promise<string[]> {
  vi.useFakeTimers({ toFake: ['Date'] });
  const lines: string[] = [];
  const log = { info: (_: object, line: string) => lines.push(line), debug() {}, warn() {} } as unknown as Log;
  const stop = new AbortController();
  const corpus = {
    sources: async () => [],
    stats: async () => ({ pages: 1 }),
    async index(_: unknown, { onProgress }: { onProgress: (progress: { done: number; total: number }) => void }) {
      vi.setSystemTime(Date.now() + takesMs);
      onProgress({ done: 0, total: 952 });
      if (counts !== 'stopped') return counts;
      stop.abort();
      throw stop.signal.reason;
    },
  };
  await indexPackages(corpus as unknown as OpenCorpus, log, stop.signal);
  return lines;
}

const going = 'indexing the documentation of Citewire and the installed packages';
const ended = 'indexed the documentation of Citewire and the installed packages';

it('ends with what came of it, where its progress was reported', async () => {
  expect(await logged(2_000, unchanged)).toEqual([going, ended]);
  expect(await logged(2_000, { ...unchanged, added: 1 })).toEqual([going, ended]);
  const other = 'the index has other sources: not indexing the documentation of Citewire and the installed packages';
  expect(await logged(2_000, { ...unchanged, gaveWay: true })).toEqual([going, other]);
  const stopped = 'stopped indexing the documentation of Citewire and the installed packages: the next start goes on';
  expect(await logged(2_000, 'stopped')).toEqual([going, stopped]);
});

it('says nothing of one that was quick and changed nothing', async () => {
  expect(await logged(10, unchanged)).toEqual([]);
  expect(await logged(10, { ...unchanged, gaveWay: true })).toEqual([]);
  expect(await logged(10, 'stopped')).toEqual([]);
  expect(await logged(10, { ...unchanged, added: 1 })).toEqual([ended]);
});
