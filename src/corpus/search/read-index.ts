/**
 * Synchronous reads of the index for one connection. FTS5's BM25 selects candidates within the source rules; they are then
 * reranked, repeated texts (copies or versions of a package) are dropped, and each page is limited to four passages.
 *
 * From an index that has no more passages than are wanted, pages that match are returned whole, or all pages where none has a
 * word of a question; passages without one come last. What a document or two say is often asked for in other words, and the
 * reader of the passages can tell.
 */

import type { Database } from 'better-sqlite3';
import { ownPackage } from '../../base/own-documentation.ts';
import { documentation } from '../../base/source-names.ts';
import type { CorpusQuery, Outline, PagesQuery } from '../../engine/ports/corpus.ts';
import type { Passage } from '../../engine/ports/snapshot.ts';
import { type CorpusExport, createExport } from '../export/export-pages.ts';
import { both, type Condition, checkPages, checkReach, listPages, listReach } from '../index/source-filter.ts';
import { titlesAsked } from '../index/title-key.ts';
import { createPageCacheReader, type PageCacheReader } from '../page-cache/read-page-cache.ts';
import type { SourceReader } from '../sources/source-tables.ts';
import { createSourceReader } from '../sources/sources-sqlite.ts';
import { createPrepare } from '../sqlite/prepare.ts';
import type { VectorReader } from '../vectors/vector-index.ts';
import { createVectorReader } from '../vectors/vectors-sqlite.ts';
import { type Candidate, chooseClose, choosePassages } from './choose-passages.ts';
import { createPassageCounter } from './count-passages.ts';
import { isPhrase, matchAny, matchWithin, selectTerms } from './fts-query.ts';
import { createFullAccessCheck } from './full-access.ts';
import { corpusSizeOf, corpusSizes, maxNarrow, maxPassages, maxRanked, maxTitled, minCandidates } from './limits.ts';
import { readOutline } from './outline.ts';
import { maxOwn } from './own-documentation.ts';
import { rankPages } from './rank-pages.ts';
import type { WeightedTerm } from './rerank.ts';
import { cacheSearches } from './search-cache.ts';

export interface IndexReader extends PageCacheReader, CorpusExport, SourceReader, VectorReader {
  search(query: CorpusQuery): Passage[];
  rank(query: PagesQuery): Passage[];
  stats(): IndexStats;
  sources(): IndexedSource[];
  outline(owner: string): Outline;
}

export interface IndexStats {
  readonly pages: number;
  readonly passages: number;
}

export interface IndexedSource {
  /** `folder:<path>`, `packages:<path>`, `installed:<path>`, `url:<url>` or `urls:<digest>`. */
  readonly source: string;
  readonly pages: number;
  /** For a folder: the URL that its pages are cited below. */
  readonly address: string | null;
}

const passageColumns = 's.id AS snapshot, g.url, g.title, p.headings, p.text, p.start, p."end", g.published_at';
const passageJoins = 'CROSS JOIN pages AS g ON g.n = p.page CROSS JOIN snapshots AS s ON s.n = g.snapshot';

/** `+ 0`, as here: a limit that is a bare parameter makes SQLite compile the statement again each time it is bound. */
const atMost = 'LIMIT ? + 0';

/** Without source rules. A third faster than FTS5's `ORDER BY rank`, with the same order. */
const rankAll = `SELECT rowid AS n, -bm25(passage_words, 2.0, 1.0, 1.0) AS bm25
  FROM passage_words WHERE passage_words MATCH ? ORDER BY bm25 DESC ${atMost}`;
/** FTS5 ranks all matches and returns them in order: fastest when most of them pass the check. */
const rankThenCheck = (check: string) => `SELECT w.rowid AS n, -w.rank AS bm25 FROM passage_words AS w
  CROSS JOIN passages AS p ON p.n = w.rowid CROSS JOIN pages AS g ON g.n = p.page
  WHERE w.passage_words MATCH ? AND w.rank MATCH 'bm25(2.0, 1.0, 1.0)' AND ${check} ORDER BY w.rank ${atMost}`;
/** BM25 ranks only the rows that pass the check: fastest when few do. */
const checkThenRank = (check: string) => `SELECT w.rowid AS n, -bm25(passage_words, 2.0, 1.0, 1.0) AS bm25
  FROM passage_words AS w CROSS JOIN passages AS p ON p.n = w.rowid CROSS JOIN pages AS g ON g.n = p.page
  WHERE w.passage_words MATCH ? AND ${check} ORDER BY bm25 DESC ${atMost}`;

/** An index of at most this many passages is counted as a whole; set by hand. */
const maxWhole = 20_000;

/** The synchronous reader of the index for one read-only connection. Its functions throw SQLite's errors. */
export function createIndexReader(database: Database): IndexReader {
  const prepare = createPrepare(database);
  const pageCache = createPageCacheReader(prepare);
  const canReadAll = createFullAccessCheck(prepare);

  const counter = createPassageCounter(database, prepare);
  let lastPassage = 0;

  /** The query's significant words with their inverse document frequency. */
  function weigh(text: string): WeightedTerm[] {
    lastPassage = counter.readLast();
    return selectTerms(text, counter.count).map((word) => {
      return { word, idf: Math.log(1 + (lastPassage + 0.5) / (counter.count(word) + 0.5)) };
    });
  }

  /**
   * In the order of BM25. Passages with the rarer terms are tried first; all are searched when those are too few, or when the
   * whitelist is small, so that no allowed source is lost because others match better.
   */
  function findCandidates(
    terms: readonly string[],
    query: CorpusQuery,
    readsAll: boolean,
    wanted: number,
  ): Candidate[] {
    const limit = Math.max(minCandidates, wanted * 2);
    const { rules } = query;
    const check = readsAll ? checkPages(rules) : both(checkPages(rules), checkReach(query));
    const any = matchAny(terms);
    const listed = narrowList(query, readsAll);
    if (listed !== undefined) {
      const sql = checkThenRank(`p.page IN (${listed.sql}) AND ${check.sql}`);
      return readCandidates(sql, [any, ...listed.values, ...check.values, limit]);
    }
    const rarer = matchWithin(terms, counter.count, maxRanked);
    const isUnrestricted = readsAll && rules.only.length === 0 && rules.never.length === 0;
    const found = readCandidates(isUnrestricted ? rankAll : rankThenCheck(check.sql), [rarer, ...check.values, limit]);
    if (found.length >= wanted || rarer === any) return found;
    return readCandidates(isUnrestricted ? rankAll : checkThenRank(check.sql), [any, ...check.values, limit]);
  }

  /** A query for the passages within reach. */
  function listReached(query: CorpusQuery, readsAll: boolean): Condition {
    if (readsAll) return { sql: 'SELECT n FROM passages', values: [] };
    const { sql, values } = listReach(query);
    return { sql: `SELECT p.n FROM (${sql}) AS r CROSS JOIN passages AS p ON p.page = r.n`, values };
  }

  /** The number of passages within reach, or at least `max` if there are as many. */
  function countReached({ sql, values }: Condition, readsAll: boolean, max: number): number {
    // SQLite counts a whole index by its pages, forty times faster than rows, and reads all of it.
    if (readsAll && lastPassage <= maxWhole) return prepare('SELECT count(*) FROM passages').pluck().get() as number;
    return prepare(`SELECT count(*) FROM (${sql} ${atMost})`)
      .pluck()
      .get(...values, max) as number;
  }

  /** All passages within reach of the pages of some candidates, or of all pages if there are none. */
  function completePages(found: readonly Candidate[], { sql, values }: Condition): Candidate[] {
    const urls = new Set(found.map(({ url }) => url));
    return readCandidates(`SELECT n, 0 AS bm25 FROM (${sql})`, values).filter(
      ({ url }) => urls.size === 0 || urls.has(url),
    );
  }

  /** A query for the pages of a small whitelist or of a small part of the index; undefined if there are many. */
  function narrowList(query: CorpusQuery, readsAll: boolean): Condition | undefined {
    const { only } = query.rules;
    const lists = [...(readsAll ? [] : [listReach(query)]), ...(only.length === 0 ? [] : [listPages(only)])];
    return lists.find(({ sql, values }) => {
      const counted = prepare(`SELECT count(*) FROM (${sql} LIMIT ${maxNarrow})`)
        .pluck()
        .get(...values) as number;
      return counted < maxNarrow;
    });
  }

  function readCandidates(found: string, values: readonly (string | number)[]): Candidate[] {
    const sql = `SELECT found.bm25, false AS titled, ${passageColumns} FROM (${found}) AS found
      CROSS JOIN passages AS p ON p.n = found.n ${passageJoins}`;
    return prepare(sql).all(...values) as Candidate[];
  }

  /** Passages of this package's own documentation, where an index has nothing but that of the installed packages. */
  function findOwn(terms: readonly string[], query: CorpusQuery): Candidate[] {
    // Most indexes have none, and looking for its words among all others would take longer.
    if (prepare('SELECT 1 FROM pages WHERE owner = ? LIMIT 1').get(documentation) === undefined) return [];
    const check = both(checkPages(query.rules), checkReach(query));
    const own = `(${matchAny(terms)}) AND title : ${matchAny([ownPackage])}`;
    const isInstalled = `g.owner = '${documentation}'`;
    return readCandidates(rankThenCheck(`${check.sql} AND ${isInstalled}`), [own, ...check.values, maxOwn]);
  }

  function findTitled(query: CorpusQuery): Candidate[] {
    const keys = titlesAsked(query.text);
    if (keys.length === 0) return [];
    const check = both(checkPages(query.rules), checkReach(query));
    const first = `SELECT (SELECT min(n) FROM passages WHERE page = g.n) FROM pages AS g
      WHERE g.title_key IN (${keys.map(() => '?').join()}) AND ${check.sql} ORDER BY g.n LIMIT ${maxTitled}`;
    const sql = `SELECT 0 AS bm25, true AS titled, ${passageColumns} FROM passages AS p ${passageJoins}
      WHERE p.n IN (${first})`;
    return prepare(sql).all(...keys, ...check.values) as Candidate[];
  }

  function search(query: CorpusQuery): Passage[] {
    const { text, limit, rules } = query;
    const wanted = Math.max(0, Math.min(limit, maxPassages));
    const terms = weigh(text);
    if (terms.length === 0 || wanted === 0) return [];
    const words = terms.map(({ word }) => word);
    const readsAll = canReadAll(query);
    const found = findCandidates(words, query, readsAll, wanted);
    const titled = findTitled(query);
    const reached = listReached(query, readsAll);
    const count = countReached(reached, readsAll, Math.max(wanted, corpusSizes.medium) + 1);
    const isSmall = count <= wanted && (found.length > 0 || isPhrase(text));
    const whole = isSmall ? completePages(found, reached) : [];
    const own = findOwn(words, query);
    return choosePassages([...titled, ...found, ...own, ...whole], text, terms, {
      rules,
      limit: wanted,
      isWhole: whole.length > 0,
      corpusSize: corpusSizeOf(count),
      prefersOwn: own.length > 0,
    });
  }

  const vectors = createVectorReader(database, prepare, {
    canReadAll,
    columns: passageColumns,
    joins: passageJoins,
    choose: (rows, { text, limit, rules }) => chooseClose(rows as Candidate[], text, weigh(text), { rules, limit }),
  });

  return {
    ...vectors,
    nearest: database.transaction(vectors.nearest),
    // One read transaction: a page replaced in the meantime is still read completely.
    search: database.transaction(cacheSearches(search, prepare, canReadAll)),
    rank: (query) => rankPages(query, weigh(query.text)),
    ...pageCache,
    ...createSourceReader(prepare),
    ...createExport(prepare),
    stats: () =>
      prepare(
        'SELECT (SELECT count(*) FROM pages) AS pages, (SELECT count(*) FROM passages) AS passages',
      ).get() as IndexStats,
    sources: () =>
      prepare(`SELECT source, count(*) AS pages, (SELECT address FROM addresses AS a WHERE a.source = e.source) AS address
        FROM entries AS e GROUP BY source ORDER BY source`).all() as IndexedSource[],
    outline: (owner) => readOutline(prepare, owner),
  };
}
