/** The calls for designed and published APIs. Running one is a search: see client.ts. */
import type {
  Design,
  DesignChange,
  DesignDeleted,
  DesignList,
  DesignRecord,
  DesignVersions,
  PublishedApi,
  PublishedList,
  RestoreVersion,
  VersionListing,
  VersionPublished,
} from '../../../protocol/index.ts';
import type { Http } from '../http.ts';
import { type CallOptions, type PageOptions, queryOf } from './call-options.ts';

/** A design to send; fields that the protocol has defaults for are optional. */
export type DesignInput = Omit<Design, 'inputs' | 'effort' | 'examples'> &
  Partial<Pick<Design, 'inputs' | 'effort' | 'examples'>>;

/** Drafts of the key's account. */
export interface DesignCalls {
  create(design: DesignInput, options?: CallOptions): Promise<DesignRecord>;
  /** Newest first. */
  list(options?: PageOptions): Promise<DesignList>;
  get(api_id: string, options?: CallOptions): Promise<DesignRecord>;
  /** Replaces the given fields; null removes one, or returns to its default. */
  change(api_id: string, change: DesignChange, options?: CallOptions): Promise<DesignRecord>;
  delete(api_id: string, options?: CallOptions): Promise<DesignDeleted>;
  /** Runs the examples first; rejects with `validation_error` and its issues when one fails. */
  publish(api_id: string, options?: CallOptions): Promise<VersionPublished>;
  /** Replaces the draft with a version that was published from it; `api_stub` if that was under an earlier stub. */
  restore(api_id: string, version: RestoreVersion, options?: CallOptions): Promise<DesignRecord>;
  /** Newest first. */
  versions(api_id: string, options?: PageOptions): Promise<DesignVersions>;
}

/** Published APIs of all accounts. */
export interface PublishedCalls {
  /** Most recently published first; `query` is words that must occur in stub, name or description. */
  browse(options?: PageOptions & { readonly query?: string | undefined }): Promise<PublishedList>;
  /** Its inputs and output, with a page of its versions. */
  get(api_stub: string, options?: PageOptions): Promise<PublishedApi>;
  /**
   * Retires a version that the key's account has published, or offers it again with `retired: false`. A retired version is no
   * longer listed and does not run as the newest one; it runs by its number.
   */
  retire(
    api_stub: string,
    version: number,
    options?: CallOptions & { readonly retired?: boolean | undefined },
  ): Promise<VersionListing>;
}

/** Every call rejects with CitewireError, or with the signal's reason once that fires. */
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
      restore: (api_id, body, { signal } = {}) =>
        http.json({ method: 'POST', path: path(api_id, '/restore'), body, signal }),
      versions: (api_id, { signal, ...page } = {}) =>
        http.json({ method: 'GET', path: path(api_id, `/versions${queryOf(page)}`), signal }),
    },
    published: {
      retire: (api_stub, version, { signal, retired = true } = {}) =>
        http.json({
          method: 'PATCH',
          path: `v1/published-service/${encodeURIComponent(api_stub)}/v${version}`,
          body: { retired },
          signal,
        }),
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
