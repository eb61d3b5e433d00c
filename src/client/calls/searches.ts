/** The calls for searches that were started before: their records, ratings and follow-ups. client.ts starts and reads them. */
import type {
  FeedbackGiven,
  FeedbackList,
  FeedbackRequest,
  FollowUps,
  SearchList,
  SearchListQuery,
  SearchRecord,
  SearchRemoved,
} from '../../../protocol/index.ts';
import type { Http } from '../http.ts';
import { type CallOptions, type PageOptions, queryOf } from './call-options.ts';

/** Selects searches that have ended; `q` is words of the prompt. */
export type SearchFilter = Partial<Omit<SearchListQuery, 'cursor' | 'limit'>>;

export interface SearchCalls {
  getSearch(search_id: string, options?: CallOptions): Promise<SearchRecord>;
  /** Removes a search for good; one that is running is cancelled first. */
  removeSearch(search_id: string, options?: CallOptions): Promise<SearchRemoved>;
  /** Newest first; `cursor` is that of the previous page. */
  listSearches(options?: PageOptions & SearchFilter): Promise<SearchList>;
  /** Questions to ask after a search, which the pages that it cites answer. */
  followUps(search_id: string, options?: CallOptions): Promise<FollowUps>;
  /** Rates the answer of an ended search, or one of its citations; `none` takes a rating back. */
  rate(search_id: string, feedback: FeedbackRequest, options?: CallOptions): Promise<FeedbackGiven>;
  /** The ratings of the account with what was rated, newest first; `search_id` selects those of one search. */
  listFeedback(options?: PageOptions & { readonly search_id?: string | undefined }): Promise<FeedbackList>;
}

/** Every call rejects with CitewireError, or with the signal's reason once that fires. */
export function createSearchCalls(http: Http): SearchCalls {
  return {
    getSearch: (search_id, { signal } = {}) => http.json({ method: 'GET', path: searchPath(search_id), signal }),
    removeSearch: (search_id, { signal } = {}) =>
      http.json({ method: 'DELETE', path: `${searchPath(search_id)}/record`, signal }),
    listSearches: ({ signal, ...page } = {}) => http.json({ method: 'GET', path: `v1/search${queryOf(page)}`, signal }),
    rate: (search_id, body, { signal } = {}) =>
      http.json({ method: 'POST', path: `${searchPath(search_id)}/feedback`, body, signal }),
    listFeedback: ({ signal, ...page } = {}) =>
      http.json({ method: 'GET', path: `v1/feedback${queryOf(page)}`, signal }),
    followUps: (search_id, { signal } = {}) =>
      http.json({ method: 'GET', path: `${searchPath(search_id)}/follow-ups`, signal }),
  };
}

/** The path of a search, relative to the base URL. */
export function searchPath(search_id: string): string {
  return `v1/search/${encodeURIComponent(search_id)}`;
}
