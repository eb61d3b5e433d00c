/** What the database itself refuses to do to a published version, in its own words, and what two processes get of it. */
import { describe, expect, it } from 'vitest';
import { openStore, type StoreOptions } from '../../src/store/store.ts';
import { linesOf, startOnStore } from '../support/store-process.ts';
import type { StoreKind } from './store.ts';

const columns = 'api_stub, version, api_id, account_id, content, content_hash, words, published_at';
const row = (stub: string, version: number) =>
  `api_versions (${columns}) values ('${stub}', ${version}, 'd', 'a', 'x', 'h', '', '')`;

export function describePublishedVersions(kind: StoreKind): void {
  describe(`a published version in the database itself, ${kind.name}`, () => {
    it.each([
      ['update', "update api_versions set content = 'x' where version = 1", /never changes/],
      ['update of everything', 'update api_versions set version = version + 1', /never changes/],
      ['delete', 'delete from api_versions where version = 1', /never deleted/],
      ['delete of everything', 'delete from api_versions', /never deleted/],
      ['gap', `insert into ${row('one', 4)}`, /behind the newest/],
      ['stub that begins at 2', `insert into ${row('two', 2)}`, /behind the newest/],
      ['version 0', `insert into ${row('two', 0)}`, /check/i],
    ])('refuses any %s', async (_, statement, message) => {
      const where = await published(kind);
      await expect(kind.query(where, statement)).rejects.toThrow(message);
      expect(await contents(where)).toEqual(['{"n": 1}', '{"n": 2}']);
    });

    it.each([...kind.replacing])('stays what it is where this database has "%s"', async (statement) => {
      const where = await published(kind);
      await kind.query(where, statement.replace('…', row('one', 1))).catch(() => {});
      expect(await contents(where)).toEqual(['{"n": 1}', '{"n": 2}']);
    });

    it('gets the next number, and none twice, when two processes publish at once', async () => {
      const where = await published(kind);
      const printed = await Promise.all([1, 2].map(() => linesOf(startOnStore('publish-process.ts', where))));
      const numbers = printed
        .flat()
        .map(Number)
        .sort((a, b) => a - b);
      expect(printed.map((lines) => lines.length)).toEqual([25, 25]);
      expect(numbers).toEqual(Array.from({ length: 50 }, (_, i) => i + 3));
      expect(await contents(where)).toHaveLength(52);
    }, 120_000);

    async function contents(where: StoreOptions): Promise<unknown[]> {
      const rows = await kind.query(where, "select content from api_versions where api_stub = 'one' order by version");
      return rows.map(({ content }) => content);
    }
  });
}

async function published({ fresh }: StoreKind): Promise<StoreOptions> {
  const where = await fresh();
  const { access, designs, close } = await openStore(where);
  const account = { name: 'a', plan: 'pro', status: 'active', status_reason: null, created_at: '2026' } as const;
  await access.addAccount({ id: 'a', ...account });
  const version = { api_stub: 'one', api_id: 'd', account_id: 'a', content_hash: 'h', words: '', published_at: '' };
  for (const n of [1, 2]) await designs.publish({ ...version, content: `{"n": ${n}}` });
  await close();
  return where;
}
