/** The calls for threads, the conversations that the key's account keeps. A search joins one by its field `thread`. */
import type {
  NewThreadShare,
  PageContents,
  SharedThread,
  Thread,
  ThreadChange,
  ThreadList,
  ThreadRemoved,
  ThreadShareRevoked,
  ThreadSummary,
} from '../../../protocol/index.ts';
import type { Http } from '../http.ts';
import { type CallOptions, type PageOptions, queryOf } from './call-options.ts';

export interface ThreadCalls {
  /** The pinned ones first, each part newest first; `query` is words that must occur in the title or a question. */
  list(options?: PageOptions & { readonly query?: string | undefined }): Promise<ThreadList>;
  get(thread_id: string, options?: CallOptions): Promise<Thread>;
  /** Renames or pins it. */
  change(thread_id: string, change: ThreadChange, options?: CallOptions): Promise<ThreadSummary>;
  /** Removes it for good, with its searches and its share link. */
  remove(thread_id: string, options?: CallOptions): Promise<ThreadRemoved>;
  /** Makes a link that shows the thread as it is now for `days`, default 7; an earlier link of it stops working. */
  share(thread_id: string, options?: CallOptions & { readonly days?: number | undefined }): Promise<NewThreadShare>;
  unshare(thread_id: string, options?: CallOptions): Promise<ThreadShareRevoked>;
}

/** Reads what a share link shows. It needs no key; `token` is the part of the link after its `#`. */
export interface SharedCalls {
  get(token: string, options?: CallOptions): Promise<SharedThread>;
  /** The text that the offsets of its citations refer to. */
  snapshot(token: string, id: string, options?: CallOptions): Promise<PageContents>;
}

/** Every call rejects with CitewireError, or with the signal's reason once that fires. */
export function createThreadCalls(http: Http): { threads: ThreadCalls; shared: SharedCalls } {
  const path = (thread_id: string, end = '') => `v1/threads/${encodeURIComponent(thread_id)}${end}`;
  const headers = (token: string) => ({ 'x-share-token': token });
  return {
    threads: {
      list: ({ signal, query, ...page } = {}) =>
        http.json({ method: 'GET', path: `v1/threads${queryOf({ q: query, ...page })}`, signal }),
      get: (thread_id, { signal } = {}) => http.json({ method: 'GET', path: path(thread_id), signal }),
      change: (thread_id, body, { signal } = {}) => http.json({ method: 'PATCH', path: path(thread_id), body, signal }),
      remove: (thread_id, { signal } = {}) => http.json({ method: 'DELETE', path: path(thread_id), signal }),
      share: (thread_id, { signal, days } = {}) =>
        http.json({ method: 'POST', path: path(thread_id, '/share'), body: { days }, signal, once: true }),
      unshare: (thread_id, { signal } = {}) => http.json({ method: 'DELETE', path: path(thread_id, '/share'), signal }),
    },
    shared: {
      get: (token, { signal } = {}) => http.json({ method: 'GET', path: 'v1/shared', headers: headers(token), signal }),
      snapshot: (token, id, { signal } = {}) =>
        http.json({
          method: 'GET',
          path: `v1/shared/contents/${encodeURIComponent(id)}`,
          headers: headers(token),
          signal,
        }),
    },
  };
}
