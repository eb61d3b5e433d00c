/**
 * Serves the web pages next to the API. Browsers revalidate a page each time and get 304 if it is current; assets have a hash
 * in their name and are cached permanently. The content security policy below makes browsers enforce that a page loads
 * nothing from other origins, has no inline scripts and turns no text into HTML.
 */

import { isKnown } from '../transport/etag.ts';
import type { Headers, RequestHead } from '../transport/exchange.ts';
import { type Context, defaultHeaders } from '../transport/http/context.ts';
import type { Pages } from '../transport/http/http.ts';
import { type Coding, codings, type StaticFile, type StaticFiles } from './static-file.ts';

/** The folder in src/ui of each page, by path. */
export const pages = {
  '/': 'chat',
  '/dashboard': 'dashboard',
  '/shared': 'shared-thread',
  '/docs/api': 'api-reference',
  '/docs': 'api-reference',
  '/not-found': 'not-found',
} as const;
/** Not a page itself: its file is shown, with 404, at every path without one. */
const notFoundPath = '/not-found';
/** The paths below it that its router knows get the same page. */
const deepPage = '/dashboard';
const pathsOfRouter =
  /^\/dashboard\/(?:(?:accounts|feedback|keys|playground|schedules|sign-in|sources|webhooks)\/?|(?:apis|designs|searches)(?:\/[^/]*)?\/?)?$/;
/** Prefix of the paths of assets. */
export const assetsPath = '/assets/';
/** The `<meta>` in which pages find how the command is called on their server. */
export const commandMeta = 'citewire-command';

/** `load` is called for each request and must cache. `answer` resolves with false when there is no such file. */
export function createStatic(load: () => Promise<StaticFiles>): Pages {
  return {
    owns: (method, path) =>
      isRead(method) && (isPage(withoutSlash(path)) || isWithin(path) || path.startsWith(assetsPath)),
    async answer(ctx) {
      const { path, query, headers } = ctx.request;
      const page = withoutSlash(path);
      if (page !== path && isPage(page) && !isWithin(path)) {
        const location = query === '' ? page : `${page}?${query}`;
        ctx.send(308, { ...defaultHeaders, ...headersOfPage(ctx.request), location }, '');
        return true;
      }
      const file = (await load()).get(isWithin(path) ? deepPage : path);
      if (file === undefined) return false;
      const encoded = await encode(file, headers.get('accept-encoding'));
      // The same file in another coding is another representation (RFC 9110, 8.8.3.3).
      const etag = encoded.coding === undefined ? `"${file.hash}"` : `"${file.hash}-${encoded.coding}"`;
      const all = { ...defaultHeaders, ...(file.isPage ? headersOfPage(ctx.request) : assetHeaders), etag };
      if (isKnown(headers.get('if-none-match'), etag)) ctx.send(304, all, '');
      else sendFile(ctx, 200, all, file, encoded);
      return true;
    },
    async answerUnknown(ctx) {
      const { headers } = ctx.request;
      if (!isOpenedInBrowser(ctx.request)) return false;
      const file = (await load()).get(notFoundPath);
      if (file === undefined) return false;
      const all = {
        ...defaultHeaders,
        ...headersOfPage(ctx.request),
        'cache-control': 'no-store',
        vary: `accept, ${pageHeaders.vary}`,
      };
      sendFile(ctx, 404, all, file, await encode(file, headers.get('accept-encoding')));
      return true;
    },
  };
}

function sendFile(ctx: Context, status: number, headers: Headers, { type }: StaticFile, encoded: Encoded): void {
  const { coding, body } = encoded;
  const contentEncoding = coding === undefined ? {} : { 'content-encoding': coding };
  ctx.send(status, { ...headers, ...contentEncoding, 'content-type': type }, body);
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function isPage(path: string): boolean {
  return path !== notFoundPath && Object.hasOwn(pages, path);
}

function isWithin(path: string): boolean {
  return pathsOfRouter.test(path);
}

function withoutSlash(path: string): string {
  return path.endsWith('/') && path !== '/' ? path.slice(0, -1) : path;
}

/**
 * Whether a person's browser opens the path as a page: programs do not ask for HTML by name. Paths for programs alone answer
 * everyone alike.
 */
function isOpenedInBrowser({ method, path, headers }: RequestHead): boolean {
  const isOfApi = /^\/(?:v1|\.well-known)(?:\/|$)/.test(path);
  return isRead(method) && !isOfApi && accepted(headers.get('accept')).has('text/html');
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const sharedHeaders = {
  vary: 'accept-encoding, origin',
  'cross-origin-resource-policy': 'same-origin',
} satisfies Headers;

const pageHeaders = {
  ...sharedHeaders,
  'cache-control': 'no-cache',
  'content-security-policy': policy,
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  // The URL may contain the id of a search.
  'referrer-policy': 'no-referrer',
} satisfies Headers;

/**
 * With plain HTTP, browsers ignore the policy for openers and report each page with it as an error. They say where a request comes
 * from, in `Sec-Fetch-Mode`, only to servers that they reach safely: by HTTPS, or on the same machine. Old ones never say it.
 */
function headersOfPage({ headers }: RequestHead): Headers {
  const isSafe = headers.has('sec-fetch-mode') || headers.get('x-forwarded-proto') === 'https';
  return { ...pageHeaders, ...(isSafe ? { 'cross-origin-opener-policy': 'same-origin' } : {}) };
}

const assetHeaders: Headers = { ...sharedHeaders, 'cache-control': 'public, max-age=31536000, immutable' };

interface Encoded {
  /** Undefined for the bytes as they are. */
  readonly coding: Coding | undefined;
  readonly body: Uint8Array;
}

/** In the best coding that the client accepts and that makes the file smaller; `;q=0` excludes one. */
async function encode(file: StaticFile, acceptEncoding: string | undefined): Promise<Encoded> {
  const taken = accepted(acceptEncoding);
  for (const coding of codings.filter((each) => taken.has(each))) {
    const body = await file.compressed(coding);
    if (body !== undefined) return { coding, body };
  }
  return { coding: undefined, body: file.bytes };
}

/** The names in an `Accept` or `Accept-Encoding` header, but those that it excludes. */
function accepted(header = ''): ReadonlySet<string> {
  return new Set(
    header
      .toLowerCase()
      .split(',')
      .map((entry) => entry.split(';'))
      .filter(([, quality = '']) => !/^\s*q=0(\.0*)?\s*$/.test(quality))
      .map(([name = '']) => name.trim()),
  );
}

/** The file name in the build for a path: `chat.html` for `/`, the asset's name for an asset. */
export function fileName(path: string): string {
  const page = (pages as Record<string, string>)[path];
  return page === undefined ? path.slice(assetsPath.length) : `${page}.html`;
}
