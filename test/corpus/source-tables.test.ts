/** What the time of its last change says about a source. */
import { expect, it } from 'vitest';
import { newAbout, type SourceRow, toStoredSources } from '../../src/corpus/sources/source-tables.ts';

const now = 1_800_000_000_000;
const at = (touched_at: number): SourceRow => ({
  source: 'url:https://a.example/',
  bytes: 1,
  about: JSON.stringify({ ...newAbout('url', 'a'), state: 'indexing', touched_at }),
  pages: 0,
  address: null,
});

it('takes a source for interrupted that nobody touched for long, or whose time a clock set that was ahead', () => {
  const interrupted = [now - 86_400_000, now + 86_400_000 * 365, now - 1_000, now + 1_000].map(
    (touched_at) => toStoredSources([at(touched_at)], now)[0]!.interrupted === true,
  );
  expect(interrupted).toEqual([true, true, false, false]);
});
