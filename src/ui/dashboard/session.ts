/**
 * The session of the dashboard, a cookie that scripts cannot read. When it ends while a page is open, because its key was
 * revoked or it expired, the page stays as it is and asks for a new one.
 */
import { signal } from '@preact/signals';
import type { BrowserSession, KeyScope } from '../../../protocol/index.ts';
import type { CitewireError, Client } from '../../client/client.ts';
import { beginSession, endSession, followSession, requestJson } from '../account/browser-session.ts';
import { reloadForAccount } from '../account/other-account.ts';
import { createPageClient, restoreSession, unreadSession } from '../account/signed-in.ts';

/** Undefined while loading; `null` when nobody is signed in. */
export const session = signal<BrowserSession | null | undefined>(undefined);
/** Whether the session of the page has ended without a sign-out. */
export const hasEnded = signal(false);
/** Whether another tab has signed out: what is on the page is kept, but not shown until somebody signs in. */
export const isHidden = signal(false);
/** Counts the sessions of this page: what could not be loaded is loaded again with the next one. */
export const renewals = signal(0);
let opened: Client | undefined;

/** Signs in with a key, a sign-in link or its secret part. Rejects with CitewireError; its message can be shown. */
export async function signIn(secret: string): Promise<void> {
  const before = session.value;
  const next = await beginSession(secret);
  // What the page shows belongs to the previous account.
  if (before && hasEnded.value && before.account.id !== next.account.id) return reloadForAccount();
  setSession(next);
}

/** Restores the session of this browser, if there is one. */
export async function resume(): Promise<void> {
  setSession((await restoreSession()) ?? null);
  followSession({
    renewed(renewed) {
      if (session.value === null || isHidden.value) setSession(renewed);
      else if (session.value) session.value = renewed;
    },
    ended() {
      if (!session.value) return;
      hasEnded.value = true;
      isHidden.value = true;
    },
  });
}

/** Rejects with CitewireError when the session goes on, as without a network. */
export async function signOut(): Promise<void> {
  if (session.value) await endSession();
  setSession(null);
}

/** Goes on without a new session: with the page as it is, or with the form to sign in where nothing of it may be shown. */
export function declineRenewal(): void {
  if (isHidden.value) setSession(null);
  else hasEnded.value = false;
}

/** Calls the API with this session. Rejects with CitewireError; after `unauthorized` the page asks for a new session. */
export async function call<Answer>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  try {
    const sent = body === undefined ? {} : { body };
    return await requestJson<Answer>(method, path, signal === undefined ? sent : { ...sent, signal });
  } catch (error) {
    noteFailure(error as CitewireError);
    throw error;
  }
}

/** Whether the key that the session began with, if any, is not restricted to other scopes. */
export function mayUse(scope: KeyScope): boolean {
  const { scopes = [] } = session.value?.key ?? {};
  return scopes.length === 0 || scopes.includes(scope);
}

/** Has the page ask for a new session if that is why a call failed. */
export function noteFailure({ code }: Pick<CitewireError, 'code'>): void {
  if (code === 'unauthorized' && session.value) hasEnded.value = true;
}

/** The client of this session; all its searches share one connection. */
export function client(): Client {
  opened ??= createPageClient();
  return opened;
}

function setSession(next: BrowserSession | null): void {
  opened?.close();
  opened = undefined;
  hasEnded.value = false;
  isHidden.value = false;
  if (next !== null) unreadSession.value = undefined;
  session.value = next;
  renewals.value += 1;
}
