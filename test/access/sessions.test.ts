import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessRecords } from '../../src/access/access-records.ts';
import { type Accounts, createAccounts } from '../../src/access/accounts.ts';
import { type BrowserRequest, createBrowserRules } from '../../src/access/browser/request.ts';
import { createSessions, type Sessions, signInUrl } from '../../src/access/browser/sessions.ts';
import { createRevocations } from '../../src/access/revocations.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const day = 86_400_000;
const here = '127.0.0.1';

const request = (more: Partial<BrowserRequest> = {}): BrowserRequest => ({
  kind: 'reads',
  cookies: undefined,
  host: 'search.example',
  origin: 'http://search.example',
  fetch_site: 'same-origin',
  csrf_token: undefined,
  ...more,
});

describe('sessions', () => {
  let store: Store;
  let accounts: Accounts;
  let sessions: Sessions;
  /** Another process on the same store, which hears nothing of the first. */
  let elsewhere: Sessions;
  let at = Date.parse('2026-03-01T12:00:00Z');
  /** By how much the clock was set back, ms. */
  let wentBack = 0;
  const written: unknown[] = [];

  beforeAll(async () => {
    store = await openStore({ dataDir: `${folder}/sessions` });
    const records: AccessRecords = {
      ...store.access,
      addLink: (link) => store.access.addLink(noted(link)),
      addSession: (session, key) => store.access.addSession(noted(session), noted(key)),
    };
    const revocations = createRevocations();
    const rules = createBrowserRules(undefined);
    const now = () => at;
    accounts = createAccounts({ records, revocations });
    const elapsed = () => at + wentBack;
    sessions = createSessions({ records, rules, revocations, now, elapsed });
    elsewhere = createSessions({ records: store.access, rules, now, elapsed });
  });
  afterAll(async () => {
    await sessions.close();
    await elsewhere.close();
    await store.close();
  });

  const noted = <Value>(value: Value): Value => {
    written.push(value);
    return value;
  };
  const newAccount = () => accounts.createAccount({ name: 'team', plan: 'starter' });
  const cookieOf = ({ cookie }: { cookie: string }) => ({ cookies: cookie.split(';')[0] });
  async function signIn(accountId: string) {
    const { link } = await sessions.issueLink(accountId);
    const signedIn = await sessions.signIn(link, request({ kind: 'changes' }), here);
    return { ...signedIn, link, from: request(cookieOf(signedIn)) };
  }

  it('identifies the account of a session in every process on the store', async () => {
    const { id } = await newAccount();
    const { from } = await signIn(id);
    for (const process of [sessions, elsewhere]) {
      expect(await process.identify(from, here)).toMatchObject({ account_id: id, plan: 'starter' });
    }
  });

  it('refuses a session that another process ended, within 10 s, also when the clock was set back before', async () => {
    const { id } = await newAccount();
    const { from } = await signIn(id);
    await elsewhere.identify(from, here);
    at -= day;
    wentBack += day;
    await sessions.signOut(from, here);
    at += 10_000;
    await expect(elsewhere.identify(from, here)).rejects.toMatchObject({ code: 'unauthorized' });
    at += day;
    wentBack -= day;
  });

  it('stores no secret of a link or session', async () => {
    const { link, from, csrf_token } = await signIn((await newAccount()).id);
    const kept = JSON.stringify(written);
    expect(kept).toContain('expires_at');
    for (const secret of [link, from.cookies!.split('=')[1]!, csrf_token]) expect(kept).not.toContain(secret);
  });

  it('signs in once per link, and one of many simultaneous users', async () => {
    const { id } = await newAccount();
    const { link } = await sessions.issueLink(id);
    const tries = Array.from({ length: 10 }, (_, n) =>
      (n % 2 === 0 ? sessions : elsewhere).signIn(link, request({ kind: 'changes' }), `10.0.0.${n}`),
    );
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('refuses links that are ten minutes old or were never issued, in the same words', async () => {
    const { id } = await newAccount();
    const { link } = await sessions.issueLink(id);
    const { link: used } = await signIn(id);
    at += 10 * 60_000;
    const refusals = [];
    for (const bad of [link, used, '', 'x', 'A'.repeat(43), 'A'.repeat(100_000)]) {
      const refusal = sessions.signIn(bad, request({ kind: 'changes' }), here);
      refusals.push(await refusal.catch((error) => `${error.status} ${error.message}`));
    }
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toMatch(/^401 /);
  });

  it('limits by address how many links may be tried', async () => {
    const codes = [];
    for (let n = 0; n < 25; n++) {
      const tried = sessions.signIn('A'.repeat(43), request({ kind: 'changes' }), '203.0.113.9');
      codes.push(await tried.catch((error) => error.code));
    }
    expect(codes).toEqual([...Array(20).fill('unauthorized'), ...Array(5).fill('rate_limited')]);
  });

  it('does not throttle requests without a cookie, however many there are', async () => {
    for (let n = 0; n < 25; n++) {
      await expect(sessions.describe(request(), '203.0.113.10')).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });

  it('always creates a new session: one that the browser sent is ended, not reused', async () => {
    const { id } = await newAccount();
    const planted = await signIn(id);
    const { link } = await sessions.issueLink(id);
    const own = await sessions.signIn(link, { ...planted.from, kind: 'changes' }, here);
    expect(cookieOf(own)).not.toEqual(cookieOf(planted));
    await expect(sessions.identify(planted.from, here)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await sessions.identify(request(cookieOf(own)), here)).toMatchObject({ account_id: id });
  });

  it("requires the session's own CSRF token for a change", async () => {
    const { id } = await newAccount();
    const [{ from, csrf_token }, other] = [await signIn(id), await signIn(id)];
    const change = (token: string | undefined) =>
      sessions.identify({ ...from, kind: 'changes', csrf_token: token }, here).catch((error) => error.code);
    expect(await change(csrf_token)).toMatchObject({ account_id: id });
    for (const token of [undefined, '', 'x', other.csrf_token]) expect(await change(token)).toBe('forbidden');
  });

  it('keeps a session for a week after its last use, and for thirty days in all', async () => {
    const { from } = await signIn((await newAccount()).id);
    for (let week = 0; week < 5; week++) {
      const isOver = await sessions.identify(from, here).then(
        () => false,
        () => true,
      );
      expect(isOver, `after ${week * 6} days`).toBe(week * 6 >= 30);
      await sessions.close();
      at += 6 * day;
    }
    const idle = await signIn((await newAccount()).id);
    at += 7 * day;
    await expect(sessions.identify(idle.from, here)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('ends a session at sign-out: immediately in this process, within 30 s in others', async () => {
    const { from, csrf_token } = await signIn((await newAccount()).id);
    const caller = await sessions.identify(from, here);
    await elsewhere.identify(from, here);
    const { cookie } = await sessions.signOut({ ...from, kind: 'changes', csrf_token }, here);
    expect(cookie).toMatch(/^citewire_80=; .*Max-Age=0/);
    await expect(sessions.identify(from, here)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(sessions.recheck(caller)).rejects.toMatchObject({ code: 'unauthorized' });
    at += 29_000;
    await expect(elsewhere.identify(from, here)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('ends sessions when their account is suspended, for good', async () => {
    const { id } = await newAccount();
    const { from } = await signIn(id);
    const { link } = await sessions.issueLink(id);
    await accounts.setStatus(id, 'suspended', 'unpaid');
    await expect(sessions.identify(from, here)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(sessions.issueLink(id)).rejects.toThrow('This account is suspended: unpaid');
    await accounts.setStatus(id, 'active');
    await expect(sessions.identify(from, here)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(sessions.signIn(link, request({ kind: 'changes' }), here)).rejects.toMatchObject({ status: 401 });
  });

  it('counts sessions on one key row, which no list shows and nothing revokes', async () => {
    const { id } = await newAccount();
    const callers = [await signIn(id), await signIn(id)].map(({ from }) => sessions.identify(from, here));
    const [one, two] = await Promise.all(callers);
    expect(one!.key_id).toBe(two!.key_id);
    expect(await accounts.listKeys(id)).toEqual([]);
    await expect(accounts.revokeKey(one!.key_id)).rejects.toThrow('no such key');
  });
});

describe('a sign-in link', () => {
  it('puts the secret of a sign-in link where no server sees it, in a URL that a browser can open', () => {
    expect(signInUrl('http://0.0.0.0:8080', 'secret')).toBe('http://localhost:8080/dashboard/sign-in#secret');
    expect(signInUrl('http://[::]:8080/', 'secret')).toBe('http://localhost:8080/dashboard/sign-in#secret');
    expect(signInUrl('https://search.example', 'secret')).toBe('https://search.example/dashboard/sign-in#secret');
  });
});
