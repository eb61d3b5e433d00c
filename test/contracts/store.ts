/** What every store must do, whatever database it is kept in. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { listedKeys } from '../../protocol/index.ts';
import { createAccounts } from '../../src/access/accounts.ts';
import { sessionKey } from '../../src/access/browser/session-key.ts';
import { createIdentity } from '../../src/access/identity.ts';
import { writeCursor } from '../../src/base/values/page-cursor.ts';
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts';
import { linesOf, startOnStore } from '../support/processes/store-process.ts';
import { describeBackgroundRecords } from './background-records.ts';
import { describeDesignRecords } from './design-records.ts';
import { describePublishedVersions } from './published-versions.ts';
import { describeAccountListRecords } from './records/account-list-records.ts';
import { describeCollectionRecords } from './records/collection-records.ts';
import { describeFeedbackRecords } from './records/feedback-records.ts';
import { describeMigrations } from './records/migrations.ts';
import { describeThreadRecords } from './records/thread-records.ts';
import { describeRunRecords, runRecord } from './run-records.ts';
import { describeScheduleRecords } from './schedule-records.ts';
import { describeSessionRecords } from './session-records.ts';
import { describeSharedNetworks } from './shared-networks.ts';
import { describeWebhookRecords } from './webhook-records.ts';

export interface StoreKind {
  readonly name: string;
  /** Where there is no store yet. */
  fresh(): Promise<StoreOptions>;
  /** Asks the database itself. */
  query(where: StoreOptions, sql: string): Promise<Record<string, unknown>[]>;
  /** All that it keeps, as bytes. */
  content(where: StoreOptions): Promise<Buffer>;
  /** Ways of its own to put a row in another's place; `…` stands for a table and a row. */
  readonly replacing: readonly string[];
}

/** `TEST_LONG=1` kills 200 times. */
const kills = process.env.TEST_LONG === '1' ? 200 : 3;

export function describeStore(kind: StoreKind): void {
  describeKept(kind);
  describeRecords(kind);
  describePublishedVersions(kind);
}

type OpenWith = (accounts: readonly string[]) => Promise<Store>;

function describeRecords({ name, fresh }: StoreKind): void {
  /** The stores that `laws` open are closed after the last of them: each has connections, and a server of Postgres has a hundred. */
  function withStores(laws: (openWith: OpenWith) => void): void {
    describe('with stores of their own', () => {
      const opened: Store[] = [];
      afterAll(async () => {
        for (const store of opened) await store.close();
      });
      laws(async (accounts) => {
        const store = await openStore(await fresh());
        opened.push(store);
        const fixed = {
          plan: 'pro',
          status: 'active',
          status_reason: null,
          created_at: '2026-01-01T00:00:00.000Z',
        } as const;
        for (const id of accounts) await store.access.addAccount({ id, name: id, ...fixed });
        return store;
      });
    });
  }
  withStores((openWith) => {
    it(`saves other searches when ${name} refuses one`, async () => {
      const { runs } = await openWith(['a']);
      const saving = ['a', 'a', 'nobody', 'a'].map((account, i) => runs.save(runRecord(`s${i}`, account)));
      const outcomes = (await Promise.allSettled(saving)).map(({ status }) => status);
      expect(outcomes).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
      expect((await runs.list('a', { cursor: undefined, limit: 10 })).items).toHaveLength(3);
    });
  });
  withStores((open) => describeBackgroundRecords(name, open));
  withStores((open) => describeWebhookRecords(name, open));
  withStores((open) => describeScheduleRecords(name, open));
  withStores((open) => describeRunRecords(name, async (accounts) => (await open(accounts)).runs));
  withStores((open) => describeFeedbackRecords(name, open));
  withStores((open) => describeCollectionRecords(name, open));
  withStores((open) => describeThreadRecords(name, async (accounts) => (await open(accounts)).threads));
  withStores((open) => describeSessionRecords(name, async (accounts) => (await open(accounts)).access));
  withStores((open) => describeAccountListRecords(name, async (accounts) => (await open(accounts)).access));
  withStores((open) => describeSharedNetworks(name, async (accounts) => (await open(accounts)).access));
  withStores((open) =>
    describeDesignRecords(name, async (accounts) => {
      const { designs, access } = await open(accounts);
      return { ...designs, suspend: (id: string) => access.changeAccount(id, { status: 'suspended' }) };
    }),
  );
}

function describeKept({ name, fresh, query, content }: StoreKind): void {
  describe(`the store over ${name}`, () => {
    it('keeps its content when it is opened again', async () => {
      const where = await fresh();
      const first = await openStore(where);
      const accounts = createAccounts({ records: first.access });
      const { account, key } = await accounts.createKey({ name: 'kéy \u{1f511}', plan: 'starter' });
      await first.access.markUsed(new Map([[key.id, '2026-01-02T03:04:05.678Z']]));
      await first.close();
      const second = await openStore(where);
      expect(await second.access.account(account.id)).toEqual(account);
      expect(await second.access.keys()).toEqual([{ ...key, last_used_at: '2026-01-02T03:04:05.678Z' }]);
      await second.close();
    });

    it('finds threads of earlier versions by titles with capital letters of any alphabet', async () => {
      const where = await fresh();
      const first = await openStore(where);
      const { account } = await createAccounts({ records: first.access }).createKey({ name: 'k', plan: 'pro' });
      for (const search_id of ['s1', 's2']) {
        const turn = {
          search_id,
          created_at: '2026-01-01T00:00:00.000Z',
          request: { prompt: 'why?' },
          has_image: false,
        };
        await first.threads.begin(account.id, turn);
      }
      await first.threads.change(account.id, 's1', { title: 'Übersicht' });
      await first.close();
      await query(where, 'alter table threads drop column title_words');
      await query(where, "delete from migrations where name = '026-thread-titles'");
      const second = await openStore(where);
      const page = await second.threads.list(account.id, { cursor: undefined, limit: 5, words: ['übersicht'] });
      expect(page.items.map(({ thread_id }) => thread_id)).toEqual(['s1']);
      await second.close();
    });

    describeMigrations({ fresh, query });

    it('refuses a database of a newer version', async () => {
      const where = await fresh();
      await (await openStore(where)).close();
      await query(where, "insert into migrations values ('999-later', '2030-01-01T00:00:00.000Z')");
      await expect(openStore(where)).rejects.toThrow('newer version: run that');
    });

    it('refuses a key without an account, and an unknown plan or status', async () => {
      const store = await openStore(await fresh());
      const { key } = await createAccounts({ records: store.access }).createKey({ name: 'k', plan: 'pro' });
      const lost = { ...key, id: 'otherkey', secret_hash: 'x', account_id: 'acc_none' };
      await expect(store.access.addKey(lost)).rejects.toThrow(/foreign key/i);
      const fixed = { id: 'a', name: 'a', status_reason: null, created_at: '' };
      const gold = { ...fixed, plan: 'gold' as 'pro', status: 'active' as const };
      const odd = { ...fixed, plan: 'pro' as const, status: 'odd' as 'active' };
      for (const account of [gold, odd]) await expect(store.access.addAccount(account)).rejects.toThrow(/check/i);
      await store.close();
    });

    it('adds no more keys than the limit, when many are added at the same time', async () => {
      const store = await openStore(await fresh());
      const accounts = createAccounts({ records: store.access });
      const { key, account } = await accounts.createKey({ name: 'k', plan: 'pro' });
      await store.access.addKey(sessionKey(account.id, key.created_at));
      const add = () => accounts.createKeyWithin({ name: 'k', account: account.id }, 5);
      const created = await Promise.all(Array.from({ length: 20 }, add));
      expect(created.filter((each) => each !== undefined)).toHaveLength(4);
      expect(await accounts.listKeys(account.id)).toHaveLength(5);
      await accounts.revokeKey(key.id);
      expect(await add()).toBeDefined();
      await store.close();
    });

    it('lists all active keys of an account, and of the revoked ones the latest', async () => {
      const store = await openStore(await fresh());
      const { key, account } = await createAccounts({ records: store.access }).createKey({ name: 'k', plan: 'pro' });
      const time = (n: number) => new Date(Date.parse(key.created_at) + n).toISOString();
      for (let n = 1; n <= listedKeys + 10; n += 1) {
        const revoked = { ...key, id: `revoked${n}`, created_at: time(n), revoked_at: time(n), secret_hash: `x${n}` };
        await store.access.addKey(revoked);
      }
      const listed = await store.access.keys(account.id);
      expect(listed).toHaveLength(listedKeys);
      expect(listed.map(({ id }) => id)).toEqual([
        key.id,
        ...Array.from({ length: listedKeys - 1 }, (_, n) => `revoked${n + 12}`),
      ]);
      expect(await store.access.keys()).toHaveLength(listedKeys + 11);
      await store.close();
    });

    it('adds an account and its first key together or not at all', async () => {
      const store = await openStore(await fresh());
      const { key } = await createAccounts({ records: store.access }).createKey({ name: 'k', plan: 'pro' });
      const fixed = { name: 'a', plan: 'pro', status: 'active', status_reason: null, created_at: '' } as const;
      const taken = { ...key, secret_hash: 'x', account_id: 'a' };
      await expect(store.access.addAccount({ id: 'a', ...fixed }, taken)).rejects.toThrow();
      expect(await store.access.account('a')).toBeUndefined();
      expect(await store.access.addAccount({ id: key.account_id, ...fixed }, { ...taken, id: 'new' })).toBe(false);
      expect(await store.access.keys()).toHaveLength(1);
      await store.close();
    });

    it('adds up the usage of a key from concurrent writers', async () => {
      const where = await fresh();
      const stores = await Promise.all([1, 2, 3].map(() => openStore(where)));
      const { access } = stores[0]!;
      const accounts = createAccounts({ records: access });
      const ids: string[] = [];
      for (let i = 0; i < 4; i++) ids.push((await accounts.createKey({ name: 'k', plan: 'pro' })).key.id);
      const most = Number.MAX_SAFE_INTEGER - 30;
      const counts = ids.map((key_id) => ({ key_id, minute: '2026-01-01T12:00', counter: 'calls', amount: 1 }));
      await access.addUsage([{ ...counts[0]!, amount: most }], '2026-01-01');
      const rounds = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? counts : [...counts].reverse()));
      await Promise.all(rounds.map((batch, i) => stores[i % 3]!.access.addUsage(batch, '2026-01-01')));
      const amounts = await Promise.all(ids.map(async (id) => (await access.usage(id, '2026-01-01'))[0]?.amount));
      expect(amounts).toEqual([Number.MAX_SAFE_INTEGER, 30, 30, 30]);
      expect(await access.usage(ids[1]!, '2026-01-02')).toEqual([]);
      await Promise.all(stores.map((store) => store.close()));
    });

    it('records last uses from concurrent writers, and never moves one back', async () => {
      const where = await fresh();
      const stores = await Promise.all([1, 2].map(() => openStore(where)));
      const accounts = createAccounts({ records: stores[0]!.access });
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) ids.push((await accounts.createKey({ name: 'k', plan: 'pro' })).key.id);
      const times = Array.from({ length: 20 }, (_, i) => new Date(1_800_000_000_000 + i * 1000).toISOString());
      const marks = times.map((at, i) => new Map((i % 2 === 0 ? ids : [...ids].reverse()).map((id) => [id, at])));
      await Promise.all(marks.map((uses, i) => stores[i % 2]!.access.markUsed(uses)));
      const late = [...ids, ...Array.from({ length: 450 }, (_, i) => `none${i}`)];
      await stores[0]!.access.markUsed(new Map(late.map((id) => [id, '2000-01-01T00:00:00.000Z'])));
      const used = (await stores[1]!.access.keys()).map(({ last_used_at }) => last_used_at);
      expect(new Set(used)).toEqual(new Set([times.at(-1)]));
      await Promise.all(stores.map((store) => store.close()));
    });

    it('orders text by its bytes, whatever the locale', async () => {
      const store = await openStore(await fresh());
      const fixed = { name: '', plan: 'pro', status: 'active', status_reason: null, created_at: '2026' } as const;
      const ids = ['_z', 'B', 'a', 'Z', '-a', 'é', 'A', 'b'];
      for (const id of ids) await store.access.addAccount({ id, ...fixed });
      expect((await store.access.accounts()).map(({ id }) => id)).toEqual(['-a', 'A', 'B', 'Z', '_z', 'a', 'b', 'é']);
      await store.close();
    });

    it('accepts any text as an id, and finds nothing', async () => {
      const store = await openStore(await fresh());
      for (const odd of ['', '\0', 'a\0b', '\ud800', "'; drop table runs; --", '\u{1f511}'.repeat(10_000)]) {
        expect(await store.access.account(odd)).toBeUndefined();
        expect(await store.runs.get(odd, odd)).toBeUndefined();
        expect(await store.runs.byIdempotencyKey(odd, odd)).toBeUndefined();
        expect((await store.runs.list(odd, { cursor: undefined, limit: 1 })).items).toEqual([]);
      }
      await store.close();
    });

    it('refuses any text as a cursor, and pages after any keys in it', async () => {
      const store = await openStore(await fresh());
      const refused = expect.objectContaining({ code: 'validation_error' });
      const listed = (cursor: string) => store.runs.list('a', { cursor, limit: 1 }).catch((error) => error);
      for (const odd of ['', '\0', '\ud800', "'; drop table runs; --", '\u{1f511}'.repeat(10_000)]) {
        expect(await listed(odd)).toEqual(refused);
        expect(await listed(writeCursor([odd]))).toEqual(refused);
        expect(await listed(writeCursor([odd, odd]))).toEqual(odd === '\0' ? refused : { items: [] });
      }
      await store.close();
    });

    it('creates the store once when processes start simultaneously, and gives one of them the first key', async () => {
      const where = await fresh();
      const printed = await Promise.all([1, 2, 3, 4].map(() => linesOf(startOnStore('create-keys', where, 'first'))));
      const keys = printed.flat().filter((line) => line !== 'none');
      expect(printed.flat()).toHaveLength(4);
      expect(keys).toHaveLength(1);
      expect(await unknownKeys(where, keys)).toEqual([]);
    });

    it(`loses no printed key, and opens again, when its process is killed ${kills} times`, async () => {
      const where = await fresh();
      const keys: string[] = [];
      for (let round = 0; round < kills; round++) {
        const child = startOnStore('create-keys', where, 'endless');
        const lines = linesOf(child);
        await once(child.stdout!, 'readable');
        await sleep(Math.random() * 60);
        child.kill('SIGKILL');
        keys.push(...(await lines));
      }
      expect(keys.length).toBeGreaterThanOrEqual(kills);
      expect(await unknownKeys(where, keys)).toEqual([]);
    }, 900_000);

    it('stores no key in plain text', async () => {
      const where = await fresh();
      const store = await openStore(where);
      const accounts = createAccounts({ records: store.access });
      const identity = createIdentity({ records: store.access });
      const keys: string[] = [];
      for (let i = 0; i < 50; i++) {
        const { plaintext, key } = await accounts.createKey({ name: `key ${i}`, plan: 'pro' });
        await identity.identify(plaintext, '127.0.0.1');
        if (i % 3 === 0) await accounts.revokeKey(key.id);
        keys.push(plaintext);
      }
      await identity.close();
      const whileOpen = await content(where);
      await store.close();
      for (const bytes of [whileOpen, await content(where)]) {
        expect(bytes.includes(keys[0]!.slice(3, 11))).toBe(true);
        expect(keys.filter((key) => bytes.includes(key) || bytes.includes(key.slice(12, 44)))).toEqual([]);
      }
    });
  });
}

export async function unknownKeys(where: StoreOptions, keys: readonly string[]): Promise<string[]> {
  const store = await openStore(where);
  const identity = createIdentity({ records: store.access });
  const unknown: string[] = [];
  for (const key of keys) await identity.identify(key, '127.0.0.1').catch(() => unknown.push(key));
  await identity.close();
  await store.close();
  return unknown;
}
