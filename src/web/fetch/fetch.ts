/**
 * Fetches one page, trusting neither the URL nor the server. Redirects are followed here,
 * one by one, so that each hop passes the same checks: the guard, the request's source rules and the caller's `admit`
 * (robots.txt). Connecting, headers and the whole fetch are limited in time; headers and decoded body in bytes. Nothing is
 * retried; a failure is a PageError, what `take` throws, or the caller's abort reason.
 */
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { allows, everySource, type SourceRules } from '../../../protocol/source-rules.ts';
import { PageError } from '../page-error.ts';
import { acceptedCodings, readBody, tooLarge } from './body.ts';
import { createCookies } from './cookies.ts';
import { httpStatus, partial, sourceDenied, timedOut, toPageError } from './fetch-errors.ts';
import { createGuard } from './guard.ts';
import { headerOf, isWhole, redirectTarget } from './response-headers.ts';

/** The product token that robots.txt rules match (RFC 9309), in lower case. */
export const productName = 'citewire';
export const userAgent = 'Citewire/0.1 (+https://github.com/citewire/citewire)';

export interface FetcherOptions {
  /** See GuardOptions: private hosts and non-standard ports that the operator allows, and how others are resolved. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly lookup?: LookupFunction | undefined;
  readonly nameServers?: readonly string[] | undefined;
  readonly connectMs?: number | undefined;
  readonly headersMs?: number | undefined;
  readonly totalMs?: number | undefined;
}

export interface FetchRequest {
  readonly url: string;
  readonly rules?: SourceRules | undefined;
  /** Every URL that was requested before this one led here. */
  readonly hops?: readonly string[] | undefined;
  /** Called before each hop; rejects to refuse it. */
  readonly admit?: ((url: URL, signal: AbortSignal) => Promise<void>) | undefined;
  /** Additional headers for a hop, such as validators for the final URL of an earlier visit. */
  readonly headers?: ((url: URL) => Record<string, string>) | undefined;
  /** Max. decoded bytes; by default `maxBytesOf` the Content-Type. */
  readonly maxBytes?: number | undefined;
  readonly over?: 'fail' | 'cut' | undefined;
  /** Counts the decoded bytes as they arrive; throws an AppError to refuse them. */
  readonly take?: ((bytes: number) => void) | undefined;
  readonly totalMs?: number | undefined;
}

export interface FetchedPage {
  /** The final URL, after redirects. */
  readonly url: string;
  /** Every URL that was requested, including the final one. */
  readonly hops: readonly string[];
  /** 200 to 299, or 304 for a request with validators. */
  readonly status: number;
  /** The Content-Type as sent; empty without one. */
  readonly content_type: string;
  readonly etag: string | undefined;
  readonly last_modified: string | undefined;
  readonly body: Buffer;
}

export interface Fetcher {
  fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchedPage>;
  close(): Promise<void>;
}

/** Set by hand. */
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
    const hops = [...(request.hops ?? [])];
    const cookies = createCookies();
    let next = request.url;
    while (hops.length <= maxRedirects) {
      const url = guard.check(next);
      url.hash = '';
      if (!allows(request.rules ?? everySource, url.href)) throw sourceDenied(url);
      await request.admit?.(url, signal);
      signal.throwIfAborted();
      hops.push(url.href);
      const response = await open(url, { ...request.headers?.(url), ...cookies.headers(url) }, signal);
      cookies.take(url, response.headers['set-cookie']);
      const location = redirectTarget(response);
      if (location === undefined) return await accept(response, { url, hops, request }, signal);
      response.body.destroy();
      next = URL.canParse(location, url.href) ? new URL(location, url.href).href : location;
    }
    throw new PageError('too_many_redirects', `The page redirects more than ${maxRedirects} times.`);
  }

  async function open(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      signal,
      headers: {
        'user-agent': userAgent,
        accept: 'text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,application/pdf;q=0.9,*/*;q=0.5',
        'accept-language': 'en;q=0.9,*;q=0.5',
        'accept-encoding': acceptedCodings,
        ...headers,
      },
    });
    // An abandoned body emits an error that nobody else handles.
    response.body.on('error', () => {});
    return response;
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

/** Documents that carry their images, fonts and attachments: PDF, archives of office programs, RTF and mails. */
const carriesMore =
  /^(?:application\/(?:pdf|octet-stream|zip|epub\+zip|rtf|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-)[\w.-]*)|text\/rtf|message\/rfc822)(?![\w.+-])/i;

/** Max. decoded bytes by Content-Type: what carries no more than its text needs less. Set by hand. */
function maxBytesOf(contentType: string): number {
  return carriesMore.test(contentType) ? 20 * megabyte : 5 * megabyte;
}

async function accept(
  response: Dispatcher.ResponseData,
  at: { url: URL; hops: string[]; request: FetchRequest },
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { url, hops, request } = at;
  const revalidated = response.statusCode === 304 && request.headers !== undefined;
  try {
    if (!revalidated && (response.statusCode < 200 || response.statusCode > 299)) throw httpStatus(response);
    if (response.statusCode === 206 && !isWhole(headerOf(response, 'content-range'))) throw partial();
    const contentType = headerOf(response, 'content-type') ?? '';
    const maxBytes = request.maxBytes ?? maxBytesOf(contentType);
    const over = request.over ?? 'fail';
    if (over === 'fail' && Number(headerOf(response, 'content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
    return {
      url: url.href,
      hops,
      status: response.statusCode,
      content_type: contentType,
      etag: headerOf(response, 'etag'),
      last_modified: headerOf(response, 'last-modified'),
      body: await readBody(
        response.body,
        { encoding: headerOf(response, 'content-encoding'), maxBytes, over, take: request.take },
        signal,
      ),
    };
  } finally {
    response.body.destroy();
  }
}
