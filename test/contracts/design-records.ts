/** What every keeper of designs and published versions must do, whatever it keeps them in. */
import { describe, expect, it } from 'vitest';
import { Design } from '../../protocol/index.ts';
import type { DesignRecords, Draft, NewVersion } from '../../src/designs/design-records.ts';

const at = (ms: number) => new Date(1_700_000_000_000 + ms).toISOString();

function draft(api_id: string, account_id: string, change: Partial<Draft> = {}, api_stub = `stub-${api_id}`): Draft {
  const design = Design.parse({
    name: 'Näme \u{1f600}\0',
    api_stub,
    prompt: 'What is {{topic}}?',
    inputs: { topic: { type: 'string', default: 'a "quoted" — word' } },
    output_format: { b: 'string', a: [{ z: 'number', y: 'boolean' }] },
    examples: [{ inputs: { topic: '{{topic}}' } }],
  });
  const texts = { content: JSON.stringify(design), summary: JSON.stringify({ name: design.name }) };
  return { api_id, account_id, api_stub, ...texts, revision: 1, created_at: at(0), updated_at: at(0), ...change };
}

function version(api_stub: string, account_id: string, content = '{}', published_at = at(0), words = api_stub) {
  const shown = { summary: `{"name":"${api_stub}"}`, interface: `{"inputs":${content}}`, example: null };
  return { api_stub, account_id, api_id: `of-${api_stub}`, content, content_hash: 'h', published_at, words, ...shown };
}

function publish(records: DesignRecords, version: NewVersion): Promise<number | undefined> {
  return records.publish(version, async (before) => JSON.stringify(before?.content ?? null));
}

type Kept = DesignRecords & { suspend(account_id: string): Promise<unknown> };

/** `open` gives records in which the accounts exist, named as they are called, and nothing is kept yet. */
export function describeDesignRecords(name: string, open: (accounts: string[]) => Promise<Kept>): void {
  const page = { cursor: undefined, limit: 100 };

  async function pagesOf<Item>(
    read: (page: { cursor: string | undefined; limit: number }) => Promise<{ items: Item[]; cursor?: string }>,
    limit: number,
  ): Promise<Item[]> {
    const all: Item[] = [];
    let cursor: string | undefined;
    do {
      const { items, cursor: next } = await read({ cursor, limit });
      expect(items.length).toBeLessThanOrEqual(limit);
      all.push(...items);
      cursor = next;
    } while (cursor !== undefined);
    return all;
  }

  describe(`drafts in ${name}`, () => {
    it('returns a draft as it was added, and only to its account', async () => {
      const records = await open(['a', 'b']);
      const kept = draft('d1', 'a');
      expect(await records.add(kept, 500)).toBe('added');
      const unpublished = { ...kept, published_version: null };
      expect(await records.get('a', 'd1')).toEqual(unpublished);
      expect(await records.byStub('a', 'stub-d1')).toEqual(unpublished);
      expect(await records.get('b', 'd1')).toBeUndefined();
      expect(await records.byStub('b', 'stub-d1')).toBeUndefined();
      expect(await records.get('a', 'd2')).toBeUndefined();
    });

    it('refuses a second draft with the same stub in an account', async () => {
      const records = await open(['a', 'b']);
      await records.add(draft('d1', 'a', {}, 'same'), 500);
      expect(await records.add(draft('d2', 'a', {}, 'same'), 500)).toBe('stub_taken');
      expect(await records.add(draft('d3', 'b', {}, 'same'), 500)).toBe('added');
      const other = draft('d4', 'a', {}, 'other');
      await records.add(other, 500);
      const renamed = { ...other, revision: 2, api_stub: 'same' };
      expect(await records.change(renamed)).toBe('stub_taken');
      expect(await records.get('a', 'd4')).toMatchObject(other);
    });

    it('lists drafts and versions without their documents, which may be large', async () => {
      const records = await open(['a']);
      const large = (id: string) => draft(id, 'a', { content: JSON.stringify('x'.repeat(1_000_000)) });
      const ids = ['d1', 'd2', 'd3', 'd4', 'd5'];
      for (const id of ids) await records.add(large(id), 500);
      const { items, cursor } = await records.list('a', page);
      const { content: _, ...listed } = { ...large('d1'), published_version: null };
      expect(items.find(({ api_id }) => api_id === 'd1')).toEqual(listed);
      expect([items.map(({ api_id }) => api_id).sort(), cursor]).toEqual([ids, undefined]);
      expect(await records.listed('a', 'd1')).toEqual(listed);
      expect(await records.listed('a', 'd6')).toBeUndefined();
      for (const stub of ids) await publish(records, version(stub, 'a', '"x"'.padEnd(1_000_000)));
      const browsed = await records.browse([], page);
      expect([browsed.items.length, browsed.cursor]).toEqual([ids.length, undefined]);
      const { content, words, interface: _shown, example, ...given } = version('d1', 'a');
      expect(browsed.items.find(({ api_stub }) => api_stub === 'd1')).toEqual({
        ...given,
        ...{ version: 1, owner: 'a', retired_at: null },
      });
    });

    it('lists what is large in pages of at most a megabyte, each item whole', async () => {
      const records = await open(['a']);
      const content = JSON.stringify('x'.repeat(400_000));
      for (let n = 0; n < 5; n += 1) await publish(records, version('big', 'a', content));
      const ofStub = (query: { cursor: string | undefined; limit: number }) => records.versions('big', query);
      const ofDraft = (query: { cursor: string | undefined; limit: number }) =>
        records.versionsOf('a', 'of-big', query);
      for (const read of [ofStub, ofDraft]) {
        const first = await read(page);
        expect(first.items.map((each) => each.version)).toEqual([5, 4]);
        expect(first.cursor).toBeDefined();
        expect((await pagesOf<{ version: number }>(read, 100)).map((each) => each.version)).toEqual([5, 4, 3, 2, 1]);
      }
      const larger = JSON.stringify('x'.repeat(1_500_000));
      for (let n = 0; n < 2; n += 1) await publish(records, version('larger', 'a', larger));
      expect((await records.versions('larger', page)).items.map((each) => each.version)).toEqual([2]);
    });

    it('never stores more drafts than the limit when many are added simultaneously', async () => {
      const records = await open(['a', 'b']);
      const adding = Array.from({ length: 20 }, (_, i) => records.add(draft(`d${i}`, i % 10 === 9 ? 'b' : 'a'), 5));
      const outcomes = await Promise.all(adding);
      expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(5 + 2);
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(13);
      const { items } = await records.list('a', page);
      expect(items).toHaveLength(5);
      await records.remove('a', items[0]!.api_id);
      expect(await records.add(draft('again', 'a'), 5)).toBe('added');
    });

    it('changes a draft only from its previous revision, once for two concurrent changes', async () => {
      const records = await open(['a', 'b']);
      const first = draft('d1', 'a');
      await records.add(first, 500);
      const second = { ...first, revision: 2, updated_at: at(1), content: '{"name":"second"}' };
      const twin = { ...second, content: '{"name":"twin"}' };
      const outcomes = await Promise.all([records.change(second), records.change(twin)]);
      expect(outcomes.sort()).toEqual(['changed', 'stale']);
      const now = await records.get('a', 'd1');
      expect([second, twin].map(({ content }) => content)).toContain(now!.content);
      expect(await records.change({ ...second, account_id: 'b', revision: 3 })).toBe('stale');
      expect(await records.get('a', 'd1')).toEqual(now);
    });

    it('removes a draft only for its account', async () => {
      const records = await open(['a', 'b']);
      await records.add(draft('d1', 'a'), 500);
      expect(await records.remove('b', 'd1')).toBe(false);
      expect(await records.remove('a', 'd1')).toBe(true);
      expect(await records.remove('a', 'd1')).toBe(false);
      expect(await records.change({ ...draft('d1', 'a'), revision: 2 })).toBe('stale');
    });

    it('lists drafts newest first, in pages that neither repeat nor skip any', async () => {
      const records = await open(['a', 'b']);
      const ids = Array.from({ length: 17 }, (_, i) => `d${String(i).padStart(2, '0')}`);
      for (const [i, id] of ids.entries()) {
        // Some are made within the same millisecond.
        await records.add(draft(id, i % 9 === 8 ? 'b' : 'a', { created_at: at(Math.floor(i / 3)) }), 500);
      }
      const listed = await pagesOf((each) => records.list('a', each), 4);
      expect(listed.map(({ api_id }) => api_id)).toEqual(ids.filter((_, i) => i % 9 !== 8).reverse());
    });

    it.each([
      'nonsense',
      'WyJhIl0',
      Buffer.from('["\\u0000", 1]').toString('base64url'),
      Buffer.from('[1, 2]').toString('base64url'),
    ])('refuses an invalid cursor: %s', async (cursor) => {
      const records = await open(['a']);
      const asked = { cursor, limit: 5 };
      for (const page of [
        () => records.list('a', asked),
        () => records.versions('s', asked),
        () => records.versionsOf('a', 'of-s', asked),
        () => records.browse([], asked),
      ]) {
        await expect(page()).rejects.toMatchObject({ code: 'validation_error' });
      }
    });
  });

  describe(`published versions in ${name}`, () => {
    it('numbers the versions of each stub from 1 and returns them as they were published', async () => {
      const records = await open(['a']);
      const content = '{"name": "ü \\u0000 \u{1f600}"}';
      expect(await publish(records, version('one', 'a', content))).toBe(1);
      expect(await publish(records, version('one', 'a', '{"n": 2}'))).toBe(2);
      expect(await publish(records, version('two', 'a'))).toBe(1);
      const { words: _, interface: shown, example, ...given } = version('one', 'a', content);
      expect(await records.version('one', 1)).toEqual({ ...given, version: 1, owner: 'a', retired_at: null });
      const { content: _content, ...stored } = { ...given, interface: shown, example, version: 1, owner: 'a' };
      const listed = { ...stored, retired_at: null };
      expect((await records.versions('one', page)).items[1]).toEqual({ ...listed, changes: 'null' });
      expect(await records.shown('one')).toMatchObject({ version: 2, changes: JSON.stringify(content) });
      expect(await records.newest('one')).toMatchObject({ version: 2, content: '{"n": 2}' });
    });

    it.each([0, -1, 3, 2_147_483_647])('finds no version with the number %i', async (number) => {
      const records = await open(['a']);
      await publish(records, version('one', 'a'));
      expect(await records.version('one', number)).toBeUndefined();
      expect(await records.version('none', 1)).toBeUndefined();
      expect(await records.newest('none')).toBeUndefined();
      expect(await records.shown('none')).toBeUndefined();
    });

    it('keeps a stub for the account that published it first', async () => {
      const records = await open(['a', 'b']);
      await publish(records, version('one', 'a'));
      expect(await publish(records, version('one', 'b'))).toBeUndefined();
      const outcomes = await Promise.all(
        ['a', 'b', 'a', 'b'].map((account) => publish(records, version('two', account))),
      );
      const won = outcomes.filter((number) => number !== undefined);
      expect(won).toEqual([1, 2]);
    });

    it('gives concurrently published versions distinct numbers without gaps', async () => {
      const records = await open(['a']);
      const numbers = await Promise.all(
        Array.from({ length: 60 }, (_, i) => publish(records, version('one', 'a', `{"i": ${i}}`))),
      );
      expect(numbers.sort((a, b) => a! - b!)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    });

    it('shows the newest published version on a draft of the same account and stub', async () => {
      const records = await open(['a', 'b']);
      await records.add(draft('d1', 'a', {}, 'one'), 500);
      await records.add(draft('d2', 'b', {}, 'one'), 500);
      for (let i = 0; i < 3; i++) await publish(records, version('one', 'a'));
      expect(await records.get('a', 'd1')).toMatchObject({ published_version: 3 });
      expect((await records.list('b', page)).items).toMatchObject([{ published_version: null }]);
    });

    it('keeps the versions when their draft is removed', async () => {
      const records = await open(['a']);
      await records.add(draft('of-one', 'a', {}, 'one'), 500);
      await publish(records, version('one', 'a'));
      await records.remove('a', 'of-one');
      expect(await records.version('one', 1)).toMatchObject({ api_id: 'of-one' });
    });

    it('lists versions newest first, by stub and by draft', async () => {
      const records = await open(['a', 'b']);
      for (let i = 1; i <= 7; i++) await publish(records, version('one', 'a', `{"i": ${i}}`, at(i)));
      await publish(records, { ...version('renamed', 'a', '{}', at(3)), api_id: 'of-one' });
      await publish(records, version('other', 'a'));
      const ofStub = await pagesOf((each) => records.versions('one', each), 3);
      expect(ofStub.map((each) => each.version)).toEqual([7, 6, 5, 4, 3, 2, 1]);
      const ofDraft = await pagesOf((each) => records.versionsOf('a', 'of-one', each), 3);
      expect(ofDraft.map((each) => `${each.api_stub}/${each.version}`)).toEqual([
        'one/7',
        'one/6',
        'one/5',
        'one/4',
        'renamed/1',
        'one/3',
        'one/2',
        'one/1',
      ]);
      expect((await records.versionsOf('b', 'of-one', page)).items).toEqual([]);
    });

    it('neither shows nor lists the versions of a suspended account, and continues them', async () => {
      const records = await open(['a', 'b']);
      for (const account of ['a', 'b']) await publish(records, version(`of-${account}`, account));
      expect([await records.countStubs('a'), await records.countStubs('none')]).toEqual([1, 0]);
      await records.suspend('a');
      expect((await records.browse([], page)).items.map(({ api_stub }) => api_stub)).toEqual(['of-b']);
      expect(await records.newest('of-a')).toBeUndefined();
      expect(await records.version('of-a', 1)).toBeUndefined();
      expect(await records.shown('of-a')).toBeUndefined();
      expect((await records.versions('of-a', page)).items).toEqual([]);
      expect([await records.holderOf('of-a'), await records.holderOf('of-none')]).toEqual(['a', undefined]);
      expect(await publish(records, version('of-a', 'b'))).toBeUndefined();
      expect(await publish(records, version('of-a', 'a'))).toBe(2);
    });

    it('retires a version beside it, for its account alone, and offers it again', async () => {
      const records = await open(['a', 'b']);
      for (let i = 1; i <= 3; i++) await publish(records, version('one', 'a', `{"i": ${i}}`, at(i)));
      const before = await records.version('one', 3);
      const browsed = async () => (await records.browse([], page)).items.map((each) => each.version);
      expect(await records.retire('b', 'one', 3, at(9))).toBeUndefined();
      expect(await records.retire('a', 'one', 4, at(9))).toBeUndefined();
      expect(await records.retire('a', 'one', 3, at(9))).toEqual({ retired_at: at(9) });
      expect(await records.retire('a', 'one', 3, at(10))).toEqual({ retired_at: at(9) });
      expect(await records.version('one', 3)).toEqual({ ...before, retired_at: at(9) });
      expect([(await records.newest('one'))?.version, (await records.shown('one'))?.version]).toEqual([2, 2]);
      expect(await browsed()).toEqual([2]);
      const listed = (await records.versions('one', page)).items;
      expect(listed.map((each) => [each.version, each.retired_at])).toEqual([
        [3, at(9)],
        [2, null],
        [1, null],
      ]);
      expect((await records.versionsOf('a', 'of-one', page)).items[0]).toMatchObject({ retired_at: at(9) });

      for (const number of [1, 2]) await records.retire('a', 'one', number, at(11));
      expect(await records.newest('one')).toBeUndefined();
      expect(await records.shown('one')).toMatchObject({ version: 3, retired_at: at(9) });
      expect(await browsed()).toEqual([]);
      expect(await publish(records, version('one', 'b'))).toBeUndefined();
      expect(await publish(records, version('one', 'a'))).toBe(4);
      expect(await browsed()).toEqual([4]);

      expect(await records.retire('a', 'one', 3, null)).toEqual({ retired_at: null });
      expect(await records.version('one', 3)).toEqual(before);
      await records.retire('a', 'one', 4, at(12));
      expect(await browsed()).toEqual([3]);
    });

    it('browses the newest version of each stub by all words, without wildcards', async () => {
      const records = await open(['a', 'b']);
      await publish(records, version('one', 'a', '{}', at(1), 'lighthouses of the north'));
      await publish(records, version('one', 'a', '{}', at(2), 'lighthouses of the süd 100%'));
      await publish(records, version('two', 'b', '{}', at(3), 'towers_of the north'));
      const found = async (...words: string[]) =>
        (await pagesOf((each) => records.browse(words, each), 1)).map((each) => `${each.api_stub}/${each.version}`);
      expect(await found()).toEqual(['two/1', 'one/2']);
      expect(await found('the')).toEqual(['two/1', 'one/2']);
      expect(await found('the', 'north')).toEqual(['two/1']);
      expect(await found('süd')).toEqual(['one/2']);
      expect(await found('100%')).toEqual(['one/2']);
      expect(await found('%')).toEqual(['one/2']);
      expect(await found('s_o')).toEqual(['two/1']);
      expect(await found('\\')).toEqual([]);
    });
  });
}
