/**
 * Who is signed in at this browser, as the dashboard knows it: a session and no key, for keys manage nothing. The session
 * itself is a cookie that no script sees.
 */
import { signal } from '@preact/signals';
import type { BrowserSession } from '../../../protocol/index.ts';
import type { CitewireError, Client } from '../../client/client.ts';
import { ask, endSession, readSession, signs } from '../account/session.ts';
import { clientWith } from '../account/signed-in.ts';

/** Undefined until the server has been asked; `null` where nobody is signed in. */
export const session = signal<BrowserSession | null | undefined>(undefined);
let opened: Client | undefined;

/** Signs in with the secret part of a link. Rejects with CitewireError, in words to show. */
export async function signIn(link: string): Promise<void> {
  become(await ask<BrowserSession>('POST', '/v1/session', { body: { link } }));
}

/** Goes on with the session that this browser has, if it has one. */
export async function resume(): Promise<void> {
  become((await readSession().catch(() => undefined)) ?? null);
}

export async function signOut(): Promise<void> {
  if (session.value) await endSession(session.value).catch(() => {});
  become(null);
}

/** One call of the API by this session. Rejects with CitewireError; one that says that nobody is signed in signs out. */
export async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const headers = session.value ? signs(session.value) : {};
  try {
    return await ask<Answer>(method, path, { headers, ...(body === undefined ? {} : { body }) });
  } catch (error) {
    if ((error as CitewireError).code === 'unauthorized') become(null);
    throw error;
  }
}

/** Searches of this session, over one connection. */
export function client(): Client {
  opened ??= clientWith(session.value ? signs(session.value) : {});
  return opened;
}

function become(next: BrowserSession | null): void {
  opened?.close();
  opened = undefined;
  session.value = next;
}
