/** What the time of its last change says about a source. */
import { expect, it } from 'vitest';
import { newAbout, type SourceRow, toStoredSources } from '../../src/corpus/sources/source-tables.ts';

const now = 1_800_000_000_000;
const at = (touched_at: number, source = 'url:https://a.example/'): SourceRow => ({
  source,
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

it('lets a source that servers go on with wait after an interruption, and no other', () => {
  const stateOf = (source: string) => {
    const { state, reason, interrupted } = toStoredSources([{ ...at(now - 86_400_000, source), pages: 1 }], now)[0]!;
    return { state, reason, interrupted };
  };
  const key = '0'.repeat(32);
  for (const resumed of ['url:https://a.example/', 'acc_a/url:https://a.example/', `acc_a/file:${key}`, 'folder:/docs'])
    expect(stateOf(resumed)).toEqual({ state: 'waiting', reason: null, interrupted: true });
  const failed = { state: 'failed', reason: 'The indexing was interrupted.', interrupted: true };
  for (const name of ['urls:0123', 'acc_a/urls:file:0123', 'packages:/url:', 'installed:/file:x'])
    expect(stateOf(name)).toEqual(failed);
});
