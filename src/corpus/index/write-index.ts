/**
 * Synchronous writes to the index for one connection. Files are read outside transactions, and each transaction is one small
 * batch, so that other writing processes only wait milliseconds.
 */
import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { ownerOfSource } from '../../base/source-names.ts';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import { CorpusError } from '../corpus-error.ts';
import { reasonOf } from '../ingest/file-reasons.ts';
import { type FileList, type FileToIndex, listFolder } from '../ingest/list-files.ts';
import { listPackages } from '../ingest/list-packages.ts';
import { type CacheBounds, createSnapshotKeeper } from '../page-cache/snapshot-keeper.ts';
import { createPageCacheWriter, type PageCacheWriter } from '../page-cache/write-page-cache.ts';
import { checkGrowth, removedSource, type SourceWriter } from '../sources/source-tables.ts';
import { createSourceSizes, createSourceWriter } from '../sources/sources-sqlite.ts';
import { createPrepare } from '../sqlite/prepare.ts';
import type { VectorWriter } from '../vectors/vector-index.ts';
import { createVectorWriter } from '../vectors/vectors-sqlite.ts';
import { assignAddress } from './folder-addresses.ts';
import { addWords, titleWords } from './passage-words.ts';
import { type Outcome, type PageToIndex, readPageFile, type UnreadFile } from './read-page-file.ts';
import { placeOf } from './source-filter.ts';
import { splitPassages } from './split-passages.ts';
import { titleKey } from './title-key.ts';

export interface IndexWriter extends PageCacheWriter, SourceWriter, VectorWriter {
  open(): void;
  /** Reads the whole file; throws a CorpusError `corrupt` at the first damage found. */
  check(): void;
  /** The files under `root`. Those of a folder have URLs below its address: `baseUrl` if given, see folder-addresses.ts. */
  list(source: string, root: string, kind: 'folder' | 'packages' | 'installed', baseUrl: string | undefined): FileList;
  /**
   * Indexes files; an HTML or PDF file that was indexed with another `extractorVersion` counts as changed. If the source has been
   * removed, stores none of them and throws a CorpusError `removed`.
   */
  indexFiles(source: string, files: readonly FileToIndex[], extractorVersion: string): (Outcome | UnreadFile)[];
  /**
   * With `check`, stores none of them and throws a CorpusError if the source has been removed (`removed`), or if they would make
   * the sources of its owner larger than `maxBytes` (`over_limit`).
   */
  indexPages(source: string, pages: readonly PageToIndex[], check?: PageCheck): Outcome[];
  /** The names of the sources that have pages, without `source`. */
  otherSources(source: string): string[];
  /** Whether the source has pages. */
  hasPages(source: string): boolean;
  /** Removes up to `maxSwept` pages of the source whose keys are not in `keys`; returns how many. */
  sweep(source: string, keys: readonly string[]): number;
  /** Sets the address of a folder that another corpus has; does nothing if another source has it here. */
  setAddress(source: string, address: string): void;
  /** Forgets the address of a folder. */
  forgetAddress(source: string): void;
  /** A step of merging the full-text index; false when there is nothing left to merge. */
  merge(): boolean;
  close(): void;
}

/** Pages of a source that are removed in one transaction; set by hand. */
const maxSwept = 100;

export interface PageCheck {
  /** For all sources of the owner together; no limit by default. */
  readonly maxBytes?: number | undefined;
}

/** The synchronous writer of the index for one connection. Its functions throw SQLite's errors or a CorpusError. */
export function createIndexWriter(database: Database, bounds: CacheBounds = {}): IndexWriter {
  const prepare = createPrepare(database);
  const keeper = createSnapshotKeeper(database, bounds);
  const sizes = createSourceSizes(prepare);

  function putPage(source: string, { key, hash, snapshot, fetched_at }: PageToIndex): Outcome {
    const place = placeOf(snapshot.url);
    if (place === undefined) return { key, was: 'failed', reason: 'its URL is neither http(s) nor file' };
    const { n } = keeper.put(snapshot, fetched_at);
    const owner = ownerOfSource(source);
    const { url, title, published_at } = snapshot;
    const old = prepare('SELECT n, snapshot FROM pages WHERE url = ? AND owner = ?').get(url, owner) as
      | { n: number; snapshot: number }
      | undefined;
    const before = prepare('SELECT page FROM entries WHERE source = ? AND key = ?').pluck().get(source, key) as
      | number
      | undefined;
    const touched = [old?.n, before].filter((each) => each !== undefined);
    const held = sizes.onPages(touched);
    if (old !== undefined) removePassages(old.n);
    const page = prepare(`INSERT INTO pages (url, snapshot, title, title_key, published_at, site, path, owner)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (url, owner) DO UPDATE SET snapshot = excluded.snapshot, title = excluded.title,
        title_key = excluded.title_key, published_at = excluded.published_at RETURNING n`)
      .pluck()
      .get(url, n, title, titleKey(title), published_at ?? null, place.site, place.path, owner) as number;
    addPassages(page, snapshot);
    keeper.keep(n);
    if (old !== undefined && old.snapshot !== n) {
      keeper.release(old.snapshot);
      // Another source may have other text at this address: it is read again when that source is indexed.
      prepare("UPDATE entries SET hash = '' WHERE page = ? AND source <> ?").run(page, source);
    }
    prepare(`INSERT INTO entries (source, key, hash, page) VALUES (?, ?, ?, ?)
      ON CONFLICT (source, key) DO UPDATE SET hash = excluded.hash, page = excluded.page`).run(source, key, hash, page);
    if (before !== undefined && before !== page) removePageUnlessUsed(before);
    sizes.change(held, sizes.onPages([...touched, page]));
    return { key, was: before === undefined ? 'added' : 'updated' };
  }

  function addPassages(page: number, { title, text }: Omit<Snapshot, 'id'>): void {
    const indexedTitle = titleWords(title);
    for (const { start, end, headings } of splitPassages(text)) {
      const passage = text.slice(start, end);
      const sql = 'INSERT INTO passages (page, start, "end", headings, text) VALUES (?, ?, ?, ?, ?)';
      const { lastInsertRowid } = prepare(sql).run(page, start, end, headings, passage);
      addWords(prepare, { n: lastInsertRowid, title: indexedTitle, headings, text: passage });
    }
  }

  function removePassages(page: number): void {
    prepare('DELETE FROM passage_words WHERE rowid IN (SELECT n FROM passages WHERE page = ?)').run(page);
    prepare('DELETE FROM passages WHERE page = ?').run(page);
  }

  function removePageUnlessUsed(page: number): void {
    if (prepare('SELECT 1 FROM entries WHERE page = ? LIMIT 1').get(page) !== undefined) return;
    removePassages(page);
    const snapshot = prepare('DELETE FROM pages WHERE n = ? RETURNING snapshot').pluck().get(page) as
      | number
      | undefined;
    if (snapshot !== undefined) keeper.discard(snapshot);
  }

  /** Deleted passages leave traces in the word statistics until they are merged away; an empty index begins without any. */
  function clearWords(): void {
    if (prepare('SELECT 1 FROM passages LIMIT 1').get() !== undefined) return;
    prepare("INSERT INTO passage_words (passage_words) VALUES ('delete-all')").run();
  }

  function knownHash(source: string, key: string): string | undefined {
    return prepare('SELECT hash FROM entries WHERE source = ? AND key = ?').pluck().get(source, key) as
      | string
      | undefined;
  }

  /** Stores the pages among `read` in one transaction; outcomes among them are returned unchanged. */
  function putPages<Settled extends { was: string }>(
    source: string,
    read: readonly (Settled | PageToIndex)[],
    check?: PageCheck,
  ) {
    const put = () => {
      if (check !== undefined && !sizes.isThere(source)) throw removedSource();
      const owner = ownerOfSource(source);
      const held = check?.maxBytes === undefined ? 0 : sizes.ofOwner(owner);
      const outcomes = read.map((page) => ('was' in page ? page : putPage(source, page)));
      if (check?.maxBytes !== undefined) checkGrowth(held, sizes.ofOwner(owner), check.maxBytes);
      return outcomes;
    };
    return read.every((page) => 'was' in page) ? (read as Settled[]) : database.transaction(put).immediate();
  }

  return {
    open: () => undefined,
    check() {
      const found = database.pragma('quick_check(1)', { simple: true });
      if (found !== 'ok') throw new CorpusError('corrupt', `The index ${database.name} is damaged (${found}).`);
    },
    ...createPageCacheWriter(database, keeper),
    ...createSourceWriter(database),
    ...createVectorWriter(database, prepare),
    list(source, root, kind, baseUrl) {
      try {
        if (kind !== 'folder') return listPackages(root);
        statSync(root);
        const assign = database.transaction(() => assignAddress(database, source, root, baseUrl));
        return listFolder(root, assign.immediate());
      } catch (error) {
        if (!isFileError(error)) throw error;
        throw new CorpusError('no_source', `${root} cannot be indexed: ${reasonOf(error)}.`);
      }
    },
    indexFiles(source, files, extractorVersion) {
      return putPages(
        source,
        files.map((file) => readPageFile(file, extractorVersion, knownHash(source, file.key))),
        {},
      );
    },
    indexPages(source, pages, check) {
      const unchanged = (page: PageToIndex) => knownHash(source, page.key) === page.hash;
      return putPages(
        source,
        pages.map((page) => (unchanged(page) ? { key: page.key, was: 'unchanged' as const } : page)),
        check,
      );
    },
    otherSources: (source) =>
      prepare('SELECT DISTINCT source FROM entries WHERE source <> ?').pluck().all(source) as string[],
    hasPages: (source) => prepare('SELECT 1 FROM entries WHERE source = ? LIMIT 1').get(source) !== undefined,
    sweep: database.transaction((source: string, keys: readonly string[]) => {
      const isGone = 'source = ? AND key NOT IN (SELECT value FROM json_each(?))';
      const gone = prepare(`SELECT key, page FROM entries WHERE ${isGone} LIMIT ${maxSwept}`).all(
        source,
        JSON.stringify(keys),
      ) as { key: string; page: number }[];
      const pages = gone.map(({ page }) => page);
      const held = sizes.onPages(pages);
      for (const { key, page } of gone) {
        prepare('DELETE FROM entries WHERE source = ? AND key = ?').run(source, key);
        removePageUnlessUsed(page);
      }
      sizes.change(held, sizes.onPages(pages));
      if (gone.length > 0) clearWords();
      return gone.length;
    }).immediate,
    setAddress(source, address) {
      prepare('INSERT INTO addresses (source, address) VALUES (?, ?) ON CONFLICT DO NOTHING').run(source, address);
    },
    forgetAddress(source) {
      prepare('DELETE FROM addresses WHERE source = ?').run(source);
    },
    merge() {
      const before = prepare('SELECT total_changes()').pluck().get() as number;
      prepare("INSERT INTO passage_words (passage_words, rank) VALUES ('merge', 200)").run();
      return (prepare('SELECT total_changes()').pluck().get() as number) - before >= 2;
    },
    close() {
      database.pragma('wal_checkpoint(PASSIVE)');
      database.close();
    },
  };
}

/** Whether a file could not be read: not an error of SQLite or of our own. */
export function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
