/**
 * Browser sessions. A sign-in link, which only an operator can create, works once and for a few minutes. It becomes a
 * session, identified by a cookie from then on. Links and sessions are 32 random bytes, stored as SHA-256, so any process
 * can accept what another one issued. Signing in always creates a new session; the one the browser sent is ended, never
 * reused, which prevents session fixation.
 *
 * A session lasts for a week after its last use and 30 days in all. It ends immediately when its account is suspended or
 * banned. All sessions of an account share one row among the keys (session-key.ts): their calls are limited together.
 *
 * A session that began with a key is that key without its secret: it has the key's limits, scopes and collections, and ends
 * when the key is revoked.
 */
import { createHmac } from 'node:crypto';
import { reachableUrl } from '../../base/addresses.ts';
import { AppError } from '../../base/errors.ts';
import { dayMs } from '../../base/values/day.ts';
import { isoTime } from '../../base/values/iso-time.ts';
import type { AccessRecords, Account, Key, SessionRecord, SessionWithAccount } from '../access-records.ts';
import { newAccountId } from '../accounts.ts';
import { createAuthCache } from '../auth-cache.ts';
import { createBatchWriter } from '../batched-writes.ts';
import { type Caller, callerOf, checkActive, unauthorized } from '../identity.ts';
import { hashSecret, isSecret, newSecret, sameHash } from '../keys.ts';
import { createRevocations, type Revocations } from '../revocations.ts';
import { createSignInThrottle, type SignInThrottle } from '../sign-in-throttle.ts';
import type { BrowserRequest, BrowserRules } from './request.ts';
import { sessionKey, sessionKeyId } from './session-key.ts';

export interface SignedIn {
  readonly account: Account;
  /** ISO 8601; later once the session is used. */
  readonly expires_at: string;
  /** Sent as `X-CSRF-Token` with every call that changes something. */
  readonly csrf_token: string;
  /** The key that the session began with, if any. */
  readonly key?: Key | undefined;
}

export interface Sessions {
  /** `link` is the secret part of a sign-in link. Rejects where there is no such account or it is not active. */
  issueLink(accountId: string): Promise<{ readonly link: string; readonly expires_at: string }>;
  /** Throws `forbidden` unless the request comes from a page of this server. */
  checkOwnPage(from: BrowserRequest): void;
  /**
   * Consumes the link, or accepts the invitation. Rejects with `unauthorized` if it is unknown, used or expired, `forbidden`, or
   * `rate_limited`.
   */
  signIn(link: string, from: BrowserRequest, address: string): Promise<SignedIn & { readonly cookie: string }>;
  /**
   * Begins a session of an account whose user has proved who they are, with this key if any, and ends the one with the id
   * `before`. Rejects where the account is not active.
   */
  begin(
    account: Account,
    from: BrowserRequest,
    before?: string,
    key?: Key,
  ): Promise<SignedIn & { readonly cookie: string }>;
  /** The id of the session that the request names. Nothing of it has been checked. */
  idOf(from: BrowserRequest): string | undefined;
  /** Whether a request carries a session cookie. */
  isNamed(from: BrowserRequest): boolean;
  /** Rejects as `Identity.identify` does, and with `forbidden` for a request that does not come from our own pages. */
  identify(from: BrowserRequest, address: string): Promise<Caller>;
  /** Checks that the session still exists and its account is active. Rejects as `Identity.identify` does. */
  recheck(caller: Caller): Promise<Caller>;
  /** What a page may know of its session. Rejects as `identify` does. */
  describe(from: BrowserRequest, address: string): Promise<SignedIn>;
  /** Ends the request's session. The returned cookie removes it from the browser. */
  signOut(from: BrowserRequest, address: string): Promise<{ readonly cookie: string }>;
  /** Writes the extensions that are not written yet. */
  close(): Promise<void>;
}

/** Set by hand, as documented for the dashboard. */
const linkMs = 10 * 60_000;
const idleMs = 7 * dayMs;
const maxSessionMs = 30 * dayMs;
/** A session is extended once this much of its idle time has passed, so not every use is a write. */
const slideMs = 3_600_000;
const writeMs = 30_000;

/** Sessions over these records. Extensions are written every 30 s and by `close`. */
export function createSessions(options: {
  readonly records: AccessRecords;
  readonly rules: BrowserRules;
  readonly revocations?: Revocations;
  readonly throttle?: SignInThrottle;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** A monotonic clock, milliseconds. */
  readonly elapsed?: () => number;
}): Sessions {
  const {
    records,
    rules,
    revocations = createRevocations(),
    throttle = createSignInThrottle(),
    now = Date.now,
    elapsed = () => performance.now(),
  } = options;
  const lookUp = createAuthCache({ read: records.sessionWithAccount, revocations, what: 'sessions', now: elapsed });
  const used = new Map<string, string>();
  const writer = createBatchWriter(writeMs, () => {
    const batch = new Map(used);
    used.clear();
    // If this fails, the next use writes it again.
    return records.extendSessions(batch);
  });

  async function find(id: string): Promise<SessionWithAccount | undefined> {
    const found = await lookUp(id);
    return found !== undefined && found.session.expires_at > isoTime(now()) ? found : undefined;
  }

  /** The session of a request that is allowed to use it. */
  async function open(from: BrowserRequest, address: string) {
    const token = rules.tokenOf(from);
    // A request without a cookie is not a failed attempt: pages ask whether anybody is signed in.
    if (token === undefined) throw unauthorized();
    rules.checkOwnPage(from);
    const found = isSecret(token) ? await find(hashSecret(token)) : undefined;
    if (found === undefined) throw throttle.count(address, unauthorized());
    checkActive(found.account);
    if (from.kind === 'changes' && !sameHash(from.csrf_token ?? '', csrfTokenOf(token))) throw noCsrfToken();
    return { ...found, token, expires_at: slide(found.session) };
  }

  /** Extends the session if it is due; returns its end, ISO 8601. */
  function slide({ id, created_at, expires_at }: SessionRecord): string {
    const later = isoTime(Math.min(now() + idleMs, Date.parse(created_at) + maxSessionMs));
    if (Date.parse(later) - Date.parse(expires_at) < slideMs) return expires_at;
    used.set(id, later);
    return later;
  }

  async function end(id: string): Promise<void> {
    const account_id = await records.endSession(id);
    if (account_id !== undefined) revocations.announce(account_id);
  }

  /** The account of a sign-in link, or that which an invitation creates. */
  async function takeLink(link: string): Promise<Account | undefined> {
    const account_id = await records.takeLink(hashSecret(link), isoTime(now()));
    if (account_id !== undefined) return records.account(account_id);
    return records.acceptInvitation(hashSecret(link), { id: newAccountId() }, isoTime(now()));
  }

  const begin: Sessions['begin'] = async (account, from, before, key) => {
    checkActive(account);
    if (before !== undefined) await end(before);
    const token = newSecret();
    const [created_at, expires_at] = [isoTime(now()), isoTime(now() + idleMs)];
    const session = { id: hashSecret(token), account_id: account.id, created_at, expires_at, key_id: key?.id ?? null };
    await records.addSession(session, sessionKey(account.id, created_at));
    const cookie = rules.setCookie(from, token, maxSessionMs / 1000);
    return { account, key, expires_at, csrf_token: csrfTokenOf(token), cookie };
  };

  function idOf(from: BrowserRequest): string | undefined {
    const token = rules.tokenOf(from);
    return token === undefined ? undefined : hashSecret(token);
  }

  return {
    async issueLink(accountId) {
      const account = await records.account(accountId);
      if (account === undefined) throw new Error(`There is no account ${accountId}.`);
      checkActive(account);
      const link = newSecret();
      const expires_at = isoTime(now() + linkMs);
      await records.addLink({ id: hashSecret(link), account_id: accountId, expires_at });
      return { link, expires_at };
    },

    checkOwnPage: rules.checkOwnPage,

    async signIn(link, from, address) {
      rules.checkOwnPage(from);
      const account = isSecret(link) ? await takeLink(link) : undefined;
      if (account === undefined) throw throttle.count(address, invalidLink());
      return begin(account, from, idOf(from));
    },

    begin,
    idOf,

    isNamed: (from) => rules.tokenOf(from) !== undefined,

    async identify(from, address) {
      return sessionCaller(await open(from, address));
    },

    async recheck({ session = '' }) {
      const found = await find(session);
      if (found === undefined) throw unauthorized();
      return sessionCaller(found);
    },

    async describe(from, address) {
      const { account, key, expires_at, token } = await open(from, address);
      return { account, key, expires_at, csrf_token: csrfTokenOf(token) };
    },

    async signOut(from, address) {
      await end((await open(from, address)).session.id);
      return { cookie: rules.setCookie(from, '', 0) };
    },

    close: writer.close,
  };
}

/** The URL of a sign-in link. The secret follows the `#`, which browsers do not send and servers therefore do not log. */
export function signInUrl(baseUrl: string, link: string): string {
  return `${reachableUrl(baseUrl).replace(/\/+$/, '')}/dashboard/sign-in#${link}`;
}

/** Throws `forbidden` unless the account is active. */
function sessionCaller({ session: { id: session }, account, key }: SessionWithAccount): Caller {
  if (key !== undefined) return { ...callerOf({ key, account }), session };
  checkActive(account);
  const { id, plan } = account;
  return { key_id: sessionKeyId(id), account_id: id, plan, scopes: [], session };
}

/** Derived from the session's secret, which a page cannot read, without revealing it. */
function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('citewire csrf token').digest('base64url');
}

function noCsrfToken(): AppError {
  return new AppError('forbidden', 'Expected the header X-CSRF-Token with the value from GET /v1/session.');
}

function invalidLink(): AppError {
  return new AppError(
    'unauthorized',
    'Expected an unused sign-in link that is at most 10 minutes old, or an open invitation.',
  );
}
