/**
 * Who is signed in at this browser. The session itself is a cookie that no script sees; what is kept here, for as long as
 * the page is open, is the account's name and the token that goes with every call that changes something.
 */
import { signal } from '@preact/signals';
import type { BrowserSession } from '../../../protocol/index.ts';
import { CitewireError, fromResponse } from '../../client/citewire-error.ts';
import { type Client, createClient, type Ticket } from '../../client/client.ts';

/** Undefined until the server has been asked; `null` where nobody is signed in. */
export const session = signal<BrowserSession | null | undefined>(undefined);

/** Says only that this browser was signed in: without it there is nobody to ask the server about. */
const hint = 'citewire.signed-in';

/** Signs in with the secret part of a link. Rejects with CitewireError, in words to show. */
export async function signIn(link: string): Promise<void> {
  session.value = await call<BrowserSession>('POST', '/v1/session', { link });
  localStorage.setItem(hint, 'yes');
}

/** Goes on with the session that this browser has, if it has one. */
export async function resume(): Promise<void> {
  const found = localStorage.getItem(hint) && (await call<BrowserSession>('GET', '/v1/session').catch(() => null));
  if (found) session.value = found;
  else forget();
}

function forget(): void {
  localStorage.removeItem(hint);
  session.value = null;
}

export async function signOut(): Promise<void> {
  await call('DELETE', '/v1/session').catch(() => {});
  forget();
}

/** One call of the API by this session. Rejects with CitewireError; one that says that nobody is signed in signs out. */
export async function call<Answer>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  const response = await signedFetch(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause) => {
    if (signal?.aborted) throw signal.reason;
    throw new CitewireError('connection_failed', 'The server cannot be reached.', { retryable: true, cause });
  });
  if (response.ok) return response.json();
  const failure = await fromResponse(response);
  if (failure.code === 'unauthorized' && session.value) forget();
  throw failure;
}

const signedFetch: typeof fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  if (session.value) headers.set('x-csrf-token', session.value.csrf_token);
  return fetch(input, { ...init, headers });
};

let opened: Client | undefined;

/** Searches of this session, over one connection. */
export function client(): Client {
  const ticket = () => call<Ticket>('POST', '/v1/ws/tickets', { origin: location.origin });
  opened ??= createClient({ baseUrl: location.origin, fetch: signedFetch, ticket, maxRetries: 3 });
  return opened;
}
