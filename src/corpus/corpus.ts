/**
 * The server's own pages: those that were indexed, with full-text search, and those that were read from the web. They are in a
 * SQLite file, which other processes of this machine may use at the same time, or in a Postgres that any machine may use. The
 * Corpus port of the engine is its reading part.
 */

import { untilAborted } from '../base/abort.ts';
import type { Corpus, Outline } from '../engine/ports/corpus.ts';
import type { Snapshot } from '../engine/ports/snapshot.ts';
import type { SourceLimits, StoredSource } from '../sources/source-index.ts';
import type { CorpusBackend } from './backend.ts';
import { aboutOf, followSource } from './ingest/follow-source.ts';
import type { IndexOptions } from './ingest/index-page.ts';
import { type IndexSource, sourceName } from './ingest/index-source.ts';
import { ingest } from './ingest/ingest.ts';
import type { IndexProgress } from './ingest/tally.ts';
import { sweep } from './ingest/yield-default-docs.ts';
import { createInitialIndexingTracker } from './initial-indexing.ts';
import { countLeftBehind, type LeftBehind } from './left-behind.ts';
import { type CorpusPageCache, createCorpusPageCache } from './page-cache/page-cache.ts';
import type { IndexedSource, IndexStats } from './search/read-index.ts';
import { searchWords } from './search/search-words.ts';
import { openSqliteBackend, type SqliteOptions } from './sqlite/sqlite-backend.ts';
import { createVectorFiller, type VectorFiller } from './vectors/fill-vectors.ts';
import { type HybridParts, searchHybrid } from './vectors/hybrid-search.ts';

export interface CorpusOptions extends SqliteOptions, HybridParts {
  /** `postgres://…`: the corpus is there instead of in the file, which is then not opened. */
  readonly databaseUrl?: string | undefined;
  /** Notified when the passages cannot be given vectors at present. */
  readonly onVectorTrouble?: ((error: Error) => void) | undefined;
}

/** A file that is uploaded. */
export interface FileSource {
  readonly kind: 'file';
  readonly key: string;
  readonly name: string;
  readonly content: Uint8Array;
}

export interface OpenCorpus extends Corpus {
  /**
   * Brings a source into the index, or up to date. Rejects with the signal's reason, with a CorpusError when the index
   * fails, or when the source itself cannot be read; failures within it are in `failed`.
   */
  index(source: IndexSource, options?: IndexOptions): Promise<IndexProgress>;
  /**
   * Keeps a page as it was read, without making it searchable, for 40 minutes or longer: until space is needed and no ended
   * search cites it. Returns its id; keeping it again changes nothing.
   */
  putSnapshot(snapshot: Omit<Snapshot, 'id'> & { readonly fetched_at?: string }): Promise<string>;
  /** The page cache of the web reader. */
  readonly pageCache: CorpusPageCache;
  /** Keeps the snapshots with these ids for as long as the ended search is kept; calling it again adds to them. */
  pin(search_id: string, snapshots: readonly string[], ended_at: string): Promise<void>;
  /** Removes the pins of an ended search that was deleted. */
  unpin(search_id: string): Promise<void>;
  /**
   * Removes up to `limit` pins of searches that ended before `ended_at`, oldest first, and up to 100 snapshots that nothing needs;
   * resolves with whether any of either may be left.
   */
  unpinBefore(ended_at: string, limit: number): Promise<boolean>;
  stats(): Promise<IndexStats>;
  /** The sources in the index, with the number of pages of each. */
  sources(): Promise<readonly IndexedSource[]>;
  /** Adds a source, which `index` then reads, unless it is known; within the limits of its owner. */
  addSource(
    source: IndexSource | FileSource,
    owner: string,
    limits?: SourceLimits,
  ): Promise<'added' | 'known' | 'too_many' | 'too_large'>;
  /** The sources of the owner and of everybody, or all sources, oldest first. */
  storedSources(owner?: string): Promise<readonly StoredSource[]>;
  /**
   * Has a source wait that no process has worked on since `touched_at`; resolves with false if one has, or it is gone: of several
   * processes that try, one does.
   */
  takeSource(source: string, touched_at: number): Promise<boolean>;
  /** Notes that this process still has these sources. */
  keepSources(sources: readonly string[]): Promise<void>;
  /** Whether pages of this account are in the index: they hide the documentation of packages from it. */
  ownsPages(owner: string): Promise<boolean>;
  /** A sample of what everybody may read, and of the owner's own pages, to make questions from. */
  outline(owner: string): Promise<Outline>;
  /**
   * Removes the pages of a source, named as in `sources`, from the index; returns how many. Pages that another source also has
   * are kept.
   */
  forget(source: string): Promise<number>;
  /** What an index file has and this corpus lacks. Rejects when the file cannot be opened, and with the signal's reason. */
  leftBehind(file: string, signal: AbortSignal): Promise<LeftBehind>;
  /** The vectors of the passages, if the corpus was opened with an embedder; once started, they are filled in the background. */
  readonly vectors: VectorFiller | undefined;
  /** Stops indexing (its promise rejects) and releases the file. */
  close(): Promise<void>;
}

/**
 * Opens the corpus and starts its threads. Rejects with a CorpusError when a file is damaged, newer than this program, or cannot
 * be opened, with a ConfigError when its folder cannot be created, and with one sentence when Postgres cannot be used.
 */
export async function openCorpus({ databaseUrl, ...options }: CorpusOptions): Promise<OpenCorpus> {
  if (databaseUrl === undefined) return createCorpus(await openSqliteBackend(options), options);
  const { openPostgresBackend } = await import('./postgres/postgres-backend.ts');
  return createCorpus(await openPostgresBackend(databaseUrl, options), options);
}

function createCorpus(
  { batch, read, readFor, write, closed, close }: CorpusBackend,
  { embedder, reranker, otherWords, onVectorTrouble }: Omit<CorpusOptions, 'databaseUrl'>,
): OpenCorpus {
  const vectors = embedder && createVectorFiller({ embedder, onTrouble: onVectorTrouble }, read, write, closed);
  const isHybrid = embedder !== undefined || reranker !== undefined;
  const indexing = createInitialIndexingTracker();
  return {
    search: (query, signal, meter) =>
      isHybrid
        ? searchHybrid({ embedder, reranker, otherWords, questions: vectors }, readFor(signal), query, signal, meter)
        : searchWords(readFor(signal), query, signal, otherWords),
    vectors,
    rank: (query, signal) => untilAborted(readFor(signal)('rank', query), signal),
    snapshot: (id, signal) => untilAborted(read('snapshot', id), signal),
    pages: (reach, max, signal) => untilAborted(read('pages', reach, max), signal),
    hasPage: (url, sources) => read('hasPage', url, sources),
    pageAt: (url, reach) => read('pageAt', url, reach),
    putSnapshot: ({ fetched_at = new Date().toISOString(), ...snapshot }) => write('putSnapshot', snapshot, fetched_at),
    pageCache: createCorpusPageCache(read, write),
    pin: (search_id, snapshots, ended_at) => write('pin', search_id, snapshots, ended_at),
    unpin: (search_id) => write('unpin', search_id),
    unpinBefore: (ended_at, limit) => write('unpinBefore', ended_at, limit),
    stats: () => read('stats'),
    sources: () => read('sources'),
    ownsPages: (owner) => read('ownsPages', owner),
    outline: (owner) => read('outline', owner),
    initialIndexing: indexing.current,
    async forget(source) {
      await write('dropSource', source);
      const pages = await sweep(source, [], write, closed);
      await write('forgetAddress', source);
      return pages;
    },
    addSource(source, owner, limits) {
      const { content, ...named } = 'content' in source ? source : { ...source, content: undefined };
      return write('addSource', sourceName(named, owner), aboutOf(named), content, limits);
    },
    storedSources: (owner) => read('storedSources', owner),
    takeSource: (source, touched_at) => write('takeSource', source, touched_at),
    keepSources: (sources) => write('keepSources', sources),
    leftBehind: (file, signal) => countLeftBehind(file, read, AbortSignal.any([signal, closed])),
    index(source, { signal, fills = false, wasAdded, onProgress = () => {}, ...rest } = {}) {
      const either = signal === undefined ? closed : AbortSignal.any([signal, closed]);
      const run = (report: (progress: IndexProgress) => void) =>
        followSource(
          source,
          {
            owner: rest.owner,
            signal: either,
            wasAdded,
            ingest: (note, until) =>
              ingest(
                source,
                {
                  ...rest,
                  signal: until,
                  onProgress(progress) {
                    note(progress);
                    report(progress);
                    onProgress(progress);
                  },
                },
                write,
                batch,
              ),
          },
          write,
        );
      const indexed = fills
        ? indexing.follow((report) => run(({ done, total }) => report(done, total)))
        : run(() => {});
      return vectors === undefined ? indexed : indexed.finally(vectors.wake);
    },
    close:
      vectors === undefined
        ? close
        : async () => {
            await vectors.stop();
            await close();
          },
  };
}
