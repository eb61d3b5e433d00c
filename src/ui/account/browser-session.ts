/**
 * The session of this browser. It lives in a cookie that scripts cannot read, so only the server can say whose it is. Calls
 * that change something carry the session's CSRF token, which pages of other sites do not know. A key or link is sent once, for
 * a session, and then forgotten: nothing on the page or in the browser's storage could give it away later.
 */
import type { BrowserSession, ErrorObject, SignInRequest } from '../../../protocol/index.ts';
import { CitewireError } from '../../client/client.ts';
import { leaveForAccount } from './other-account.ts';

/** What this page knows about the session; undefined while nobody is signed in. */
let current: BrowserSession | undefined;
/** What the tabs of this browser tell each other: that nobody is signed in any more, or who is. */
type Told = 'signed out' | { readonly account: string; readonly key: string | undefined };
let tabs: BroadcastChannel | undefined;
let isSignedOutElsewhere = false;
let listening: SessionListener = { renewed() {}, ended() {} };

/** Undefined when this browser is not signed in. Rejects with CitewireError when the server cannot be reached. */
export async function readSession(): Promise<BrowserSession | undefined> {
  if (tabs === undefined) {
    tabs = new BroadcastChannel('citewire.session');
    tabs.onmessage = ({ data }: MessageEvent<Told>) => void hear(data);
  }
  current = await askSession();
  tell(current);
  return current;
}

/** What other tabs do to the session of this page. */
export interface SessionListener {
  /** Another session of the same account, such as one of another key, has taken its place. */
  renewed(session: BrowserSession): void;
  /** It was ended there. */
  ended(): void;
}

export function followSession(listener: SessionListener): void {
  listening = listener;
}

async function hear(told: Told): Promise<void> {
  if (told === 'signed out') {
    isSignedOutElsewhere = true;
    if (current !== undefined) listening.ended();
    return;
  }
  const wasEnded = isSignedOutElsewhere;
  isSignedOutElsewhere = false;
  if (current === undefined || (isOf(current, told) && !wasEnded)) return;
  const now = await askSession().catch(() => undefined);
  if (now !== undefined) replaceCurrent(now);
}

function tell(session: BrowserSession | undefined): void {
  if (session !== undefined)
    tabs?.postMessage({ account: session.account.id, key: session.key?.key_id } satisfies Told);
}

function isOf({ account, key }: BrowserSession, told: Exclude<Told, string>): boolean {
  return account.id === told.account && key?.key_id === told.key;
}

/** Goes on with the session that this browser has by now. What a page shows belongs to its account. */
function replaceCurrent(now: BrowserSession): void {
  if (current === undefined) return;
  if (current.account.id !== now.account.id) return leaveForAccount(now.account);
  current = now;
  listening.renewed(now);
}

/** Whether another tab has ended the session of this page. */
export function wasSignedOutElsewhere(): boolean {
  return isSignedOutElsewhere;
}

/**
 * Signs in with a key, a sign-in link or the secret part of one. Rejects with CitewireError; `unauthorized` says that it is not
 * valid.
 */
export async function beginSession(secret: string): Promise<BrowserSession> {
  const link = secretOfLink(secret);
  const body: SignInRequest = link === undefined ? { api_key: secret.trim() } : { link };
  current = await requestJson<BrowserSession>('POST', '/v1/session', { body });
  isSignedOutElsewhere = false;
  tell(current);
  return current;
}

/** A session that the server no longer knows has ended, too. */
export async function endSession(): Promise<void> {
  await requestJson('DELETE', '/v1/session').catch((error: CitewireError) => {
    if (error.code !== 'unauthorized') throw error;
  });
  current = undefined;
  tabs?.postMessage('signed out' satisfies Told);
}

/** The secret part of a sign-in link, or of its fragment; undefined for any other text, such as a key. */
export function secretOfLink(text: string): string | undefined {
  return /(?:^|#)([\w-]{43})$/.exec(text.trim())?.[1];
}

/** Whose account the calls of this page are made for. */
export function accountOfSession(): string | undefined {
  return current?.account.id;
}

/** Headers for calls made with this session. */
export function csrfHeaders(): Record<string, string> {
  return current === undefined ? {} : { 'x-csrf-token': current.csrf_token };
}

/** `fetch` with this session. */
export async function pageFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const send = () => fetch(input, { ...init, headers: { ...(init.headers as object), ...csrfHeaders() } });
  return (init.method ?? 'GET') === 'GET' ? send() : sendRenewed(send);
}

/**
 * Makes a call that changes something. If another tab has signed in to the same account again, it is repeated with that session:
 * the cookie is the new one already. If that is another account, the page is left. `send` reads `csrfHeaders` each time.
 */
export async function sendRenewed<Answer extends { readonly status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  const before = current;
  const answer = await send();
  if (answer.status !== 403 || before === undefined) return answer;
  const now = await askSession().catch(() => undefined);
  if (now === undefined || now.csrf_token === before.csrf_token) return answer;
  replaceCurrent(now);
  // Meanwhile the page itself may have signed in as another.
  return current === now && now.account.id === before.account.id ? send() : answer;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a Blob as it is. */
  readonly body?: object;
  /** Fires when the answer is no longer wanted. */
  readonly signal?: AbortSignal;
}

/** Calls this server with the session and returns the parsed JSON body. Rejects with CitewireError. */
export async function requestJson<Answer>(
  method: string,
  path: string,
  { headers, body, signal }: RequestOptions = {},
): Promise<Answer> {
  const isBytes = body instanceof Blob;
  const type = body === undefined ? {} : { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' };
  const sent = body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) };
  const init = { method, headers: { ...headers, ...type }, ...sent, ...(signal === undefined ? {} : { signal }) };
  const response = await pageFetch(path, init).catch((cause) => {
    throw unreachable(cause);
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw refusalOf(response.status, answer);
}

/** Why a call was refused; `body` is what was answered, null if that is not JSON. */
export function refusalOf(status: number, body: { readonly error?: ErrorObject } | null): CitewireError {
  const { code = 'bad_answer', message = `The server answered ${status}.`, ...details } = body?.error ?? {};
  return new CitewireError(code, message, { ...details, status });
}

export function unreachable(cause?: unknown): CitewireError {
  return new CitewireError('connection_failed', 'Could not reach the server.', { retryable: true, cause });
}

function askSession(): Promise<BrowserSession | undefined> {
  return requestJson<BrowserSession>('GET', '/v1/session').catch((error: CitewireError) => {
    if (error.status !== 401) throw error;
    return undefined;
  });
}
