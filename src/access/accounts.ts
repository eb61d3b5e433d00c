/**
 * How an operator manages accounts and keys. A key's plaintext leaves this file once, in the result of its creation, and
 * only after the key is on disk: a key that was shown is never lost, even if the process is killed right after.
 */
import { randomBytes } from 'node:crypto';
import type { AccessRecords, Account, AccountState, ExternalIdentity, Key } from './access-records.ts';
import { isSessionKeyId, sessionKeyId } from './browser/session-key.ts';
import { issueKey } from './keys.ts';
import type { PlanName } from './plans.ts';
import { createRevocations, type Revocations } from './revocations.ts';
import { findSuspects, type SuspectGroup } from './usage/suspects.ts';

/** The account of the key that the first start creates. */
export const developmentAccount = 'acc_development';

export interface NewKey {
  readonly key: Key;
  readonly account: Account;
  /** Shown only once. */
  readonly plaintext: string;
}

/** `account` is the id of an existing account; with `plan` the key gets a new account on that plan. */
export type KeyRequest = {
  readonly name: string;
  readonly scopes?: readonly string[];
  /** Ids of the collections that it is restricted to; none for a key that is not. */
  readonly collections?: readonly string[] | undefined;
} & ({ readonly account: string } | { readonly plan: PlanName });

type KeyAbout = Pick<KeyRequest, 'name' | 'scopes' | 'collections'>;

export interface Accounts {
  createAccount(account: { readonly name: string; readonly plan: PlanName }): Promise<Account>;
  /** The account that is linked to the identity; undefined if there is none. */
  accountOfIdentity(identity: ExternalIdentity): Promise<Account | undefined>;
  /** The same, and creates it if it is missing. */
  ensureLinkedAccount(
    identity: ExternalIdentity,
    account: { readonly name: string; readonly plan: PlanName },
  ): Promise<Account>;
  /** Undefined where there is no such account. `reason` is shown to the account's callers. */
  change(
    accountId: string,
    change: {
      readonly plan?: PlanName | undefined;
      readonly status?: AccountState | undefined;
      readonly reason?: string | undefined;
    },
  ): Promise<Account | undefined>;
  /** Throws where there is no such account, as do `setStatus` and `createKey`. */
  setPlan(accountId: string, plan: PlanName): Promise<Account>;
  /** `reason` is shown to the account's callers. */
  setStatus(accountId: string, status: AccountState, reason?: string): Promise<Account>;
  listAccounts(): Promise<Account[]>;
  /** Groups of accounts of the last week that may be one user. */
  listSuspects(): Promise<SuspectGroup[]>;
  /** Unlimited: the operator decides. */
  createKey(request: KeyRequest): Promise<NewKey>;
  /** Creates a key of an existing account; undefined if it has `max` keys that are not revoked. */
  createKeyWithin(request: KeyRequest & { readonly account: string }, max: number): Promise<NewKey | undefined>;
  listKeys(accountId?: string): Promise<Key[]>;
  /** Undefined where the account has no such key. */
  renameKey(accountId: string, keyId: string, name: string): Promise<Key | undefined>;
  /** Accepts the key's public part or a whole key. Revoking twice changes nothing. Throws where there is no such key. */
  revokeKey(keyId: string): Promise<Key>;
  /** Creates a key on plan `pro` in a store without accounts; undefined otherwise. */
  ensureDevelopmentKey(): Promise<NewKey | undefined>;
}

/** Without `revocations`, changes take effect elsewhere once cached reads expire. */
export function createAccounts(options: {
  readonly records: AccessRecords;
  readonly revocations?: Revocations;
}): Accounts {
  const { records, revocations = createRevocations() } = options;

  const change: Accounts['change'] = async (accountId, { plan, status, reason }) => {
    const account = await records.changeAccount(accountId, {
      ...(plan && { plan }),
      ...(status && { status, status_reason: status === 'active' ? null : (reason ?? null) }),
    });
    if (account !== undefined) revocations.announce(accountId);
    return account;
  };

  async function changeExisting(accountId: string, values: Parameters<Accounts['change']>[1]): Promise<Account> {
    const account = await change(accountId, values);
    if (account === undefined) throw noAccount(accountId);
    return account;
  }

  async function createWithKey(account: Account, about: KeyAbout): Promise<NewKey | undefined> {
    const { plaintext, secret_hash, ...key } = draftKey(account.id, about);
    const isNew = await records.addAccount(account, { ...key, secret_hash });
    return isNew ? { key, account, plaintext } : undefined;
  }

  async function addKey(
    accountId: string,
    about: KeyAbout,
    limit?: Parameters<AccessRecords['addKey']>[1],
  ): Promise<NewKey | undefined> {
    const account = await records.account(accountId);
    if (account === undefined) throw noAccount(accountId);
    const { plaintext, secret_hash, ...key } = draftKey(account.id, about);
    return (await records.addKey({ ...key, secret_hash }, limit)) ? { key, account, plaintext } : undefined;
  }

  return {
    async createAccount({ name, plan }) {
      const account = draftAccount(name, plan);
      await records.addAccount(account);
      return account;
    },

    accountOfIdentity: (identity) => records.accountOfIdentity(identity),

    async ensureLinkedAccount(identity, { name, plan }) {
      const account = draftAccount(name, plan);
      if (await records.addLinkedAccount(account, identity)) return account;
      return (await records.accountOfIdentity(identity))!;
    },

    change,
    setPlan: (accountId, plan) => changeExisting(accountId, { plan }),
    setStatus: (accountId, status, reason) => changeExisting(accountId, { status, reason }),

    listAccounts: () => records.accounts(),

    listSuspects: async () => findSuspects(await records.sharedMinutes(), await records.accounts()),

    async createKey(request) {
      if ('plan' in request) {
        const created = await createWithKey(draftAccount(request.name, request.plan), request);
        return created!;
      }
      return (await addKey(request.account, request))!;
    },

    createKeyWithin: (request, max) => addKey(request.account, request, { max, except: sessionKeyId(request.account) }),

    listKeys: async (accountId) => (await records.keys(accountId)).filter(({ id }) => !isSessionKeyId(id)),

    async renameKey(accountId, keyId, name) {
      const key = isSessionKeyId(keyId) ? undefined : await records.renameKey(accountId, keyId, name);
      if (key !== undefined) revocations.announce(accountId);
      return key;
    },

    async revokeKey(keyId) {
      const id = /^cw_([0-9A-Za-z]{8})(_|$)/.exec(keyId)?.[1] ?? keyId;
      const key = isSessionKeyId(id) ? undefined : await records.revokeKey(id, new Date().toISOString());
      if (key === undefined) throw new Error('There is no such key; `citewire keys list` shows all keys.');
      revocations.announce(key.account_id);
      return key;
    },

    async ensureDevelopmentKey() {
      if ((await records.accounts()).length > 0) return undefined;
      // The account has a fixed id, so of several processes that start simultaneously only one creates it.
      return createWithKey({ ...draftAccount('development', 'pro'), id: developmentAccount }, { name: 'development' });
    },
  };
}

function draftAccount(name: string, plan: PlanName): Account {
  return {
    id: newAccountId(),
    name,
    plan,
    status: 'active',
    status_reason: null,
    created_at: new Date().toISOString(),
  };
}

/** The id of a new account. */
export function newAccountId(): string {
  return `acc_${randomBytes(8).toString('hex')}`;
}

function draftKey(account_id: string, { name, scopes = [], collections = [] }: KeyAbout) {
  const { id, plaintext, secret_hash } = issueKey();
  const times = { created_at: new Date().toISOString(), last_used_at: null, revoked_at: null };
  const restricted = collections.length === 0 ? {} : { collections };
  return { id, account_id, name, scopes, ...restricted, ...times, secret_hash, plaintext };
}

function noAccount(id: string): Error {
  return new Error(`There is no account ${id}; \`citewire accounts list\` shows all accounts.`);
}
