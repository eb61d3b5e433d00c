/** A page as the page cache holds it. */
import { snapshotId } from '../../src/base/snapshot-id.ts';
import type { CachedPage } from '../../src/web/page-cache.ts';

const fetched_at = '2026-01-02T03:04:05.678Z';

export function cachedPage(url: string, text: string, change: Partial<CachedPage> = {}): CachedPage {
  const snapshot = { id: snapshotId(url, text), url, title: `About ${url}`, text };
  const info = {
    final_url: url,
    status: 200,
    content_type: 'text/html',
    title: snapshot.title,
    words: text.split(' ').length,
    hash: 'f'.repeat(64),
    fetched_at,
    from_cache: false,
    extractor: 'html',
    truncated: false,
    links: [{ url: `${url}#more`, text: 'more' }],
    warnings: [],
  };
  return { page: { snapshot, info }, hops: [url], extractor_version: '1', ...change };
}
