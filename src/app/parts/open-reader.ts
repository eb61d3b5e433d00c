/** Opens the reader of pages over the page cache of the index. */
import type { Config } from '../../base/config.ts';
import type { Log } from '../../base/log.ts';
import type { OpenCorpus } from '../../corpus/corpus.ts';
import type { PageCache } from '../../web/page-cache.ts';
import { createReader, type Reader } from '../../web/reader.ts';

/** Reads without the cache while that fails, and logs it. */
export function openReader(config: Config, corpus: OpenCorpus, log: Log): Reader {
  return createReader({
    allowHosts: config.fetchAllowHosts,
    cache: pageCacheOf(config, corpus),
    onCacheTrouble: (part, trouble) => {
      if (trouble === undefined) log.info({ part }, 'page cache is available again');
      else log.warn({ part, err: trouble }, 'page cache failed; reading pages without it');
    },
    extraction: {
      onTrouble: (trouble) => {
        if (trouble === undefined) log.info('pages are extracted again');
        else log.error({ err: trouble }, 'no process can be started that extracts pages');
      },
    },
  });
}

/** The corpus's; a process that is alone with it need not ask which pages others read. */
function pageCacheOf({ corpus: place, redisUrl }: Config, corpus: OpenCorpus): PageCache {
  const { claim: _, ...alone } = corpus.pageCache;
  return place === 'postgres' || redisUrl !== undefined ? corpus.pageCache : alone;
}
