/** A browser's session without a browser: signs in to a real app by a link and sends requests as one of its pages would. */
import { developmentAccount } from '../../../src/access/accounts.ts';
import type { TestApp } from '../start-app.ts';

export interface BrowserSession {
  /** `name=value`, as the browser would send it back. */
  readonly cookie: string;
  /** The whole `Set-Cookie`. */
  readonly setCookie: string;
  readonly csrf: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** The secret part of a new sign-in link. */
export async function newLink(app: TestApp, accountId = developmentAccount): Promise<string> {
  return new URL(await app.signInLink(accountId)).hash.slice(1);
}

/** POST /v1/session as a page of the app does it. */
export function sendLink(
  app: Pick<TestApp, 'url'>,
  link: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return sendSignIn(app, { link }, headers);
}

/** The same with any body. */
export function sendSignIn(
  app: Pick<TestApp, 'url'>,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${app.url}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...fromPageOf(app), ...headers },
    body: JSON.stringify(body),
  });
}

/** Signs in by a new link. Throws unless that is answered with 200. */
export async function signIn(app: TestApp, accountId = developmentAccount): Promise<BrowserSession> {
  return signInBy(app, await newLink(app, accountId));
}

/** The same by a link that is there already; `link` is its secret part. */
export async function signInBy(app: Pick<TestApp, 'url'>, link: string): Promise<BrowserSession> {
  return sessionOf(app, await sendLink(app, link));
}

/** Signs in with a key. Throws unless that is answered with 200. */
export async function signInWithKey(app: Pick<TestApp, 'url'>, api_key: string): Promise<BrowserSession> {
  return sessionOf(app, await sendSignIn(app, { api_key }));
}

async function sessionOf(app: Pick<TestApp, 'url'>, response: Response): Promise<BrowserSession> {
  if (response.status !== 200) throw new Error(`expected 200; got ${response.status}: ${await response.text()}`);
  const setCookie = response.headers.get('set-cookie')!;
  const cookie = setCookie.split(';')[0]!;
  const { csrf_token: csrf } = (await response.json()) as { csrf_token: string };
  return {
    cookie,
    setCookie,
    csrf,
    call: (method, path, body, headers = {}) =>
      fetch(app.url + path, {
        method,
        headers: {
          cookie,
          ...fromPageOf(app),
          ...(method === 'GET' ? {} : { 'x-csrf-token': csrf }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

/** The headers that a browser adds to a request from a page of this server. */
export function fromPageOf(app: Pick<TestApp, 'url'>): Record<string, string> {
  return { origin: app.url, 'sec-fetch-site': 'same-origin' };
}
