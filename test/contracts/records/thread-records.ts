/** What every keeper of threads must do, whatever it keeps them in. */
import { describe, expect, it } from 'vitest';
import type { StoredShare, StoredTurn, ThreadRecords } from '../../../src/runs/records/thread-records.ts';

const time = (n: number) => new Date(1_800_000_000_000 + 1000 * n).toISOString();

/** The first turn of a thread, or a further one, that asks this. */
const asking = (prompt: string, search_id: string, n = 0) => turn(search_id, n, { request: { prompt } });

/** A turn of a search that began `n` seconds after the first. */
function turn(search_id: string, n = 0, change: Partial<StoredTurn> = {}): StoredTurn {
  return { search_id, created_at: time(n), request: { prompt: `question ${search_id}` }, has_image: false, ...change };
}

const share = (hash: string, change: Partial<StoredShare> = {}): StoredShare => ({
  hash,
  created_at: time(0),
  expires_at: time(100),
  content: '{"title":"ünïcode \u{1f600}"}',
  snapshots: ['p1', 'p2'],
  ...change,
});

/** `open` gives records in which the accounts exist and nothing is kept yet. */
export function describeThreadRecords(name: string, open: (accounts: string[]) => Promise<ThreadRecords>): void {
  describe(`threads in ${name}`, () => {
    const listed = async (records: ThreadRecords, account: string, words: string[] = []) =>
      (await records.list(account, { cursor: undefined, limit: 100, words })).items.map(({ thread_id }) => thread_id);

    it('returns a thread with its turns as they were added, and only to its account', async () => {
      const records = await open(['a', 'b']);
      const first = turn('s1', 0, { has_image: true, request: { prompt: 'Why "so"?\u0000', effort: 'deep' } });
      const second = turn('s2', 5, { previous_search_id: 's1' });
      await records.begin('a', first);
      expect(await records.add('a', 's1', second, 200)).toBe('added');
      const about = { thread_id: 's1', title: 'Why "so"?', is_named: false, pinned: false, turns: 2 };
      const thread = { ...about, created_at: time(0), updated_at: time(5) };
      expect(await records.get('a', 's1')).toEqual({ ...thread, list: [first, second] });
      expect((await records.list('a', { cursor: undefined, limit: 1, words: [] })).items).toEqual([thread]);
      expect(await records.get('b', 's1')).toBeUndefined();
      expect(await listed(records, 'b')).toEqual([]);
    });

    it('adds nothing to a thread of another account, to none, and to a full one', async () => {
      const records = await open(['a', 'b']);
      await records.begin('a', turn('s1'));
      expect(await records.add('b', 's1', turn('x1'), 200)).toBe('unknown');
      expect(await records.add('a', 'none', turn('x2'), 200)).toBe('unknown');
      const adding = Array.from({ length: 8 }, (_, n) => records.add('a', 's1', turn(`s${n + 2}`, n), 4));
      expect((await Promise.all(adding)).filter((outcome) => outcome === 'added')).toHaveLength(3);
      expect((await records.get('a', 's1'))?.list).toHaveLength(4);
    });

    it('lists pinned threads first, then the newest, in pages that neither repeat nor skip any', async () => {
      const records = await open(['a']);
      for (let n = 0; n < 11; n += 1) await records.begin('a', turn(`s${n}`, Math.floor(n / 2)));
      await records.change('a', 's3', { pinned: true });
      await records.add('a', 's0', turn('later', 60), 200);
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await records.list('a', { cursor, limit: 3, words: [] });
        found.push(...page.items.map(({ thread_id }) => thread_id));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(found).toEqual(['s3', 's0', 's10', 's9', 's8', 's7', 's6', 's5', 's4', 's2', 's1']);
    });

    it('finds threads by all words of a search, in the title or the questions, as they are written', async () => {
      const records = await open(['a']);
      await records.begin('a', asking('Who designed the lighthouse?', 's1'));
      await records.change('a', 's1', { title: 'Heron Point' });
      await records.add('a', 's1', asking('How tall is 100% of it?', 's2', 1), 200);
      await records.begin('a', asking('Which kettle is best?', 's3'));
      expect(await listed(records, 'a', ['heron', 'tall'])).toEqual(['s1']);
      expect(await listed(records, 'a', ['100%'])).toEqual(['s1']);
      expect(await listed(records, 'a', ['1%0'])).toEqual([]);
      expect(await listed(records, 'a', ['k_ttle'])).toEqual([]);
      expect(await listed(records, 'a', ['kettle', 'heron'])).toEqual([]);
    });

    it('finds threads by their titles in letters of any alphabet, whatever their case', async () => {
      const records = await open(['a']);
      await records.begin('a', asking('ÉTAT des lieux', 's1'));
      await records.begin('a', asking('one', 's2'));
      await records.change('a', 's2', { title: 'Übersicht ÄRGER' });
      await records.begin('a', asking('two', 's3'));
      await records.change('a', 's3', { title: 'ПРИВЕТ', unlessNamed: true });
      expect(await listed(records, 'a', ['état'])).toEqual(['s1']);
      expect(await listed(records, 'a', ['übersicht', 'ärger'])).toEqual(['s2']);
      expect(await listed(records, 'a', ['привет'])).toEqual(['s3']);
    });

    it('keeps the name that a person gave it', async () => {
      const records = await open(['a', 'b']);
      await records.begin('a', turn('s1'));
      const byModel = { title: 'By the model', unlessNamed: true };
      expect(await records.change('a', 's1', byModel)).toMatchObject({ title: 'By the model', is_named: false });
      expect(await records.change('a', 's1', { title: 'Mine' })).toMatchObject({ title: 'Mine', is_named: true });
      expect(await records.change('a', 's1', byModel)).toMatchObject({ title: 'Mine' });
      expect(await records.change('a', 's1', { pinned: true })).toMatchObject({ title: 'Mine', pinned: true });
      expect(await records.change('a', 's1', {})).toMatchObject({ title: 'Mine', pinned: true });
      expect(await records.change('b', 's1', { title: 'Theirs' })).toBeUndefined();
    });

    it('removes the turn of a removed search, and the thread with its last one', async () => {
      const records = await open(['a', 'b']);
      await records.begin('a', turn('s1'));
      await records.add('a', 's1', turn('s2', 1), 200);
      await records.share('a', 's1', share('h'), []);
      await records.removeTurn('b', 's1');
      expect(await records.shared('h', time(1))).toBeDefined();
      await records.removeTurn('a', 's1');
      expect(await records.shared('h', time(1))).toBeUndefined();
      expect((await records.get('a', 's1'))?.list.map(({ search_id }) => search_id)).toEqual(['s2']);
      await records.removeTurn('a', 's2');
      await records.removeTurn('a', 's2');
      expect(await records.get('a', 's1')).toBeUndefined();
    });

    it('is neither found by the question of a removed search nor called after it', async () => {
      const records = await open(['a']);
      await records.begin('a', asking('My secret salary?', 's1'));
      await records.add('a', 's1', asking('Hello world', 's2', 1), 200);
      await records.add('a', 's1', asking('And the moon?', 's3', 2), 200);
      await records.removeTurn('a', 's3');
      expect(await records.get('a', 's1')).toMatchObject({ title: 'My secret salary?', turns: 2 });
      expect(await listed(records, 'a', ['moon'])).toEqual([]);
      await records.removeTurn('a', 's1');
      expect(await records.get('a', 's1')).toMatchObject({ title: 'Hello world', turns: 1 });
      expect(await listed(records, 'a', ['salary'])).toEqual([]);
      expect(await listed(records, 'a', ['hello'])).toEqual(['s1']);
      // A title that the model made of the removed question comes too late.
      const late = await records.change('a', 's1', { title: 'Secret salary', unlessNamed: true });
      expect(late).toMatchObject({ title: 'Hello world' });
    });

    it('keeps the name that a person gave it when its first search is removed, and not that of the model', async () => {
      const records = await open(['a']);
      for (const [first, second, change] of [
        ['s1', 's2', { title: 'Mine' }],
        ['s3', 's4', { title: 'Secrets', unlessNamed: true }],
      ] as const) {
        await records.begin('a', asking('My secret salary?', first));
        await records.add('a', first, asking('Hello world', second, 1), 200);
        await records.change('a', first, change);
        await records.removeTurn('a', first);
      }
      expect(await records.get('a', 's1')).toMatchObject({ title: 'Mine' });
      expect(await records.get('a', 's3')).toMatchObject({ title: 'Hello world' });
      expect(await listed(records, 'a', ['secrets'])).toEqual([]);
    });

    it('removes a thread with its share, and names its searches', async () => {
      const records = await open(['a', 'b']);
      await records.begin('a', turn('s1'));
      await records.add('a', 's1', turn('s2', 1), 200);
      await records.share('a', 's1', share('h'), []);
      expect(await records.remove('b', 's1')).toBeUndefined();
      expect([...(await records.remove('a', 's1'))!].sort()).toEqual(['s1', 's2']);
      expect(await records.shared('h', time(1))).toBeUndefined();
      expect(await listed(records, 'a')).toEqual([]);
    });

    it('opens a share until it expires, is replaced or is revoked', async () => {
      const records = await open(['a', 'b']);
      await records.begin('a', turn('s1'));
      expect(await records.share('b', 's1', share('h0'), [])).toBe('unknown');
      expect(await records.share('a', 's1', share('h1'), ['s1'])).toBe('shared');
      const { content, created_at, expires_at } = share('h1');
      expect(await records.shared('h1', time(99))).toBe(content);
      expect(await records.get('a', 's1')).toMatchObject({ share: { created_at, expires_at } });
      expect(await records.shared('h1', time(100))).toBeUndefined();
      await records.share('a', 's1', share('h2'), []);
      expect(await records.shared('h1', time(1))).toBeUndefined();
      expect(await records.shared('h2', time(1))).toBeDefined();
      expect(await records.unshare('b', 's1')).toBe(false);
      expect(await records.unshare('a', 's1')).toBe(true);
      expect(await records.shared('h2', time(1))).toBeUndefined();
      expect(await records.get('a', 's1')).not.toHaveProperty('share');
    });

    it('stores no share of a search that was removed while the share was made', async () => {
      const records = await open(['a']);
      await records.begin('a', turn('s1'));
      await records.add('a', 's1', turn('s2', 1), 200);
      const searches = (await records.get('a', 's1'))!.list.map(({ search_id }) => search_id);
      await records.add('a', 's1', turn('s3', 2), 200);
      expect(await records.share('a', 's1', share('h1'), searches)).toBe('shared');
      await records.removeTurn('a', 's2');
      expect(await records.share('a', 's1', share('h2'), searches)).toBe('changed');
      for (const hash of ['h1', 'h2']) expect(await records.shared(hash, time(1))).toBeUndefined();
      // Whichever of both is first, the link does not show it.
      const racing = [...Array(8).keys()].map(async (n) => {
        await records.begin('a', turn(`t${n}`));
        await records.add('a', `t${n}`, turn(`u${n}`, 1), 200);
        const both = [`t${n}`, `u${n}`];
        await Promise.all([records.removeTurn('a', `u${n}`), records.share('a', `t${n}`, share(`r${n}`), both)]);
        expect(await records.shared(`r${n}`, time(1))).toBeUndefined();
      });
      await Promise.all(racing);
    });

    it('removes threads that were not continued since a time, oldest first', async () => {
      const records = await open(['a']);
      for (let n = 0; n < 5; n += 1) await records.begin('a', turn(`s${n}`, n));
      await records.add('a', 's0', turn('later', 60), 200);
      expect(await records.removeThreadsBefore(time(4), time(70), 2)).toBe(true);
      expect((await listed(records, 'a')).sort()).toEqual(['s0', 's3', 's4']);
      expect(await records.removeThreadsBefore(time(4), time(70), 2)).toBe(false);
      expect((await listed(records, 'a')).sort()).toEqual(['s0', 's4']);
    });

    it('keeps an old thread as long as its share link works', async () => {
      const records = await open(['a']);
      for (const id of ['s0', 's1', 's2']) await records.begin('a', turn(id));
      await records.share('a', 's1', share('h1'), []);
      await records.change('a', 's2', { pinned: true });
      expect(await records.removeThreadsBefore(time(4), time(99), 10)).toBe(false);
      expect(await listed(records, 'a')).toEqual(['s1']);
      expect(await records.shared('h1', time(99))).toBeDefined();
      expect(await records.removeThreadsBefore(time(4), time(100), 10)).toBe(false);
      expect(await listed(records, 'a')).toEqual([]);
    });
  });
}
