/**
 * The session of this browser, as its cookie has it: no script can read that, so what is asked of the server says whose
 * it is. Calls that change something carry the session's token; other sites' pages do not know it.
 */
import type { BrowserSession } from '../../../protocol/index.ts';
import { CitewireError } from '../../client/client.ts';

/** Undefined when nobody is signed in at this browser. Rejects with CitewireError when the server cannot be asked. */
export async function readSession(): Promise<BrowserSession | undefined> {
  return ask<BrowserSession>('GET', '/v1/session').catch((error: CitewireError) => {
    if (error.status !== 401) throw error;
    return undefined;
  });
}

export function endSession(session: BrowserSession): Promise<unknown> {
  return ask('DELETE', '/v1/session', { headers: signs(session) });
}

/** What a call carries that is made for this session. */
export function signs({ csrf_token }: BrowserSession): Record<string, string> {
  return { 'x-csrf-token': csrf_token };
}

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** One call of this server, with its cookie: the JSON of the answer. Rejects with CitewireError. */
export async function ask<Answer>(method: string, path: string, { headers, body }: AskOptions = {}): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(path, { method, headers: { ...headers, ...type }, ...sent }).catch((cause) => {
    throw new CitewireError('connection_failed', 'The server cannot be reached.', { retryable: true, cause });
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const { code = 'bad_answer', message = `The server answered ${response.status}.`, ...details } = answer.error ?? {};
  throw new CitewireError(code, message, { ...details, status: response.status });
}
