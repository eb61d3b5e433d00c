/** The calls for sources: what the server's index holds for the key's account, and what it uploads and adds. */
import type {
  IndexedSource,
  IndexedSourceList,
  IndexedSourceRemoved,
  IndexSourceRequest,
} from '../../../protocol/index.ts';
import type { Http } from '../http.ts';
import type { CallOptions } from './call-options.ts';
import { fileSizeError } from './request-checks.ts';

export interface SourceCalls {
  /** The sources of the account and those of everybody, oldest first. */
  list(options?: CallOptions): Promise<IndexedSourceList>;
  get(source_id: string, options?: CallOptions): Promise<IndexedSource>;
  /** Adds a page or a sitemap by its `url`, or a `folder` of the server; it is indexed in its turn. */
  add(source: IndexSourceRequest, options?: CallOptions): Promise<IndexedSource>;
  /** Uploads a file of at most 20 MB; `name` has no path. */
  upload(name: string, content: Blob | Uint8Array<ArrayBuffer>, options?: CallOptions): Promise<IndexedSource>;
  /** Indexes it again. */
  reindex(source_id: string, options?: CallOptions): Promise<IndexedSource>;
  /** Removes it with its pages. */
  remove(source_id: string, options?: CallOptions): Promise<IndexedSourceRemoved>;
}

/** Every call rejects with CitewireError, or with the signal's reason once that fires. */
export function createSourceCalls(http: Http): SourceCalls {
  const path = (source_id: string, end = '') => `v1/sources/${encodeURIComponent(source_id)}${end}`;
  return {
    list: ({ signal } = {}) => http.json({ method: 'GET', path: 'v1/sources', signal }),
    get: (source_id, { signal } = {}) => http.json({ method: 'GET', path: path(source_id), signal }),
    add: (body, { signal } = {}) => http.json({ method: 'POST', path: 'v1/sources', body, signal }),
    async upload(name, content, { signal } = {}) {
      const tooLarge = fileSizeError(content instanceof Uint8Array ? content.byteLength : content.size);
      if (tooLarge !== undefined) throw tooLarge;
      return http.json({
        method: 'POST',
        path: `v1/sources/files?name=${encodeURIComponent(name)}`,
        content,
        signal,
        once: true,
      });
    },
    reindex: (source_id, { signal } = {}) => http.json({ method: 'POST', path: path(source_id, '/index'), signal }),
    remove: (source_id, { signal } = {}) => http.json({ method: 'DELETE', path: path(source_id), signal }),
  };
}
