/** What every keeper of ratings must do, whatever it keeps them in. */
import { describe, expect, it } from 'vitest';
import type { Feedback } from '../../../protocol/index.ts';
import type { Store } from '../../../src/store/store.ts';

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

    it('keeps one rating of an answer and one of each citation, the last one given, only for its account', async () => {
      const { feedback } = await open(['a', 'b']);
      await feedback.put('a', rated('s1'));
      await feedback.put('a', rated('s1', 1, { citation_id: 'c1' }));
      const last = rated('s1', 2, { rating: 'down', comment: 'no' });
      await feedback.put('a', last);
      expect((await feedback.list('a', all)).items).toEqual([last, rated('s1', 1, { citation_id: 'c1' })]);
      expect((await feedback.list('b', all)).items).toEqual([]);
    });

    it('takes back one rating and leaves the others', async () => {
      const { feedback } = await open(['a', 'b']);
      await feedback.put('a', rated('s1'));
      await feedback.put('a', rated('s1', 1, { citation_id: 'c1' }));
      await feedback.remove('b', 's1', 'c1');
      await feedback.remove('a', 's1', 'none');
      await feedback.remove('a', 's1', undefined);
      expect((await feedback.list('a', all)).items).toEqual([rated('s1', 1, { citation_id: 'c1' })]);
    });

    it('lists the newest first, in pages that neither repeat nor skip any, and those of one search', async () => {
      const { feedback } = await open(['a']);
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
      const { feedback, runs } = await open(['a', 'b']);
      await feedback.put('a', rated('s1'));
      await feedback.put('b', rated('s2'));
      await runs.remove('a', 's1');
      await runs.remove('a', 's2');
      expect((await feedback.list('a', all)).items).toEqual([]);
      expect((await feedback.list('b', all)).items).toHaveLength(1);
    });
  });
}
