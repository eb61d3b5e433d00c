/**
 * What people do with their account in a browser: sign in and out, create and revoke keys, see its usage. Only a browser that
 * signed in with a link or at a provider manages keys: someone who steals a key cannot create another one that outlives it. A
 * browser that signed in with a key sees what the key may see: with a restricted one, nothing but that key's own.
 */
import {
  type AccountUsage,
  AccountUsageQuery,
  type ApiKey,
  type ApiKeyList,
  ApiKeyName,
  ApiKeyRequest,
  type BrowserSession,
  keysPerAccount,
  type NewApiKey,
  type OwnScope,
  type RefusalList,
  RefusalListQuery,
  type SignInOptions,
  SignInRequest,
} from '../../protocol/index.ts';
import type { Access } from '../access/access.ts';
import type { Key } from '../access/access-records.ts';
import { isOfAdministrator } from '../access/administration/administrators.ts';
import type { BrowserRequest } from '../access/browser/request.ts';
import { isSessionKeyId } from '../access/browser/session-key.ts';
import type { SignedIn } from '../access/browser/sessions.ts';
import type { Caller } from '../access/identity.ts';
import type { NextStep } from '../access/oidc/oidc.ts';
import { AppError, notFound, parse } from '../base/errors.ts';
import {
  type AccountAdministration,
  type AdministrationOptions,
  createAccountAdministration,
} from './administration/administer-accounts.ts';
import type { BodyCall, Call, Query } from './calls.ts';
import { createCallerCounter } from './count-caller.ts';
import type { Reaches } from './sources/reach.ts';

/** A call that concerns the browser's session itself, whether it has one or not. */
export interface SessionCall {
  readonly browser: BrowserRequest;
  /** The client's IP address. */
  readonly address: string;
}

/** `cookie` is the value of `Set-Cookie`. */
type WithCookie = { readonly cookie: string };

export interface AccountService {
  readonly administration: AccountAdministration;
  signIn(call: SessionCall & Pick<BodyCall, 'body'>): Promise<{ readonly session: BrowserSession } & WithCookie>;
  /** How a browser can sign in, besides links and keys. */
  signInOptions(): SignInOptions;
  /** Leads to the provider. Rejects with 404 if there is none; `finishAtProvider` too. */
  signInAtProvider(
    call: SessionCall & { readonly callbackUrl: string; readonly returnTo: string | undefined },
  ): Promise<NextStep>;
  /** `answer` is the URL that the provider led back to. */
  finishAtProvider(call: SessionCall & { readonly answer: string }): Promise<NextStep>;
  session(call: SessionCall): Promise<BrowserSession>;
  signOut(call: SessionCall): Promise<WithCookie>;
  keys(call: Call): Promise<ApiKeyList>;
  createKey(call: BodyCall): Promise<NewApiKey>;
  /** Rejects with 404 if the account has no such key; `revokeKey` too. */
  renameKey(call: BodyCall, key_id: string): Promise<ApiKey>;
  revokeKey(call: Call, key_id: string): Promise<ApiKey>;
  usage(call: Call, query: Query): Promise<AccountUsage>;
  /** The calls that were refused to the keys of the account. */
  refusals(call: Call, query: Query): Promise<RefusalList>;
}

/** Its calls by key are rejected with 403: they need a browser session. */
export function createAccountService(
  access: Access,
  reaches: Pick<Reaches, 'idsOf'>,
  administration: AdministrationOptions,
): AccountService {
  const { accounts, sessions, usage, oidc } = access;

  function provider(): NonNullable<Access['oidc']> {
    if (oidc !== undefined) return oidc;
    throw new AppError('not_found', 'This server has no provider to sign in with: OIDC_ISSUER is not set.');
  }

  const countCaller = createCallerCounter(access, checkSession);

  /** Counts a call that manages keys. Rejects with `forbidden` for a browser that signed in with a key. */
  async function countManaging(call: Call): Promise<Caller> {
    const caller = await countCaller(call, 'writes');
    if (isSessionKeyId(caller.key_id)) return caller;
    throw new AppError(
      'forbidden',
      'A browser that signed in with a key cannot manage keys: sign in with a link or through a provider.',
    );
  }

  /** What a page may know of its session. */
  function describe(signedIn: SignedIn): BrowserSession {
    return showSession(signedIn, isOfAdministrator(signedIn, administration.admins));
  }

  return {
    administration: createAccountAdministration(access, administration),

    async signIn({ browser, address, body }) {
      // The caller is still anonymous, so a cross-origin request is rejected before its body is read.
      sessions.checkOwnPage(browser);
      const { link, api_key } = parse(SignInRequest, await body());
      const { cookie, ...signedIn } = await (api_key === undefined
        ? sessions.signIn(link!, browser, address)
        : sessions.signInWithKey(api_key, browser, address));
      return { session: describe(signedIn), cookie };
    },

    signInOptions: () => ({ provider: oidc === undefined ? null : { name: oidc.name } }),
    signInAtProvider: async ({ browser, callbackUrl, returnTo }) => provider().begin(browser, callbackUrl, returnTo),
    finishAtProvider: async ({ browser, answer, address }) => provider().finish(browser, answer, address),

    session: async ({ browser, address }) => describe(await sessions.describe(browser, address)),
    signOut: ({ browser, address }) => sessions.signOut(browser, address),

    async keys(call) {
      const caller = await countCaller(call, 'reads');
      const only = ownKeyOnly(caller);
      const keys = await access.keysOf(caller.account_id);
      return { items: keys.filter(({ id }) => only === undefined || id === only).map(showKey) };
    },

    async createKey(call) {
      const caller = await countManaging(call);
      const { collections: named = [], ...about } = parse(ApiKeyRequest, await call.body());
      const collections = await reaches.idsOf(caller, named);
      const created = await accounts.createKeyWithin(
        { ...about, collections, account: caller.account_id },
        keysPerAccount,
      );
      if (created === undefined) {
        throw new AppError('forbidden', `An account has at most ${keysPerAccount} keys; revoke one that is not used.`);
      }
      return { ...showKey(created.key), api_key: created.plaintext };
    },

    async renameKey(call, key_id) {
      const { account_id } = await countManaging(call);
      const { name } = parse(ApiKeyName, await call.body());
      const key = await accounts.renameKey(account_id, key_id, name);
      if (key === undefined) throw notFound('key', key_id);
      return showKey(key);
    },

    async revokeKey(call, key_id) {
      const { account_id } = await countManaging(call);
      const own = await accounts.listKeys(account_id);
      if (!own.some(({ id }) => id === key_id)) throw notFound('key', key_id);
      return showKey(await accounts.revokeKey(key_id));
    },

    async usage(call, query) {
      const caller = await countCaller(call, 'reads');
      const asked = parse(AccountUsageQuery, query, 'query');
      return usage.reportAccount(caller, { ...asked, key_id: ownKeyOnly(caller) ?? asked.key_id });
    },

    async refusals(call, query) {
      const caller = await countCaller(call, 'reads');
      const { cursor, limit, key_id } = parse(RefusalListQuery, query, 'query');
      return access.refusals.list(caller.account_id, { cursor, limit, key_id: ownKeyOnly(caller) ?? key_id });
    },
  };
}

function showSession(
  { account: { id, name, plan }, key, csrf_token, expires_at }: SignedIn,
  administers: boolean,
): BrowserSession {
  const ofKey = key && { key: { key_id: key.id, ...aboutKey(key) } };
  return { account: { id, name, plan }, ...ofKey, ...(administers && { administers }), csrf_token, expires_at };
}

/** The id of the caller's key if it may see nothing of the account but its own. */
function ownKeyOnly({ key_id, scopes, collections }: Caller): string | undefined {
  return scopes.length > 0 || collections !== undefined ? key_id : undefined;
}

function showKey({ id, name, scopes, collections, created_at, last_used_at, revoked_at }: Key): ApiKey {
  return { key_id: id, ...aboutKey({ name, scopes, collections }), created_at, last_used_at, revoked_at };
}

/** Throws `forbidden` for a caller without a browser session. */
function checkSession({ session }: Caller): void {
  if (session === undefined) throw new AppError('forbidden', 'Expected a signed-in browser; got an API key.');
}

function aboutKey({ name, scopes, collections }: Pick<Key, 'name' | 'scopes' | 'collections'>) {
  return { name, scopes: scopes as OwnScope[], ...(collections && { collections: [...collections] }) };
}
