/**
 * What people do with their account at a browser: sign in and out, make and revoke keys, see what was used. Keys are
 * managed by a signed-in browser alone: whoever comes by a key cannot make another one that outlives it.
 */
import {
  type AccountUsage,
  AccountUsageQuery,
  type ApiKey,
  type ApiKeyList,
  ApiKeyName,
  ApiKeyRequest,
  type BrowserSession,
  type KeyScope,
  keysPerAccount,
  type NewApiKey,
  SignInRequest,
} from '../../protocol/index.ts';
import type { Access, Credentials } from '../access/access.ts';
import type { Key } from '../access/access-records.ts';
import type { BrowserRequest } from '../access/browser/request.ts';
import type { SignedIn } from '../access/browser/sessions.ts';
import type { Caller } from '../access/identity.ts';
import { AppError, parse } from '../base/errors.ts';

export interface AccountCall {
  readonly from: Credentials;
}

export interface SignInCall {
  readonly browser: BrowserRequest;
  readonly address: string;
}

type Body = { readonly body: () => Promise<unknown> };
/** What goes into `Set-Cookie`. */
type Cookie = { readonly cookie: string };

export interface AccountService {
  signIn(call: SignInCall & Body): Promise<{ readonly session: BrowserSession } & Cookie>;
  session(call: SignInCall): Promise<BrowserSession>;
  signOut(call: SignInCall): Promise<Cookie>;
  keys(call: AccountCall): Promise<ApiKeyList>;
  createKey(call: AccountCall & Body): Promise<NewApiKey>;
  /** Rejects with 404 where the account has no such key; `revokeKey` too. */
  renameKey(call: AccountCall & Body, key_id: string): Promise<ApiKey>;
  revokeKey(call: AccountCall, key_id: string): Promise<ApiKey>;
  usage(call: AccountCall, query: unknown): Promise<AccountUsage>;
}

export function createAccountService(access: Access): AccountService {
  const { accounts, sessions, usage } = access;

  async function identify({ from }: AccountCall): Promise<Caller> {
    const caller = await access.identify(from);
    if (caller.session !== undefined) return caller;
    throw new AppError('forbidden', 'Expected a signed-in browser: no API key may do this.');
  }

  return {
    async signIn({ browser, address, body }) {
      const { link } = parse(SignInRequest, await body());
      const { cookie, ...signedIn } = await sessions.signIn(link, browser, address);
      return { session: shownSession(signedIn), cookie };
    },

    session: async ({ browser, address }) => shownSession(await sessions.describe(browser, address)),
    signOut: ({ browser, address }) => sessions.signOut(browser, address),

    async keys(call) {
      const { account_id } = await identify(call);
      return { items: (await access.keysOf(account_id)).map(shownKey) };
    },

    async createKey(call) {
      const { account_id } = await identify(call);
      const { name, scopes } = parse(ApiKeyRequest, await call.body());
      const active = (await accounts.listKeys(account_id)).filter(({ revoked_at }) => revoked_at === null);
      if (active.length >= keysPerAccount) {
        throw new AppError('forbidden', `An account has at most ${keysPerAccount} keys; revoke one that is not used.`);
      }
      const { key, plaintext } = await accounts.createKey({ name, scopes, account: account_id });
      return { ...shownKey(key), api_key: plaintext };
    },

    async renameKey(call, key_id) {
      const { account_id } = await identify(call);
      const { name } = parse(ApiKeyName, await call.body());
      const key = await accounts.renameKey(account_id, key_id, name);
      if (key === undefined) throw unknownKey(key_id);
      return shownKey(key);
    },

    async revokeKey(call, key_id) {
      const { account_id } = await identify(call);
      const own = await accounts.listKeys(account_id);
      if (!own.some(({ id }) => id === key_id)) throw unknownKey(key_id);
      return shownKey(await accounts.revokeKey(key_id));
    },

    async usage(call, query) {
      const caller = await identify(call);
      return usage.reportAccount(caller, parse(AccountUsageQuery, query, 'query'));
    },
  };
}

function shownSession({ account: { id, name, plan }, csrf_token, expires_at }: SignedIn): BrowserSession {
  return { account: { id, name, plan }, csrf_token, expires_at };
}

function shownKey({ id, name, scopes, created_at, last_used_at, revoked_at }: Key): ApiKey {
  return { key_id: id, name, scopes: scopes as KeyScope[], created_at, last_used_at, revoked_at };
}

function unknownKey(id: string): AppError {
  return new AppError('not_found', `There is no key ${JSON.stringify(id.slice(0, 64))} of this account.`);
}
