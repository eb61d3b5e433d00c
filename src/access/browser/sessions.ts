/**
 * People at a browser. A sign-in link, which only whoever runs the server can make, is used once and within minutes; it
 * becomes a session, which a cookie names from then on. Links and sessions are 32 random bytes, kept as SHA-256 in the
 * store, so any process may honour what another one gave. Signing in always makes a new session: what a browser brought
 * along is ended, never taken over.
 *
 * A session lives for a week after its last use and 30 days in all. It ends at once when its account is suspended or
 * banned. All sessions of an account share one row among the keys (session-key.ts): their calls are
 * limited together.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { AccessRecords, Account, SessionRecord } from '../access-records.ts';
import { createAuthCache } from '../auth-cache.ts';
import { type Caller, checkActive, unauthorized } from '../identity.ts';
import { sameHash } from '../keys.ts';
import { createRevocations, type Revocations } from '../revocations.ts';
import { createSignInThrottle, type SignInThrottle } from '../sign-in-throttle.ts';
import type { BrowserRequest, BrowserRules } from './request.ts';
import { sessionKey, sessionKeyId } from './session-key.ts';

export interface SignedIn {
  readonly account: Account;
  /** Until then, unless it is used. */
  readonly expires_at: string;
  /** What calls that change something carry. */
  readonly csrf_token: string;
}

export interface Sessions {
  /** `link` is the secret part of a sign-in link. Rejects where there is no such account, or it is not active. */
  issueLink(accountId: string): Promise<{ readonly link: string; readonly expires_at: string }>;
  /** Uses the link up. Rejects with `unauthorized` for one that is unknown, used or too old, `forbidden`, `rate_limited`. */
  signIn(link: string, from: BrowserRequest, address: string): Promise<SignedIn & { readonly cookie: string }>;
  /** Whether a request signs in with a session. */
  isNamed(from: BrowserRequest): boolean;
  /** Rejects as `Identity.identify` does, and with `forbidden` for a request that is not one of our own pages'. */
  identify(from: BrowserRequest, address: string): Promise<Caller>;
  recheck(caller: Caller): Promise<Caller>;
  /** What a page of the session may know. Rejects as `identify` does. */
  describe(from: BrowserRequest, address: string): Promise<SignedIn>;
  /** Ends the session that the request names; the cookie takes it from the browser. */
  signOut(from: BrowserRequest, address: string): Promise<{ readonly cookie: string }>;
  /** Writes what is still unwritten of last uses. */
  close(): Promise<void>;
}

const linkMs = 10 * 60_000;
const idleMs = 7 * 86_400_000;
const longestMs = 30 * 86_400_000;
/** A session that was used is made longer when this much of its time is gone. */
const slideMs = 3_600_000;
const writeMs = 30_000;
const secretPattern = /^[A-Za-z0-9_-]{43}$/;

export function createSessions(options: {
  readonly records: AccessRecords;
  readonly rules: BrowserRules;
  readonly revocations?: Revocations;
  readonly failures?: SignInThrottle;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}): Sessions {
  const {
    records,
    rules,
    revocations = createRevocations(),
    failures = createSignInThrottle(),
    now = Date.now,
  } = options;
  const lookUp = createAuthCache({ read: records.sessionWithAccount, revocations, what: 'sessions', now });
  const used = new Map<string, string>();
  const writing = setInterval(() => void writeUses(), writeMs);
  writing.unref();
  const iso = (time: number) => new Date(time).toISOString();

  async function writeUses(): Promise<void> {
    const batch = new Map(used);
    used.clear();
    // The next use writes it again.
    await records.extendSessions(batch).catch(() => {});
  }

  async function find(id: string): Promise<{ session: SessionRecord; account: Account } | undefined> {
    const found = await lookUp(id);
    return found !== undefined && found.session.expires_at > iso(now()) ? found : undefined;
  }

  /** The session of a request that may use it. */
  async function open(from: BrowserRequest, address: string) {
    const token = rules.tokenOf(from);
    // Who brings nothing has tried nothing: a page that asks whether anybody is signed in is no failure.
    if (token === undefined) throw unauthorized();
    rules.checkOwnPage(from);
    const found = secretPattern.test(token) ? await find(hash(token)) : undefined;
    if (found === undefined) throw failures.count(address, unauthorized());
    checkActive(found.account);
    if (from.kind === 'changes' && !sameHash(from.csrf_token ?? '', csrfTokenOf(token))) throw noCsrfToken();
    return { ...found, token, expires_at: slide(found.session) };
  }

  /** Gives the session's end as it is once this use is written. */
  function slide({ id, created_at, expires_at }: SessionRecord): string {
    const later = iso(Math.min(now() + idleMs, Date.parse(created_at) + longestMs));
    if (Date.parse(later) - Date.parse(expires_at) < slideMs) return expires_at;
    used.set(id, later);
    return later;
  }

  async function end(token: string): Promise<void> {
    const account_id = await records.endSession(hash(token));
    if (account_id !== undefined) revocations.announce(account_id);
  }

  return {
    async issueLink(accountId) {
      const account = await records.account(accountId);
      if (account === undefined) throw new Error(`There is no account ${accountId}.`);
      checkActive(account);
      const link = newSecret();
      const expires_at = iso(now() + linkMs);
      await records.addLink({ id: hash(link), account_id: accountId, expires_at });
      return { link, expires_at };
    },

    async signIn(link, from, address) {
      rules.checkOwnPage(from);
      const account_id = secretPattern.test(link) ? await records.takeLink(hash(link), iso(now())) : undefined;
      const account = account_id === undefined ? undefined : await records.account(account_id);
      if (account === undefined) throw failures.count(address, usedLink());
      checkActive(account);
      const before = rules.tokenOf(from);
      if (before !== undefined) await end(before);
      const token = newSecret();
      const [created_at, expires_at] = [iso(now()), iso(now() + idleMs)];
      const session = { id: hash(token), account_id: account.id, created_at, expires_at };
      await records.addSession(session, sessionKey(account.id, created_at));
      const cookie = rules.setCookie(from, token, longestMs / 1000);
      return { account, expires_at, csrf_token: csrfTokenOf(token), cookie };
    },

    isNamed: (from) => rules.tokenOf(from) !== undefined,

    async identify(from, address) {
      const { session, account } = await open(from, address);
      return callerOf(session.id, account);
    },

    async recheck({ session = '' }) {
      const found = await find(session);
      if (found === undefined) throw unauthorized();
      checkActive(found.account);
      return callerOf(session, found.account);
    },

    async describe(from, address) {
      const { account, expires_at, token } = await open(from, address);
      return { account, expires_at, csrf_token: csrfTokenOf(token) };
    },

    async signOut(from, address) {
      await end((await open(from, address)).token);
      return { cookie: rules.setCookie(from, '', 0) };
    },

    async close() {
      clearInterval(writing);
      await writeUses();
    },
  };
}

/** The secret stands behind the `#`: a browser sends that to nobody, and no server writes it to a log. */
export function signInUrl(baseUrl: string, link: string): string {
  const anyAddress = /^(https?:\/\/)(0\.0\.0\.0|\[::\])(?=[:/]|$)/;
  return `${baseUrl.replace(anyAddress, '$1localhost').replace(/\/+$/, '')}/dashboard/sign-in#${link}`;
}

function callerOf(session: string, { id, plan }: Account): Caller {
  return { key_id: sessionKeyId(id), account_id: id, plan, name: 'browser', scopes: [], session };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Follows from the session's secret, which a page cannot read, and tells nothing of it. */
function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('citewire csrf token').digest('base64url');
}

function noCsrfToken(): AppError {
  return new AppError('forbidden', 'Expected the header X-CSRF-Token as GET /v1/session gives it.');
}

function usedLink(): AppError {
  return new AppError('unauthorized', 'Expected a sign-in link that is not used and not older than 10 minutes.');
}
