/** The keepers of designs, each under the same law, and what SQLite refuses to whoever asks it in its own words. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import { describeDesignRecords } from '../contracts/design-records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const stores: Store[] = [];
afterAll(async () => {
  for (const store of stores) await store.close();
});

async function openWith(accounts: string[], dataDir = `${folder}/${stores.length}`): Promise<Store> {
  const store = await openStore({ dataDir });
  stores.push(store);
  const account = {
    plan: 'pro',
    status: 'active',
    status_reason: null,
    created_at: '2026-01-01T00:00:00.000Z',
  } as const;
  for (const id of accounts) await store.access.addAccount({ id, name: id, ...account });
  return store;
}

describeDesignRecords('SQLite', async (accounts) => (await openWith(accounts)).designs);

describe('a published version in the database itself', () => {
  const columns = 'api_stub, version, api_id, account_id, content, content_hash, words, published_at';

  it.each([
    ['update', "update api_versions set content = 'x' where version = 1", 'never changes'],
    ['update of everything', 'update api_versions set version = version + 1', 'never changes'],
    ['delete', 'delete from api_versions where version = 1', 'never deleted'],
    ['delete of everything', 'delete from api_versions', 'never deleted'],
    [
      'a gap',
      `insert into api_versions (${columns}) values ('one', 4, 'd', 'a', '{}', 'h', '', '')`,
      'behind the newest',
    ],
    [
      'a stub that begins at 2',
      `insert into api_versions (${columns}) values ('two', 2, 'd', 'a', '{}', 'h', '', '')`,
      'behind the newest',
    ],
    ['version 0', `insert into api_versions (${columns}) values ('two', 0, 'd', 'a', '{}', 'h', '', '')`, 'CHECK'],
  ])('refuses %s', async (_, statement, message) => {
    const { rows, run } = await published();
    expect(() => run(statement)).toThrow(message);
    expect(rows()).toEqual([1, 2]);
  });

  it.each(['insert or replace', 'replace', 'insert or ignore'])('is not replaced by "%s"', async (verb) => {
    const { contents, run } = await published();
    const before = contents();
    run(`${verb} into api_versions (${columns}) values ('one', 1, 'd', 'a', 'x', 'h', '', '')`);
    expect(contents()).toEqual(before);
  });

  async function published() {
    const dataDir = `${folder}/${stores.length}-own`;
    const { designs } = await openWith(['a'], dataDir);
    const version = { api_stub: 'one', api_id: 'd', account_id: 'a', content_hash: 'h', words: '', published_at: '' };
    await designs.publish({ ...version, content: '{"n": 1}' });
    await designs.publish({ ...version, content: '{"n": 2}' });
    const database = new Database(join(dataDir, 'citewire.db'));
    const column = (name: string) =>
      database.prepare(`select ${name} from api_versions order by version`).pluck().all();
    return {
      run: (statement: string) => database.exec(statement),
      rows: () => column('version'),
      contents: () => column('content'),
    };
  }
});
