/** What every keeper of ratings must do, whatever it keeps them in. */
import { describe, expect, it } from 'vitest';
import type { Feedback } from '../../../protocol/index.ts';
import type { Store } from '../../../src/store/store.ts';
import { runRecord } from '../run-records.ts';

const time = (n: number) => new Date(1_800_000_000_000 + 1000 * n).toISOString();
const rated = (search_id: string, n = 0, change: Partial<Feedback> = {}): Feedback => ({
  search_id,
  rating: 'up',
  rated_at: time(n),
  question: 'Why "so"? ünïcode \u{1f600}',
  models: ['m'],
  text: 'Because.',
  ...change,
});

/** `open` gives a store in which the accounts exist and nothing is kept yet. */
export function describeFeedbackRecords(name: string, open: (accounts: readonly string[]) => Promise<Store>): void {
  describe(`feedback in ${name}`, () => {
    const all = { cursor: undefined, limit: 100 };

    /** Searches that ended, to be rated; with `ended_at`, all of them at that time. */
    async function save({ runs }: Store, account_id: string, ids: readonly string[], ended_at = time(0)) {
      await Promise.all(ids.map((id) => runs.save(runRecord(id, account_id, { ended_at }))));
    }

    it('keeps one rating of an answer and one of each citation, the last one given, only for its account', async () => {
      const store = await open(['a', 'b']);
      const { feedback } = store;
      await save(store, 'a', ['s1']);
      await feedback.put('a', rated('s1'));
      await feedback.put('a', rated('s1', 1, { citation_id: 'c1' }));
      const last = rated('s1', 2, { rating: 'down', comment: 'no' });
      await feedback.put('a', last);
      expect((await feedback.list('a', all)).items).toEqual([last, rated('s1', 1, { citation_id: 'c1' })]);
      expect((await feedback.list('b', all)).items).toEqual([]);
    });

    it('takes back one rating and leaves the others', async () => {
      const store = await open(['a', 'b']);
      const { feedback } = store;
      await save(store, 'a', ['s1']);
      await feedback.put('a', rated('s1'));
      await feedback.put('a', rated('s1', 1, { citation_id: 'c1' }));
      await feedback.remove('b', 's1', 'c1');
      await feedback.remove('a', 's1', 'none');
      await feedback.remove('a', 's1', undefined);
      expect((await feedback.list('a', all)).items).toEqual([rated('s1', 1, { citation_id: 'c1' })]);
    });

    it('lists the newest first, in pages that neither repeat nor skip any, and those of one search', async () => {
      const store = await open(['a']);
      const { feedback } = store;
      await save(
        store,
        'a',
        Array.from({ length: 7 }, (_, n) => `s${n}`),
      );
      for (let n = 0; n < 7; n += 1) await feedback.put('a', rated(`s${n}`, Math.floor(n / 2)));
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await feedback.list('a', { cursor, limit: 3 });
        found.push(...page.items.map(({ search_id }) => search_id));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(found).toEqual(['s6', 's5', 's4', 's3', 's2', 's1', 's0']);
      expect((await feedback.list('a', { ...all, search_id: 's3' })).items).toHaveLength(1);
    });

    it('removes ratings with their search, of that account alone', async () => {
      const store = await open(['a', 'b']);
      const { feedback, runs } = store;
      await save(store, 'a', ['s1']);
      await save(store, 'b', ['s2']);
      await feedback.put('a', rated('s1'));
      await feedback.put('b', rated('s2'));
      await runs.remove('a', 's1');
      await runs.remove('a', 's2');
      expect((await feedback.list('a', all)).items).toEqual([]);
      expect((await feedback.list('b', all)).items).toHaveLength(1);
    });

    it('keeps no rating of a search that the account does not have, or no longer has', async () => {
      const store = await open(['a', 'b']);
      const { feedback, runs } = store;
      await save(store, 'a', ['s1', 's2']);
      await runs.remove('a', 's1');
      expect(await feedback.put('a', rated('s1'))).toBe(false);
      expect(await feedback.put('b', rated('s2'))).toBe(false);
      expect(await feedback.put('a', rated('s3'))).toBe(false);
      expect(await feedback.put('a', rated('s2'))).toBe(true);
      expect((await feedback.list('a', all)).items).toEqual([rated('s2')]);
      expect((await feedback.list('b', all)).items).toEqual([]);
    });

    const many = Array.from({ length: 60 }, (_, n) => `s${String(n).padStart(2, '0')}`);

    it('removes the ratings of all searches that two servers remove together for their age, if all ended at one time', async () => {
      const store = await open(['a']);
      const { feedback, runs } = store;
      await save(store, 'a', many);
      for (const id of many) await feedback.put('a', rated(id));
      const round = async () => {
        while (await runs.removeBefore(time(1), 7));
      };
      await Promise.all([round(), round()]);
      expect((await runs.list('a', all)).items).toEqual([]);
      expect((await feedback.list('a', all)).items).toEqual([]);
    });

    it('keeps no rating that is given while its search is removed', async () => {
      const store = await open(['a']);
      const { feedback, runs } = store;
      await save(store, 'a', many);
      await save(store, 'a', ['kept'], time(9));
      const rate = async (id: string) => {
        while (await feedback.put('a', rated(id)));
      };
      const round = async () => {
        while (await runs.removeBefore(time(1), 7));
      };
      await Promise.all([...many.map(rate), ...many.slice(0, 20).map((id) => runs.remove('a', id)), round()]);
      expect(await feedback.put('a', rated('kept'))).toBe(true);
      expect((await feedback.list('a', all)).items).toEqual([rated('kept')]);
    });
  });
}
