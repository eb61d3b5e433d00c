/**
 * What an adapter of a search provider is, and what adapters share: requests under a base URL, query text with `site:`
 * operators, responses checked against a schema, and hits made of their fields.
 */
import { Parser } from 'htmlparser2';
import * as z from 'zod';
import { allows } from '../../../protocol/source-rules.ts';
import { maxQueryLength } from '../../base/values/query-length.ts';
import type { Hit, WebQuery } from '../../engine/ports/web.ts';
import { parseHitDate } from './hit-date.ts';

export interface ProviderRequest {
  readonly url: string;
  readonly init?: RequestInit;
}

export interface Pace {
  /** Min. time between the starts of two requests, ms. */
  readonly intervalMs: number;
  readonly maxWaiting: number;
}

export interface ProviderAdapter {
  readonly name: string;
  /** Undefined when this provider has no pages that the query's rules allow. */
  request(query: WebQuery): ProviderRequest | undefined;
  /** Hits, best first. Throws a ProviderError for a 2xx response that reports a failure. */
  parse(response: unknown): Hit[];
  /** For a service that names its results in a second request: that request, undefined when nothing was found. */
  follow?(response: unknown): ProviderRequest | undefined;
  /** `text` passes responses on as they are; otherwise they are parsed as JSON. */
  readonly format?: 'text';
  /** Requests do not overlap, and start at this pace. */
  readonly pace?: Pace;
  /** Max. searches in any minute that the service allows. */
  readonly perMinute?: number;
  /** A status other than 2xx with which the service says that it found nothing. */
  readonly emptyStatus?: number;
}

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly retryAfterMs: number | undefined;
  /** A limit of this server, which says nothing about the service. */
  readonly isOwnLimit: boolean;
  /** The service refused this query, which says nothing about others. */
  readonly isOfQuery: boolean;
  constructor(
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined; isOwnLimit?: boolean; isOfQuery?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs;
    this.isOwnLimit = options.isOwnLimit ?? false;
    this.isOfQuery = options.isOfQuery ?? false;
  }
}

/** Where a service with a key is. */
export interface KeyedService {
  readonly key: string;
  readonly baseUrl: string;
}

/** The URL of a path such as `v2/search` below a base URL, which may have a path of its own. */
export function endpoint(baseUrl: string, path: string): URL {
  return new URL(path, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
}

/** A POST of `body` as JSON, with further headers such as the key. */
export function jsonPost(url: URL, headers: Readonly<Record<string, string>>, body: unknown): ProviderRequest {
  const all = { 'content-type': 'application/json', accept: 'application/json', ...headers };
  return { url: url.href, init: { method: 'POST', headers: all, body: JSON.stringify(body) } };
}

/** Max. hosts in a list: Tavily takes 150 excluded ones, the others more. */
const maxHosts = 150;

/**
 * A query with `site:` operators, which most engines support, for up to eight allowed and eight excluded sites. The text is
 * shortened so that all has at most `maxQueryLength`, and `maxWords` words: without its operators, a query would find other sites.
 */
export function withSites({ text, rules }: WebQuery, maxWords = Number.POSITIVE_INFINITY): string {
  const only = rules.only.slice(0, 8).map(({ host, path }) => `site:${host}${path}`);
  const never = rules.never.slice(0, 8).map(({ host, path }) => `-site:${host}${path}`);
  const sites = only.length > 1 ? [`(${only.join(' OR ')})`] : only;
  const operators = [...sites, ...never].map((each) => ` ${each}`).join('');
  const room = Math.max(maxQueryLength - operators.length, 100);
  const words = text.slice(0, room).split(/(?<=\S)(?=\s+\S)/);
  const roomForWords = maxWords - operators.split(' ').length + 1;
  return (words.slice(0, roomForWords).join('') + operators).slice(0, maxQueryLength).toWellFormed();
}

/**
 * The hosts of a query's rules, for services that take lists of hosts. Exclusions of mere paths are left to the caller's filter.
 */
export function hostsOf({ rules }: WebQuery): { readonly only: readonly string[]; readonly never: readonly string[] } {
  return {
    only: rules.only.slice(0, maxHosts).map(({ host }) => host),
    never: rules.never
      .filter(({ path }) => path === '')
      .slice(0, maxHosts)
      .map(({ host }) => host),
  };
}

/** Whether a service whose pages are all at `hostname` has any that the rules allow. */
export function mayHold({ only, never }: WebQuery['rules'], hostname: string): boolean {
  const bare = hostname.replace(/^www\./, '');
  const isWithin = (host: string) => hostname === host || hostname.endsWith(`.${host}`) || host.endsWith(`.${bare}`);
  return (
    (only.length === 0 || only.some(({ host }) => isWithin(host))) &&
    allows({ only: [], never }, `https://${hostname}/`)
  );
}

/** Google's range of dates, `cdr:1,cd_min:1/31/2024,cd_max:…`, for the services that pass it on; undefined without dates. */
export function googleDates({ from, to }: WebQuery): string | undefined {
  const shown = (date: string) => date.slice(0, 10).split('-').map(Number);
  const day = (date: string) => `${shown(date)[1]}/${shown(date)[2]}/${shown(date)[0]}`;
  if (from === undefined && to === undefined) return undefined;
  const range = [from && `cd_min:${day(from)}`, to && `cd_max:${day(to)}`].filter((each) => each !== undefined);
  return ['cdr:1', ...range].join(',');
}

/** The response as `schema` says; throws a ProviderError for any other. */
export function answerOf<Schema extends z.ZodType>(schema: Schema, response: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(response);
  if (parsed.success) return parsed.data;
  throw new ProviderError('it answered in an unexpected format.');
}

/** A text that a row may lack. Anything else counts as absent. */
export const optionalText = z.string().optional().catch(undefined);

/** A list of which invalid rows are left out, so that an odd one does not cost the others. */
export function rowsOf<Row extends z.ZodType>(row: Row) {
  return z.array(z.unknown()).transform((rows) =>
    rows.flatMap((each) => {
      const parsed = row.safeParse(each);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

/** A hit from unvalidated fields of a response; undefined without a URL. */
export function hitOf(url: unknown, title: unknown, snippet: unknown, published?: unknown): Hit | undefined {
  if (typeof url !== 'string') return undefined;
  const date = parseHitDate(published);
  return {
    url,
    title: plainText(title),
    snippet: plainText(snippet),
    ...(date === undefined ? {} : { published_at: date }),
  };
}

function plainText(value: unknown): string {
  if (typeof value !== 'string') return '';
  return withoutReferences(value.slice(0, 10_000).replace(/<[^>]{0,200}>/g, ''))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 1_000)
    .toWellFormed();
}

/** Text with the characters that its references stand for: "Romeo &amp; Juliet". */
function withoutReferences(text: string): string {
  if (!/&[#\w]+;/.test(text)) return text;
  let decoded = '';
  const parser = new Parser({ ontext: (part) => void (decoded += part) }, { decodeEntities: true });
  // What is left of "<" is text.
  parser.end(text.replaceAll('<', '&lt;'));
  return decoded;
}
