/**
 * Fetches one page for a reader who trusts neither the address nor the server behind it. Redirects are followed here,
 * one by one, so that each hop passes the same gate: the guard's addresses, the request's source rules and whatever else
 * the caller asks of a hop (robots.txt). Bounded in every direction: connect, headers and the whole in time, headers and
 * decoded body in bytes. Nothing is retried; a failure is a PageError, or the caller's own abort reason.
 */
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { allows, everySource, type SourceRules } from '../../../protocol/source-rules.ts';
import { PageError } from '../page-error.ts';
import { acceptedCodings, readBody, tooLarge } from './body.ts';
import { createGuard } from './guard.ts';

/** The name that robots.txt rules call this server by, in lower case. */
export const productName = 'citewire';
export const userAgent = 'Citewire/0.1 (+https://github.com/citewire/citewire)';

export interface FetcherOptions {
  /** See GuardOptions: the operator's way to open a private host or another port. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly lookup?: LookupFunction | undefined;
  readonly connectMs?: number | undefined;
  readonly headersMs?: number | undefined;
  readonly totalMs?: number | undefined;
}

export interface FetchRequest {
  readonly url: string;
  readonly rules?: SourceRules | undefined;
  /** Asked before each hop is opened; throws to refuse it. */
  readonly admit?: ((url: URL, signal: AbortSignal) => Promise<void>) | undefined;
  /** Headers to send to this hop, such as validators for the page that a former visit ended at. */
  readonly headers?: ((url: URL) => Record<string, string>) | undefined;
  /** Decoded bytes at most, by the type the server names; the default is `maxBytesOf`. */
  readonly maxBytes?: number | undefined;
  readonly over?: 'fail' | 'cut' | undefined;
  readonly totalMs?: number | undefined;
}

export interface FetchedPage {
  /** Where the last redirect ended. */
  readonly url: string;
  /** Every URL that was opened, the last one included. */
  readonly hops: readonly string[];
  /** 200 to 299, or 304 for a request with validators. */
  readonly status: number;
  /** As sent; empty when it was not. */
  readonly content_type: string;
  readonly etag: string | undefined;
  readonly last_modified: string | undefined;
  readonly body: Buffer;
}

export interface Fetcher {
  fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchedPage>;
  close(): Promise<void>;
}

const maxRedirects = 5;
const megabyte = 1024 * 1024;

/** A fetcher with its own connections. `fetch` rejects with a PageError, or the signal's reason. */
export function createFetcher(options: FetcherOptions = {}): Fetcher {
  const guard = createGuard(options);
  const headersMs = options.headersMs ?? 10_000;
  const agent = new Agent({
    connect: guard.connect,
    connections: 6,
    headersTimeout: headersMs,
    bodyTimeout: headersMs,
    maxHeaderSize: 32 * 1024,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
  });

  async function follow(request: FetchRequest, signal: AbortSignal): Promise<FetchedPage> {
    const hops: string[] = [];
    let next = request.url;
    while (hops.length <= maxRedirects) {
      const url = guard.check(next);
      url.hash = '';
      if (!allows(request.rules ?? everySource, url.href)) throw sourceDenied(url);
      await request.admit?.(url, signal);
      signal.throwIfAborted();
      hops.push(url.href);
      const answer = await open(url, request, signal);
      const location = redirectTarget(answer);
      if (location === undefined) return await accept(answer, { url, hops, request }, signal);
      answer.body.destroy();
      next = URL.canParse(location, url.href) ? new URL(location, url.href).href : location;
    }
    throw new PageError('too_many_redirects', `The page redirects more than ${maxRedirects} times.`);
  }

  async function open(url: URL, request: FetchRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const answer = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      signal,
      headers: {
        'user-agent': userAgent,
        accept: 'text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,application/pdf;q=0.9,*/*;q=0.5',
        'accept-language': 'en;q=0.9,*;q=0.5',
        'accept-encoding': acceptedCodings,
        ...request.headers?.(url),
      },
    });
    // A body that is given up on fails once more, with nobody left to hear it.
    answer.body.on('error', () => {});
    return answer;
  }

  return {
    async fetch(request, signal) {
      const totalMs = request.totalMs ?? options.totalMs ?? 30_000;
      const overall = new AbortController();
      const timer = setTimeout(() => overall.abort(timedOut()), totalMs);
      const either = AbortSignal.any([signal, overall.signal]);
      try {
        return await follow(request, either);
      } catch (error) {
        signal.throwIfAborted();
        throw toPageError(overall.signal.aborted ? overall.signal.reason : error);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Max. decoded bytes by Content-Type: a PDF carries its images and fonts, everything else is text. Set by hand. */
export function maxBytesOf(contentType: string): number {
  return /^application\/(pdf|octet-stream)\b/i.test(contentType) ? 20 * megabyte : 5 * megabyte;
}

function redirectTarget(answer: Dispatcher.ResponseData): string | undefined {
  if (![301, 302, 303, 307, 308].includes(answer.statusCode)) return undefined;
  return headerOf(answer, 'location');
}

async function accept(
  answer: Dispatcher.ResponseData,
  at: { url: URL; hops: string[]; request: FetchRequest },
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { url, hops, request } = at;
  const revalidated = answer.statusCode === 304 && request.headers !== undefined;
  try {
    if (!revalidated && (answer.statusCode < 200 || answer.statusCode > 299)) throw httpStatus(answer.statusCode);
    const contentType = headerOf(answer, 'content-type') ?? '';
    const maxBytes = request.maxBytes ?? maxBytesOf(contentType);
    const over = request.over ?? 'fail';
    if (over === 'fail' && Number(headerOf(answer, 'content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
    return {
      url: url.href,
      hops,
      status: answer.statusCode,
      content_type: contentType,
      etag: headerOf(answer, 'etag'),
      last_modified: headerOf(answer, 'last-modified'),
      body: await readBody(answer.body, { encoding: headerOf(answer, 'content-encoding'), maxBytes, over }, signal),
    };
  } finally {
    answer.body.destroy();
  }
}

function headerOf(answer: Dispatcher.ResponseData, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function httpStatus(status: number): PageError {
  return new PageError('http_status', `The page's server answered ${status}.`, { status });
}

function sourceDenied(url: URL): PageError {
  return new PageError('source_denied', `The source lists of this request leave out ${url.hostname.slice(0, 100)}.`);
}

function timedOut(): PageError {
  return new PageError('timeout', 'The page did not come in time.');
}

/** What a library threw, as one of this folder's own failures. */
function toPageError(error: unknown): PageError {
  if (error instanceof PageError) return error;
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$|^ETIMEDOUT$/.test(code)) return timedOut();
  if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EBADNAME)/.test(code)) {
    return new PageError('dns_error', 'The name of the host could not be resolved.', { cause: error });
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new PageError('too_large', 'The headers of the answer are too large.', { cause: error });
  }
  return new PageError('unreachable', 'The connection to the page failed.', { cause: error });
}
