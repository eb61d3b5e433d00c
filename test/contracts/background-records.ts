/** What every keeper of background runs must do: one owner at a time, and one end, whichever process dies when. */
import { describe, expect, it } from 'vitest';
import type { BackgroundRun } from '../../src/runs/records/background-records.ts';
import type { Store } from '../../src/store/store.ts';
import { createDeferred } from '../support/deferred.ts';
import { runRecord } from './run-records.ts';

type Kept = Pick<Store, 'background' | 'runs'>;

export function backgroundRun(
  search_id: string,
  account_id: string,
  change: Partial<BackgroundRun> = {},
): BackgroundRun {
  const created_at = new Date().toISOString();
  const about = { created_at, mode: 'text', door: 'native', prompts: ['What?'], input: '{"a":1}', attempt: 1 } as const;
  return { search_id, account_id, ...about, idempotency: undefined, ...change };
}

const [past, future] = [-1, 60_000];
const once = { limit: 10 };

/** `open` gives a store in which the accounts exist and nothing is kept yet. */
export function describeBackgroundRecords(name: string, open: (accounts: string[]) => Promise<Kept>): void {
  describe(`background runs in ${name}`, () => {
    it('shows a run to its account alone, until it has ended', async () => {
      const { background, runs } = await open(['a', 'b']);
      const idempotency = { key: 'k', hash: 'h' };
      await background.add(backgroundRun('s1', 'a', { idempotency, echoed: { a: ['ü'] } }), 'p', future);
      const about = { prompts: ['What?'], attempt: 1, echoed: { a: ['ü'] } };
      const shown = { search_id: 's1', ...about, progress: undefined, idempotency_hash: 'h' };
      expect(await background.get('a', 's1')).toMatchObject(shown);
      expect(await background.byIdempotencyKey('a', 'k')).toMatchObject(shown);
      expect(await background.get('b', 's1')).toBeUndefined();
      expect(await background.byIdempotencyKey('b', 'k')).toBeUndefined();
      await background.report('s1', { owner: 'p', attempt: 1 }, 'Searching');
      expect(await background.list('a', 10)).toMatchObject([{ ...shown, progress: 'Searching' }]);
      const ended = runRecord('s1', 'a', { attempt: 1, owner: 'p' });
      await runs.save(ended);
      expect(await background.list('a', 10)).toEqual([]);
      const { owner: _, ...record } = ended;
      expect(await runs.get('a', 's1')).toEqual(record);
    });

    it('keeps a run until its record may be written', async () => {
      const { background, runs } = await open(['a']);
      await background.add(backgroundRun('s1', 'a'), 'p', future);
      const { promise: after, resolve: release } = createDeferred();
      const saving = runs.save(runRecord('s1', 'a', { attempt: 1, owner: 'p' }), after);
      for (let n = 0; n < 20; n += 1) expect(await background.list('a', 10)).toHaveLength(1);
      release();
      await saving;
      expect(await background.list('a', 10)).toEqual([]);
    });

    it('gives a run whose lease has run out to one of those that claim it', async () => {
      const { background } = await open(['a']);
      await background.add(backgroundRun('s1', 'a'), 'dead', past);
      await background.add(backgroundRun('s2', 'a'), 'folder/alive', future);
      await background.add(backgroundRun('s3', 'a'), 'other/alive', future);
      const claims = await Promise.all(['p', 'q', 'r'].map((owner) => background.claim(owner, future, once)));
      expect(claims.flat()).toMatchObject([{ search_id: 's1', attempt: 2, deaths: 1, input: '{"a":1}' }]);
      expect(await background.claim('p', future, once)).toEqual([]);
      // Who has the folder alone knows that all its other owners are dead.
      const left = await background.claim('folder/new', future, { limit: 10, leftBy: 'folder/' });
      expect(left).toMatchObject([{ search_id: 's2', attempt: 2, deaths: 1 }]);
      expect(await background.claim('folder/new', future, { limit: 10, leftBy: 'folder/' })).toEqual([]);
    });

    it('keeps a run with an owner that renews, and does not count one that stops as dead', async () => {
      const { background } = await open(['a']);
      await background.add(backgroundRun('s1', 'a'), 'p', past);
      expect(await background.renew('p', future)).toEqual([{ search_id: 's1', attempt: 1, isCancelled: false }]);
      expect(await background.claim('q', future, once)).toEqual([]);
      await background.release('p');
      expect(await background.claim('q', future, once)).toMatchObject([{ attempt: 2, deaths: 0 }]);
      expect(await background.renew('p', future)).toEqual([]);
    });

    it('counts an owner that died as a death only if it had begun the run', async () => {
      const { background } = await open(['a']);
      await background.add(backgroundRun('s1', 'a'), 'first', past);
      const claim = async (owner: string) => (await background.claim(owner, past, once))[0];
      expect(await claim('waited')).toMatchObject({ attempt: 2, deaths: 1 });
      expect(await claim('begins')).toMatchObject({ attempt: 3, deaths: 1 });
      expect(await background.confirm('s1', { owner: 'begins', attempt: 3 }, past)).toBe(true);
      expect(await claim('last')).toMatchObject({ attempt: 4, deaths: 2 });
    });

    it('releases one run of an owner, unless that was claimed again', async () => {
      const { background } = await open(['a']);
      await background.add(backgroundRun('s1', 'a'), 'p', future);
      await background.release('p', { search_id: 's1', attempt: 2 });
      expect(await background.claim('q', future, once)).toEqual([]);
      await background.release('p', { search_id: 's1', attempt: 1 });
      expect(await background.claim('q', future, once)).toMatchObject([{ search_id: 's1', attempt: 2, deaths: 0 }]);
    });

    it('ignores an owner whose run was taken over: only the new one ends it', async () => {
      const { background, runs } = await open(['a']);
      await background.add(backgroundRun('s1', 'a'), 'old', past);
      await background.claim('new', future, once);
      expect(await background.confirm('s1', { owner: 'old', attempt: 1 }, future)).toBe(false);
      expect(await background.confirm('s1', { owner: 'new', attempt: 2 }, future)).toBe(true);
      await runs.save(runRecord('s1', 'a', { attempt: 1, owner: 'old', engine: 'old' }));
      expect(await runs.get('a', 's1')).toBeUndefined();
      await runs.save(runRecord('s1', 'a', { attempt: 2, owner: 'new', engine: 'new' }));
      await runs.save(runRecord('s1', 'a', { attempt: 2, owner: 'new', engine: 'again' }));
      expect(await runs.get('a', 's1')).toMatchObject({ engine: 'new', attempt: 2 });
      expect(await background.claim('p', future, { limit: 10, leftBy: 'new' })).toEqual([]);
    });

    it('tells the owner that a run is to be cancelled, and forgets one that was removed', async () => {
      const { background, runs } = await open(['a', 'b']);
      await background.add(backgroundRun('s1', 'a'), 'p', future);
      expect(await background.cancel('b', 's1')).toBe(false);
      expect(await background.cancel('a', 's1')).toBe(true);
      expect(await background.renew('p', future)).toMatchObject([{ isCancelled: true }]);
      await background.remove('b', 's1');
      expect(await background.get('a', 's1')).toBeDefined();
      await background.remove('a', 's1');
      expect(await background.renew('p', future)).toEqual([]);
      await runs.save(runRecord('s1', 'a', { attempt: 1, owner: 'p' }));
      expect(await runs.get('a', 's1')).toBeUndefined();
    });
  });
}
