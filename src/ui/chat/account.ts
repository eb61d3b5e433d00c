/**
 * Who is signed in on this page: by a key that was pasted here. It is kept for this tab alone, until it is closed, and
 * goes nowhere but into the header of calls to this very server; no address, log or storage that outlives the tab has it.
 */
import { signal } from '@preact/signals';
import { CitewireError, type Client, createClient, type Ticket } from '../../client/client.ts';

const storageKey = 'citewire.key';

/** The client of whoever is signed in. */
export const client = signal<Client | undefined>(undefined);

/** Signs in as before, if this tab was. */
export function resumeSession(): void {
  const key = sessionStorage.getItem(storageKey);
  if (key !== null) client.value = clientFor(key);
}

/** Rejects with CitewireError when the server does not know the key. */
export async function signIn(key: string): Promise<void> {
  await call(key, 'GET', '/v1/usage');
  sessionStorage.setItem(storageKey, key);
  client.value = clientFor(key);
}

export function signOut(): void {
  sessionStorage.removeItem(storageKey);
  client.value?.close();
  client.value = undefined;
}

function clientFor(apiKey: string): Client {
  const ticket = () => call<Ticket>(apiKey, 'POST', '/v1/ws/tickets', { origin: location.origin });
  return createClient({ baseUrl: location.origin, apiKey, ticket, maxRetries: 60 });
}

async function call<Answer>(key: string, method: string, path: string, body?: object): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(path, { method, headers: { 'x-api-key': key, ...type }, ...sent }).catch((cause) => {
    throw new CitewireError('connection_failed', 'The server cannot be reached.', { retryable: true, cause });
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const { code = 'bad_answer', message = `The server answered ${response.status}.`, ...details } = answer.error ?? {};
  throw new CitewireError(code, message, { ...details, status: response.status });
}
