import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccounts, developmentAccount } from '../../src/access/accounts.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

describe('accounts', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore({ dataDir: `${folder}/accounts` });
  });
  afterAll(() => store.close());
  const open = () => createAccounts({ records: store.access });

  it('gives the first start a key on plan pro, and later starts none', async () => {
    const made = await Promise.all([open().ensureDevelopmentKey(), open().ensureDevelopmentKey()]);
    const given = made.filter((key) => key !== undefined);
    expect(given).toHaveLength(1);
    expect(given[0]!.account).toMatchObject({ id: developmentAccount, plan: 'pro' });
    await open().revokeKey(given[0]!.key.id);
    expect(await open().ensureDevelopmentKey()).toBeUndefined();
  });

  it('shows no plaintext key or hash in lists', async () => {
    const accounts = open();
    const { plaintext, key, account } = await accounts.createKey({ name: 'listed', plan: 'starter' });
    const shown = JSON.stringify([await accounts.listKeys(), await accounts.listAccounts(), key, account]);
    expect(shown).toContain(key.id);
    expect(shown).not.toContain(plaintext.slice(12));
    expect(shown).not.toContain('secret_hash');
  });

  it('gives an account several keys, each revoked by its public part or as a whole', async () => {
    const accounts = open();
    const account = await accounts.createAccount({ name: 'team', plan: 'pro' });
    const one = await accounts.createKey({ name: 'one', account: account.id });
    const two = await accounts.createKey({ name: 'two', account: account.id });
    const first = await accounts.revokeKey(one.key.id);
    expect(await accounts.revokeKey(one.plaintext)).toEqual(first);
    await accounts.revokeKey(two.plaintext);
    const keys = await accounts.listKeys(account.id);
    expect(keys.map((key) => [key.name, key.revoked_at !== null])).toEqual([
      ['one', true],
      ['two', true],
    ]);
  });

  it('explains which account or key does not exist', async () => {
    await expect(open().revokeKey('nothing1')).rejects.toThrow('no such key');
    await expect(open().setPlan('acc_none', 'pro')).rejects.toThrow('no account acc_none');
    await expect(open().createKey({ name: 'x', account: 'acc_none' })).rejects.toThrow('no account acc_none');
  });

  it('changes plan and status, and clears the reason of an active account', async () => {
    const accounts = open();
    const { id } = await accounts.createAccount({ name: 'mine', plan: 'starter' });
    expect(await accounts.setPlan(id, 'pro')).toMatchObject({ plan: 'pro', status: 'active' });
    expect(await accounts.setStatus(id, 'suspended', 'unpaid')).toMatchObject({ status_reason: 'unpaid' });
    expect(await accounts.setStatus(id, 'active')).toMatchObject({ status: 'active', status_reason: null });
  });
});
