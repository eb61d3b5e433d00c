/** The account that is signed in on the chat page, as a client whose calls carry the browser's session. */
import { signal } from '@preact/signals';
import type { BrowserSession } from '../../../protocol/index.ts';
import { type CitewireError, type Client, createClient, type Ticket } from '../../client/client.ts';
import { beginSession, endSession, followSession, pageFetch, readSession, requestJson } from './browser-session.ts';
import { leaveForAccount, sayOtherAccount } from './other-account.ts';

export interface SignedIn {
  readonly session: BrowserSession;
  readonly client: Client;
  signOut(): Promise<void>;
}

export const signedIn = signal<SignedIn | undefined>(undefined);

/** Why it is not known whether this browser is signed in: the server could not say so, but may when it is asked again. */
export const unreadSession = signal<CitewireError | undefined>(undefined);

/** The session of this browser; undefined if there is none, or if that is not known. Never rejects. */
export async function restoreSession(): Promise<BrowserSession | undefined> {
  let failure: CitewireError | undefined;
  const session = await readSession().catch((error: CitewireError) => {
    if (error.retryable || (error.status ?? 0) >= 500) failure = error;
    return undefined;
  });
  unreadSession.value = failure;
  sayOtherAccount();
  return session;
}

/** Whose page it was before another tab signed out. */
let endedElsewhere: BrowserSession | undefined;
let onChange: () => void = () => {};

/** Calls `listener` once another tab has signed out, so that nothing of the account is shown here either, or in again after that. */
export function followSignedIn(listener: () => void): void {
  onChange = listener;
}

/** Restores the session of this browser, if there is one. Never rejects. */
export async function resume(): Promise<void> {
  const session = await restoreSession();
  if (session !== undefined) signedIn.value = openSignedIn(session);
  followSession({
    renewed(renewed) {
      if (signedIn.value !== undefined) {
        signedIn.value = { ...signedIn.value, session: renewed };
      } else if (endedElsewhere !== undefined) {
        signedIn.value = openSignedIn(renewed);
        onChange();
      }
    },
    ended() {
      if (signedIn.value === undefined) return;
      endedElsewhere = signedIn.value.session;
      signedIn.value.client.close();
      signedIn.value = undefined;
      onChange();
    },
  });
}

/**
 * With a key or a sign-in link. Rejects with CitewireError when the server does not accept it; does not resolve where the page is
 * left for another account.
 */
export async function signIn(secret: string): Promise<void> {
  const session = await beginSession(secret);
  const before = (signedIn.value?.session ?? endedElsewhere)?.account;
  // The answers on the page, and what is asked of them next, belong to that one.
  if (before !== undefined && before.id !== session.account.id) {
    leaveForAccount(session.account);
    return new Promise(() => {});
  }
  signedIn.value?.client.close();
  signedIn.value = openSignedIn(session);
}

function openSignedIn(session: BrowserSession): SignedIn {
  const client = createPageClient();
  unreadSession.value = undefined;
  endedElsewhere = undefined;
  return {
    session,
    client,
    async signOut() {
      await endSession();
      client.close();
      signedIn.value = undefined;
    },
  };
}

/**
 * A client of this server whose calls carry the session of this browser. Searches are tried again for minutes, which the page
 * shows: the person there decides when to give up. All other calls fail within seconds, so that the page can say so.
 */
export function createPageClient(): Client {
  const calls = createClient({ baseUrl: location.origin, fetch: pageFetch, maxRetries: 4 });
  const streams = createClient({
    baseUrl: location.origin,
    fetch: pageFetch,
    // The WebSocket uses the page's own origin, as the server may not know its public URL when it runs behind a proxy.
    async ticket() {
      const { ticket } = await requestJson<Ticket>('POST', '/v1/ws/tickets', { body: { origin: location.origin } });
      return { ticket };
    },
    maxRetries: 60,
  });
  const { search, runDesign, callPublished, follow } = streams;
  return {
    ...calls,
    search,
    runDesign,
    callPublished,
    follow,
    close() {
      calls.close();
      streams.close();
    },
  };
}
