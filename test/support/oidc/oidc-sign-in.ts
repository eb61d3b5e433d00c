/** A sign-in through a provider without a browser: follows the redirects by hand and keeps the cookies. */
import type { TestApp } from '../start-app.ts';

export interface Followed {
  readonly status: number;
  /** The path and query, or the whole URL where it leads to another server. */
  readonly location: string;
  /** `name=value` of the cookie that was set. */
  readonly cookie: string | undefined;
  readonly setCookie: string | null;
}

/** Opens a URL as a browser does that follows a link, without following the redirect. */
export async function follow(app: Pick<TestApp, 'url'>, url: string, cookie?: string): Promise<Followed> {
  const headers = { 'sec-fetch-site': 'cross-site', ...(cookie === undefined ? {} : { cookie }) };
  const response = await fetch(new URL(url, app.url), { redirect: 'manual', headers });
  await response.arrayBuffer();
  const location = response.headers.get('location') ?? '';
  const setCookie = response.headers.get('set-cookie');
  const shown = location.startsWith(app.url) ? location.slice(app.url.length) : location;
  return { status: response.status, location: shown, cookie: setCookie?.split(';')[0], setCookie };
}

/** The first two steps: to the provider, and its answer. */
export async function visitProvider(app: Pick<TestApp, 'url'>, returnTo = '/designer') {
  const asked = await follow(app, `/v1/sign-in/provider?return_to=${encodeURIComponent(returnTo)}`);
  const back = await follow(app, asked.location);
  return { asked, callback: back.location, cookie: asked.cookie };
}

/** All three steps. */
export async function signInAtProvider(app: Pick<TestApp, 'url'>, returnTo?: string): Promise<Followed> {
  const { callback, cookie } = await visitProvider(app, returnTo);
  return follow(app, callback, cookie);
}

/** GET /v1/session as a page of the app. */
export async function sessionOf(app: Pick<TestApp, 'url'>, cookie: string | undefined, origin = app.url) {
  const headers = { cookie: cookie ?? '', origin, 'sec-fetch-site': 'same-origin' };
  const response = await fetch(`${app.url}/v1/session`, { headers });
  const body = (await response.json()) as { account?: { id: string; name: string; plan: string }; csrf_token?: string };
  return { status: response.status, ...body };
}
