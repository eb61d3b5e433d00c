/**
 * The pages that people look at, served beside the API by the same process. A page is asked for again each time and
 * answered with 304 when it is the one the browser has; what it loads has its hash in its name and is kept for good.
 * Nothing outside of this origin is loaded, no script stands in a page, and no text becomes HTML unsanitised: the policy
 * below makes the browser see to it.
 */
import type { Headers } from '../transport/exchange.ts';
import { defaultHeaders } from '../transport/http/context.ts';
import type { Pages } from '../transport/http/http.ts';
import { type Coding, codings, type StaticFile, type StaticFiles } from './static-file.ts';

/** Each page by its path. A key stands for the entry in src/ui that it shows. */
export const pages = { '/': 'chat', '/dashboard': 'dashboard' } as const;
/** Paths below it are the same page: it reads them itself. */
const deepPage = '/dashboard';
export const assetsPath = '/assets/';

/** `load` is asked at each request for a page. */
export function createStatic(load: () => Promise<StaticFiles>): Pages {
  return {
    owns: (method, path) =>
      (method === 'GET' || method === 'HEAD') &&
      (Object.hasOwn(pages, path) || isWithin(path) || path.startsWith(assetsPath)),
    async answer(ctx) {
      const { path, headers } = ctx.request;
      const file = (await load()).get(isWithin(path) ? deepPage : path);
      if (file === undefined) return false;
      const coding = chooseCoding(headers.get('accept-encoding') ?? '', file);
      // The same file in another coding is another representation (RFC 9110, 8.8.3.3).
      const etag = coding === 'identity' ? `"${file.hash}"` : `"${file.hash}-${coding}"`;
      const all = { ...defaultHeaders, ...(file.isPage ? pageHeaders : assetHeaders), etag };
      if (isKnown(headers.get('if-none-match'), etag)) ctx.send(304, all, '');
      else {
        const encoded = coding === 'identity' ? {} : { 'content-encoding': coding };
        ctx.send(200, { ...all, ...encoded, 'content-type': file.type }, file.bodies[coding] ?? file.bodies.identity);
      }
      return true;
    },
  };
}

function isWithin(path: string): boolean {
  return path.startsWith(`${deepPage}/`);
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

const ofBoth: Headers = { vary: 'accept-encoding, origin', 'cross-origin-resource-policy': 'same-origin' };

const pageHeaders: Headers = {
  ...ofBoth,
  'cache-control': 'no-cache',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  // A link to a search is nobody else's business.
  'referrer-policy': 'no-referrer',
};

const assetHeaders: Headers = { ...ofBoth, 'cache-control': 'public, max-age=31536000, immutable' };

/** The best that is there and accepted; `;q=0` refuses. */
function chooseCoding(accepted: string, { bodies }: StaticFile): Coding {
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .map((entry) => entry.split(';'))
      .filter(([, quality = '']) => !/^\s*q=0(\.0*)?\s*$/.test(quality))
      .map(([name = '']) => name.trim()),
  );
  return codings.find((coding) => taken.has(coding) && bodies[coding] !== undefined) ?? 'identity';
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

/** The name on disk of the file at a path: `chat.html` for `/`, an asset's own name for the rest. */
export function fileName(path: string): string {
  const page = (pages as Record<string, string>)[path];
  return page === undefined ? path.slice(assetsPath.length) : `${page}.html`;
}
