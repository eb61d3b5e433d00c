/**
 * The session of this browser. It lives in a cookie that scripts cannot read, so only the server can say whose it is. Calls
 * that change something carry the session's CSRF token, which pages of other sites do not know.
 */
import type { BrowserSession } from '../../../protocol/index.ts';
import { CitewireError } from '../../client/client.ts';

/** Undefined when this browser is not signed in. Rejects with CitewireError when the server cannot be reached. */
export async function readSession(): Promise<BrowserSession | undefined> {
  return requestJson<BrowserSession>('GET', '/v1/session').catch((error: CitewireError) => {
    if (error.status !== 401) throw error;
    return undefined;
  });
}

export function endSession(session: BrowserSession): Promise<unknown> {
  return requestJson('DELETE', '/v1/session', { headers: csrfHeaders(session) });
}

/** Headers for calls made with this session. */
export function csrfHeaders({ csrf_token }: BrowserSession): Record<string, string> {
  return { 'x-csrf-token': csrf_token };
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a Blob as it is. */
  readonly body?: object;
}

/** Calls this server with the cookie and returns the parsed JSON body. Rejects with CitewireError. */
export async function requestJson<Answer>(
  method: string,
  path: string,
  { headers, body }: RequestOptions = {},
): Promise<Answer> {
  const isBytes = body instanceof Blob;
  const type = body === undefined ? {} : { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' };
  const sent = body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) };
  const response = await fetch(path, { method, headers: { ...headers, ...type }, ...sent }).catch((cause) => {
    throw new CitewireError('connection_failed', 'Could not reach the server.', { retryable: true, cause });
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const { code = 'bad_answer', message = `The server answered ${response.status}.`, ...details } = answer.error ?? {};
  throw new CitewireError(code, message, { ...details, status: response.status });
}
