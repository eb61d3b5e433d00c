/**
 * Who is signed in on this page: the browser's session, or a key that was pasted here. A key is kept for this tab alone,
 * until it is closed, and goes nowhere but into the header of calls to this very server; no address, log or storage that
 * outlives the tab has it.
 */
import { signal } from '@preact/signals';
import type { BrowserSession } from '../../../protocol/index.ts';
import { type Client, createClient, type Ticket } from '../../client/client.ts';
import { ask, endSession, readSession, signs } from './session.ts';

export interface SignedIn {
  readonly client: Client;
  signOut(): Promise<void>;
}

export const signedIn = signal<SignedIn | undefined>(undefined);

const storageKey = 'citewire.key';

/** Signs in as this tab or this browser was, if it was. Never rejects. */
export async function resume(): Promise<void> {
  const key = sessionStorage.getItem(storageKey);
  if (key !== null) {
    signedIn.value = byKey(key);
    return;
  }
  const session = await readSession().catch(() => undefined);
  if (session !== undefined) signedIn.value = bySession(session);
}

/** Rejects with CitewireError when the server does not know the key. */
export async function signInWith(key: string): Promise<void> {
  await ask('GET', '/v1/usage', { headers: { 'x-api-key': key } });
  sessionStorage.setItem(storageKey, key);
  signedIn.value = byKey(key);
}

function byKey(apiKey: string): SignedIn {
  const client = clientWith({ 'x-api-key': apiKey });
  const forget = async () => sessionStorage.removeItem(storageKey);
  return { client, signOut: () => leave(client, forget) };
}

function bySession(session: BrowserSession): SignedIn {
  const client = clientWith(signs(session));
  return { client, signOut: () => leave(client, () => endSession(session)) };
}

/** Calls of this server that carry these headers. */
export function clientWith(headers: Record<string, string>): Client {
  return createClient({
    baseUrl: location.origin,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...(init?.headers as object), ...headers } }),
    // The address of the socket is the page's own: behind a proxy the server may not know how it is reached.
    async ticket() {
      const { ticket } = await ask<Ticket>('POST', '/v1/ws/tickets', { headers, body: { origin: location.origin } });
      return { ticket };
    },
    // A line that is away for minutes is waited for: who looks at the page may give up sooner.
    maxRetries: 60,
  });
}

async function leave(client: Client, forget: () => Promise<unknown>): Promise<void> {
  await forget();
  client.close();
  signedIn.value = undefined;
}
