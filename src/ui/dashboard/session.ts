/**
 * The session of the dashboard. Only a session can manage an account; keys cannot. The session itself is a cookie that
 * scripts cannot read.
 */
import { signal } from '@preact/signals';
import type { BrowserSession } from '../../../protocol/index.ts';
import type { CitewireError, Client } from '../../client/client.ts';
import { csrfHeaders, endSession, readSession, requestJson } from '../account/browser-session.ts';
import { createPageClient } from '../account/signed-in.ts';

/** Undefined while loading; `null` when nobody is signed in. */
export const session = signal<BrowserSession | null | undefined>(undefined);
let opened: Client | undefined;

/** Signs in with the secret of a sign-in link. Rejects with CitewireError; its message can be shown. */
export async function signIn(link: string): Promise<void> {
  setSession(await requestJson<BrowserSession>('POST', '/v1/session', { body: { link } }));
}

/** Restores the session of this browser, if there is one. */
export async function resume(): Promise<void> {
  setSession((await readSession().catch(() => undefined)) ?? null);
}

export async function signOut(): Promise<void> {
  if (session.value) await endSession(session.value).catch(() => {});
  setSession(null);
}

/** Calls the API with this session. Rejects with CitewireError; `unauthorized` signs out. */
export async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const headers = session.value ? csrfHeaders(session.value) : {};
  try {
    return await requestJson<Answer>(method, path, { headers, ...(body === undefined ? {} : { body }) });
  } catch (error) {
    if ((error as CitewireError).code === 'unauthorized') setSession(null);
    throw error;
  }
}

/** The client of this session; all its searches share one connection. */
export function client(): Client {
  opened ??= createPageClient(session.value ? csrfHeaders(session.value) : {});
  return opened;
}

function setSession(next: BrowserSession | null): void {
  opened?.close();
  opened = undefined;
  session.value = next;
}
