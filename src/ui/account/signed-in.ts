/**
 * The account signed in on this page: through the browser's session, or with a pasted key. A key is kept until this tab is
 * closed and sent only in the header of calls to this server; it never appears in a URL, a log or persistent storage.
 */
import { signal } from '@preact/signals';
import type { BrowserSession } from '../../../protocol/index.ts';
import { type Client, createClient, type Ticket } from '../../client/client.ts';
import { csrfHeaders, endSession, readSession, requestJson } from './browser-session.ts';

export interface SignedIn {
  readonly client: Client;
  signOut(): Promise<void>;
}

export const signedIn = signal<SignedIn | undefined>(undefined);

const storageKey = 'citewire.key';

/** Restores the sign-in of this tab or this browser, if there is one. Never rejects. */
export async function resume(): Promise<void> {
  const key = sessionStorage.getItem(storageKey);
  if (key !== null) {
    signedIn.value = keySignIn(key);
    return;
  }
  const session = await readSession().catch(() => undefined);
  if (session !== undefined) signedIn.value = sessionSignIn(session);
}

/** Rejects with CitewireError when the server does not accept the key. */
export async function signInWithKey(key: string): Promise<void> {
  await requestJson('GET', '/v1/usage', { headers: { 'x-api-key': key } });
  sessionStorage.setItem(storageKey, key);
  signedIn.value = keySignIn(key);
}

function keySignIn(apiKey: string): SignedIn {
  const client = createPageClient({ 'x-api-key': apiKey });
  const forget = async () => sessionStorage.removeItem(storageKey);
  return { client, signOut: () => leave(client, forget) };
}

function sessionSignIn(session: BrowserSession): SignedIn {
  const client = createPageClient(csrfHeaders(session));
  return { client, signOut: () => leave(client, () => endSession(session)) };
}

/** A client of this server whose calls carry these headers. */
export function createPageClient(headers: Record<string, string>): Client {
  return createClient({
    baseUrl: location.origin,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...(init?.headers as object), ...headers } }),
    // The WebSocket uses the page's own origin, as the server may not know its public URL when it runs behind a proxy.
    async ticket() {
      const { ticket } = await requestJson<Ticket>('POST', '/v1/ws/tickets', {
        headers,
        body: { origin: location.origin },
      });
      return { ticket };
    },
    // Keep trying for minutes: the person at the page decides when to give up.
    maxRetries: 60,
  });
}

async function leave(client: Client, forget: () => Promise<unknown>): Promise<void> {
  await forget();
  client.close();
  signedIn.value = undefined;
}
