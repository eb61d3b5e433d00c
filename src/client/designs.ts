/** The calls around designed and published APIs; running one is a search and stands with those. */
import type {
  Design,
  DesignChange,
  DesignDeleted,
  DesignList,
  DesignRecord,
  DesignVersions,
  PublishedApi,
  PublishedList,
  VersionPublished,
} from '../../protocol/index.ts';
import type { Http } from './http.ts';

export interface PageOptions {
  readonly signal?: AbortSignal | undefined;
  readonly limit?: number | undefined;
  /** The one of the page before. */
  readonly cursor?: string | undefined;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A design to send: what the protocol fills in may be left out. */
export type DesignInput = Omit<Design, 'inputs' | 'effort' | 'examples'> &
  Partial<Pick<Design, 'inputs' | 'effort' | 'examples'>>;

/** Drafts of the key's account. */
export interface DesignCalls {
  create(design: DesignInput, options?: CallOptions): Promise<DesignRecord>;
  /** Newest first. */
  list(options?: PageOptions): Promise<DesignList>;
  get(api_id: string, options?: CallOptions): Promise<DesignRecord>;
  /** Replaces the fields that are given; null takes one away. */
  change(api_id: string, change: DesignChange, options?: CallOptions): Promise<DesignRecord>;
  delete(api_id: string, options?: CallOptions): Promise<DesignDeleted>;
  /** Runs the examples first; rejects with `validation_error` and its issues when one fails. */
  publish(api_id: string, options?: CallOptions): Promise<VersionPublished>;
  /** Newest first. */
  versions(api_id: string, options?: PageOptions): Promise<DesignVersions>;
}

/** Published APIs of all accounts. */
export interface PublishedCalls {
  /** Published last first; `query` is words that the stub, name or description hold. */
  browse(options?: PageOptions & { readonly query?: string | undefined }): Promise<PublishedList>;
  /** What it takes and gives, with a page of its versions. */
  get(api_stub: string, options?: PageOptions): Promise<PublishedApi>;
}

export function createDesignCalls(http: Http): { designs: DesignCalls; published: PublishedCalls } {
  const path = (api_id: string, end = '') => `v1/design-api/${encodeURIComponent(api_id)}${end}`;
  const once = true;
  return {
    designs: {
      create: (body, { signal } = {}) => http.json({ method: 'POST', path: 'v1/design-api', body, signal, once }),
      list: ({ signal, ...page } = {}) => http.json({ method: 'GET', path: `v1/design-api${queryOf(page)}`, signal }),
      get: (api_id, { signal } = {}) => http.json({ method: 'GET', path: path(api_id), signal }),
      change: (api_id, body, { signal } = {}) => http.json({ method: 'PATCH', path: path(api_id), body, signal }),
      delete: (api_id, { signal } = {}) => http.json({ method: 'DELETE', path: path(api_id), signal, once }),
      publish: (api_id, { signal } = {}) => http.json({ method: 'POST', path: path(api_id, '/publish'), signal, once }),
      versions: (api_id, { signal, ...page } = {}) =>
        http.json({ method: 'GET', path: path(api_id, `/versions${queryOf(page)}`), signal }),
    },
    published: {
      browse: ({ signal, query, ...page } = {}) =>
        http.json({ method: 'GET', path: `v1/published-service${queryOf({ q: query, ...page })}`, signal }),
      get: (api_stub, { signal, ...page } = {}) =>
        http.json({
          method: 'GET',
          path: `v1/published-service/${encodeURIComponent(api_stub)}${queryOf(page)}`,
          signal,
        }),
    },
  };
}

/** With its "?"; what is not given is left out. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}
