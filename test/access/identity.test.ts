import { afterEach, describe, expect, it } from 'vitest';
import type { AccessRecords } from '../../src/access/access-records.ts';
import { type Accounts, createAccounts } from '../../src/access/accounts.ts';
import { createIdentity, type Identity } from '../../src/access/identity.ts';
import { issueKey, parseKey } from '../../src/access/keys.ts';
import { createRevocations } from '../../src/access/revocations.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
let stores = 0;

describe('identity', () => {
  let at = 0;
  let reads = 0;
  let isBroken = false;
  /** What the store waits for before it answers. */
  let hold: Promise<void> | undefined;
  let store: Store;
  let identity: Identity;
  /** Of the same process, and of another that only shares the store. */
  let accounts: Accounts;
  let elsewhere: Accounts;

  async function open(): Promise<void> {
    at = 1_000;
    reads = 0;
    isBroken = false;
    hold = undefined;
    store = await openStore({ dataDir: `${folder}/${++stores}` });
    const records: AccessRecords = {
      ...store.access,
      async keyWithAccount(id) {
        reads++;
        await hold;
        if (isBroken) throw new Error('database is gone');
        return store.access.keyWithAccount(id);
      },
    };
    const revocations = createRevocations();
    accounts = createAccounts({ records, revocations });
    elsewhere = createAccounts({ records });
    identity = createIdentity({ records, revocations, now: () => at });
  }
  afterEach(async () => {
    await identity.close();
    await store.close();
  });

  it('reads a key again after a suspension, although an earlier read is in progress', async () => {
    await open();
    const { plaintext, account } = await accounts.createKey({ name: 'mine', plan: 'starter' });
    let release = () => {};
    hold = new Promise((resolve) => {
      release = resolve;
    });
    const before = identity.identify(plaintext, '127.0.0.1').catch(() => {});
    await accounts.setStatus(account.id, 'suspended');
    const after = identity.identify(plaintext, '127.0.0.1');
    release();
    await expect(after).rejects.toMatchObject({ code: 'forbidden' });
    await before;
    expect(reads).toBe(2);
  });

  it('identifies the caller by the key', async () => {
    await open();
    const { plaintext, key, account } = await accounts.createKey({ name: 'mine', plan: 'starter', scopes: ['search'] });
    expect(await identity.identify(plaintext, '127.0.0.1')).toEqual({
      key_id: key.id,
      account_id: account.id,
      plan: 'starter',
      scopes: ['search'],
    });
  });

  it('gives the same answer for a missing, malformed, unknown, forged or revoked key', async () => {
    await open();
    const { plaintext, key } = await accounts.createKey({ name: 'mine', plan: 'pro' });
    const revoked = await accounts.createKey({ name: 'old', plan: 'pro' });
    await accounts.revokeKey(revoked.key.id);
    let forged = issueKey().plaintext;
    forged = plaintext.slice(0, 12) + forged.slice(12);
    const bad = [
      undefined,
      '',
      'x',
      plaintext.slice(1),
      `${plaintext}0`,
      issueKey().plaintext,
      forged,
      revoked.plaintext,
      key.id,
    ];
    const refusals = await Promise.all(
      bad.map((text) => identity.identify(text, '127.0.0.1').catch((error) => `${error.status} ${error.message}`)),
    );
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toMatch(/^401 /);
  });

  it('queries the store never for a malformed key, and once for a key that keeps calling', async () => {
    await open();
    await identity.identify(`cw_abcdefgh_${'0'.repeat(38)}`, '127.0.0.1').catch(() => {});
    expect(reads).toBe(0);
    const { plaintext } = await accounts.createKey({ name: 'mine', plan: 'pro' });
    await Promise.all(Array.from({ length: 50 }, () => identity.identify(plaintext, '127.0.0.1')));
    expect(reads).toBe(1);
  });

  it('refuses a revoked key immediately in its own process, and within 30 s without an announcement', async () => {
    await open();
    const here = await accounts.createKey({ name: 'here', plan: 'pro' });
    const there = await accounts.createKey({ name: 'there', plan: 'pro' });
    for (const { plaintext } of [here, there]) await identity.identify(plaintext, '127.0.0.1');
    await accounts.revokeKey(here.key.id);
    await elsewhere.revokeKey(there.key.id);
    await expect(identity.identify(here.plaintext, '127.0.0.1')).rejects.toMatchObject({ code: 'unauthorized' });
    at += 30_000;
    await expect(identity.identify(there.plaintext, '127.0.0.1')).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('refuses a suspended or banned account with its reason, and accepts it once it is active again', async () => {
    await open();
    const { plaintext, account } = await accounts.createKey({ name: 'mine', plan: 'pro' });
    const caller = await identity.identify(plaintext, '127.0.0.1');
    await accounts.setStatus(account.id, 'suspended', 'several accounts of one user');
    const refusal = { code: 'forbidden', message: 'This account is suspended: several accounts of one user' };
    await expect(identity.identify(plaintext, '127.0.0.1')).rejects.toMatchObject(refusal);
    await expect(identity.recheck(caller)).rejects.toMatchObject(refusal);
    await accounts.setStatus(account.id, 'banned');
    await expect(identity.identify(plaintext, '127.0.0.1')).rejects.toThrow('This account is banned.');
    await accounts.setStatus(account.id, 'active');
    expect(await identity.identify(plaintext, '127.0.0.1')).toEqual(caller);
  });

  it('applies a new plan immediately', async () => {
    await open();
    const { plaintext, account } = await accounts.createKey({ name: 'mine', plan: 'starter' });
    const caller = await identity.identify(plaintext, '127.0.0.1');
    await accounts.setPlan(account.id, 'pro');
    expect(await identity.identify(plaintext, '127.0.0.1')).toMatchObject({ plan: 'pro' });
    expect(await identity.recheck(caller)).toMatchObject({ plan: 'pro' });
  });

  it('limits failures by address, and still accepts a valid key from there', async () => {
    await open();
    const { plaintext } = await accounts.createKey({ name: 'mine', plan: 'pro' });
    const fail = (address: string) => identity.identify('wrong', address).catch((error) => error.code);
    const codes = [];
    for (let i = 0; i < 25; i++) codes.push(await fail('203.0.113.7'));
    expect(codes).toEqual([...Array(20).fill('unauthorized'), ...Array(5).fill('rate_limited')]);
    await expect(identity.identify('wrong', '203.0.113.7')).rejects.toMatchObject({
      details: { retry_after_ms: 60_000 },
    });
    expect(await identity.identify(plaintext, '203.0.113.7')).toMatchObject({ key_id: parseKey(plaintext) });
    expect(await fail('::ffff:203.0.113.7')).toBe('rate_limited');
    expect(await fail('203.0.113.8')).toBe('unauthorized');
    at += 60_000;
    expect(await fail('203.0.113.7')).toBe('unauthorized');
  });

  it('counts an IPv6 /64 as one address', async () => {
    await open();
    const fail = (address: string) => identity.identify('wrong', address).catch((error) => error.code);
    for (let i = 0; i < 20; i++) await fail(`2001:db8::${i}:1`);
    expect(await fail('2001:0db8:0000:0000:ffff:0000:0000:0001')).toBe('rate_limited');
    expect(await fail('2001:db8:0:1::1')).toBe('unauthorized');
  });

  it('serves cached keys while the store fails, and then answers overloaded', async () => {
    await open();
    const { plaintext } = await accounts.createKey({ name: 'mine', plan: 'pro' });
    await identity.identify(plaintext, '127.0.0.1');
    isBroken = true;
    at += 29_000;
    expect(await identity.identify(plaintext, '127.0.0.1')).toMatchObject({ key_id: parseKey(plaintext) });
    at += 1_001;
    await expect(identity.identify(plaintext, '127.0.0.1')).rejects.toMatchObject({ code: 'overloaded', status: 503 });
    isBroken = false;
    expect(await identity.identify(plaintext, '127.0.0.1')).toMatchObject({ key_id: parseKey(plaintext) });
  });

  it('does not wait for a hanging store while the caller is cached', async () => {
    await open();
    const { plaintext } = await accounts.createKey({ name: 'mine', plan: 'pro' });
    await identity.identify(plaintext, '127.0.0.1');
    let release = () => {};
    hold = new Promise((resolve) => {
      release = resolve;
    });
    at += 29_000;
    expect(await identity.identify(plaintext, '127.0.0.1')).toMatchObject({ key_id: parseKey(plaintext) });
    release();
  });

  it('records when a key was last used', async () => {
    await open();
    const { plaintext, key } = await accounts.createKey({ name: 'mine', plan: 'pro' });
    await identity.identify(plaintext, '127.0.0.1');
    await identity.close();
    const [kept] = await accounts.listKeys(key.account_id);
    expect(Date.parse(kept!.last_used_at!)).toBeGreaterThanOrEqual(Date.parse(key.created_at));
  });
});
