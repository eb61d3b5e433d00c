/** What every keeper of collections must do, whatever it keeps them in. */
import { describe, expect, it } from 'vitest';
import type { StoredCollection } from '../../../src/sources/collection-records.ts';
import type { Store } from '../../../src/store/store.ts';

const at = (n: number) => new Date(1_800_000_000_000 + 1000 * n).toISOString();
const collection = (id: string, change: Partial<StoredCollection> = {}): StoredCollection => ({
  id,
  account_id: 'a',
  name: `N ${id}`,
  sources: [],
  created_at: at(0),
  updated_at: at(0),
  ...change,
});

/** `open` gives a store in which the accounts exist and nothing is kept yet. */
export function describeCollectionRecords(name: string, open: (accounts: readonly string[]) => Promise<Store>): void {
  describe(`collections in ${name}`, () => {
    it('keeps collections with their sources, by name, only for their account', async () => {
      const { collections } = await open(['a', 'b']);
      const wide = collection('c1', { name: 'Zoo “ü” \u{1f600}', sources: ['a/url:https://x.example/', 'folder:/y'] });
      expect(await collections.add(wide, 9)).toBe('added');
      expect(await collections.add(collection('c2', { name: 'apple' }), 9)).toBe('added');
      expect(await collections.add(collection('c3', { account_id: 'b', name: 'apple' }), 9)).toBe('added');
      expect(await collections.list('a')).toEqual([collection('c2', { name: 'apple' }), wide]);
      expect((await collections.list('b')).map(({ id }) => id)).toEqual(['c3']);
    });

    it('refuses a name that another one of the account has, whatever the case, and more than the limit', async () => {
      const { collections } = await open(['a']);
      await collections.add(collection('c1', { name: 'Straße' }), 2);
      expect(await collections.add(collection('c2', { name: 'STRASSE'.replace('SS', 'ß') }), 2)).toBe('name_taken');
      expect(await collections.add(collection('c3'), 2)).toBe('added');
      expect(await collections.add(collection('c4'), 2)).toBe('too_many');
      expect(await collections.change('a', 'c3', { name: 'straße', updated_at: at(1) }, 9)).toBe('name_taken');
      expect((await collections.list('a')).map(({ id }) => id)).toEqual(['c3', 'c1']);
    });

    it('holds the limit when many are added at the same time', async () => {
      const { collections } = await open(['a']);
      const adding = Array.from({ length: 12 }, (_, n) => collections.add(collection(`c${n}`), 5));
      expect((await Promise.all(adding)).filter((outcome) => outcome === 'added')).toHaveLength(5);
      expect(await collections.list('a')).toHaveLength(5);
    });

    it('renames, adds, removes and replaces, or changes nothing beyond the limit of sources', async () => {
      const { collections } = await open(['a']);
      const c1 = collection('c1', { sources: ['s1', 's2'] });
      await collections.add(c1, 9);
      const changed = { ...c1, name: 'n C1', sources: ['s2', 's3'], updated_at: at(1) };
      const change = { name: 'n C1', add: ['s3', 's2'], remove: ['s1', 's9'], updated_at: at(1) };
      expect(await collections.change('a', 'c1', change, 3)).toEqual(changed);
      expect(await collections.list('a')).toEqual([changed]);
      const tooMany = { add: ['s4', 's5'], name: 'other', updated_at: at(2) };
      expect(await collections.change('a', 'c1', tooMany, 3)).toBe('too_many_sources');
      expect(await collections.list('a')).toEqual([changed]);
      await collections.change('a', 'c1', { sources: ['s7'], updated_at: at(3) }, 3);
      expect((await collections.list('a'))[0]!.sources).toEqual(['s7']);
      await collections.change('a', 'c1', { sources: [], updated_at: at(3) }, 3);
      expect((await collections.list('a'))[0]!.sources).toEqual([]);
    });

    it("neither changes nor removes another account's", async () => {
      const { collections } = await open(['a', 'b']);
      const c1 = collection('c1', { sources: ['s1'] });
      await collections.add(c1, 9);
      expect(await collections.change('b', 'c1', { sources: [], updated_at: at(1) }, 9)).toBe('unknown');
      expect(await collections.remove('b', 'c1')).toBe(false);
      expect(await collections.list('a')).toEqual([c1]);
    });

    it('takes a source that is gone out of every collection, and removes a collection once', async () => {
      const { collections } = await open(['a', 'b']);
      await collections.add(collection('c1', { sources: ['s1', 's2'] }), 9);
      await collections.add(collection('c2', { account_id: 'b', sources: ['s1'] }), 9);
      await collections.forgetSource('s1');
      expect((await collections.list('a'))[0]!.sources).toEqual(['s2']);
      expect((await collections.list('b'))[0]!.sources).toEqual([]);
      expect(await collections.remove('a', 'c1')).toBe(true);
      expect(await collections.remove('a', 'c1')).toBe(false);
      expect(await collections.list('a')).toEqual([]);
    });

    it('keeps the collections that a key is restricted to', async () => {
      const { access } = await open(['a']);
      const key = {
        id: 'k1',
        account_id: 'a',
        name: 'key',
        scopes: [],
        collections: ['c1', 'gone'],
        created_at: at(0),
        last_used_at: null,
        revoked_at: null,
        secret_hash: 'h',
      };
      await access.addKey(key);
      await access.addKey({ ...key, id: 'k2', collections: undefined, secret_hash: 'i' });
      expect((await access.keyWithAccount('k1'))?.key.collections).toEqual(['c1', 'gone']);
      expect((await access.keyWithAccount('k2'))?.key.collections).toBeUndefined();
      expect((await access.renameKey('a', 'k1', 'new'))?.collections).toEqual(['c1', 'gone']);
    });
  });
}
