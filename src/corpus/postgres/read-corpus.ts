/**
 * The reader of the corpus in Postgres: the asynchronous twin of ../search/read-index.ts, with the same steps and the same
 * ranking. A search takes two round trips: the postings of its words, then the passages that BM25 prefers.
 */
import { ownPackage } from '../../base/own-documentation.ts';
import type { PostgresPool } from '../../base/postgres/pool.ts';
import { documentation } from '../../base/source-names.ts';
import type { Passage } from '../../engine/ports/snapshot.ts';
import { titlesAsked } from '../index/title-key.ts';
import { toCachedPage, toSnapshot } from '../page-cache/page-rows.ts';
import { type Candidate, chooseClose, choosePassages } from '../search/choose-passages.ts';
import { isPhrase, selectTerms, splitByRarity, termsToCount } from '../search/fts-query.ts';
import { fewPassages, maxNarrow, maxPassages, maxRanked, maxTitled, minCandidates } from '../search/limits.ts';
import { maxOwn, ownPlace } from '../search/own-documentation.ts';
import { rankPages } from '../search/rank-pages.ts';
import type { IndexReader } from '../search/read-index.ts';
import type { WeightedTerm } from '../search/rerank.ts';
import type { SearchQuery } from '../search/search-query.ts';
import { createPostgresVectorReader } from '../vectors/vectors-postgres.ts';
import type { Awaitable } from '../worker-rpc.ts';
import { digestOf } from './digest.ts';
import { createPostgresExport } from './export-pages-postgres.ts';
import { createOpenCheck } from './open-check-postgres.ts';
import { readPostgresOutline } from './outline-postgres.ts';
import { checkQuery, checkReach } from './place-filter.ts';
import { createTermLookup, type TermLookup } from './read-postings.ts';
import { type Scored, scoreLikeliest, scorePassages } from './score-passages.ts';
import { createPostgresSourceReader } from './sources-postgres.ts';

/** How often a search is repeated because pages that it found were replaced; set by hand. */
const maxAttempts = 3;
/** Passages scored beyond those wanted, for those that are gone or not allowed; set by hand. */
const spare = 1_000;

/** A larger index is searched as far as the scores say, not as one in SQLite; set by hand. */
const maxLikeSqlite = 100_000;
/** Passages of a large index that are reranked; set by hand with the bench `corpus --generated`. */
const manyCandidates = 64;

type CandidateRow = Omit<Candidate, 'bm25'> & { readonly n: number };

const candidateColumns = `p.n, g.snapshot_id as snapshot, g.url, g.title, p.headings, p.text, p.start, p."end",
  g.published_at`;

/** The reader over the pool, which `close` closes. Its functions reject with `overloaded` while Postgres is unreachable. */
export function createPostgresReader(pool: PostgresPool): Awaitable<IndexReader> & { close(): Promise<void> } {
  const lookUp = createTermLookup(pool);

  // biome-ignore lint/suspicious/noExplicitAny: rows have the shape of their statement.
  async function read(sql: string, values: readonly unknown[]): Promise<any[]> {
    const connection = await pool.connect();
    try {
      return (await connection.query(sql, values, { isRead: true })).rows;
    } finally {
      connection.release();
    }
  }

  const { isOpenTo, hasOwn } = createOpenCheck(read);

  async function readCandidates(scored: readonly Scored[], query: SearchQuery): Promise<Candidate[]> {
    const check = checkQuery(query, 2);
    const rows: CandidateRow[] = await read(
      `select 0 as titled, ${candidateColumns} from corpus_passages as p join corpus_pages as g on g.n = p.page
        where p.n = any($1::int[]) and ${check.sql}`,
      [scored.map(({ n }) => n), ...check.values],
    );
    const byNumber = new Map(rows.map((row) => [row.n, row]));
    return scored.flatMap(({ n, bm25 }) => {
      const row = byNumber.get(n);
      return row === undefined ? [] : [toCandidate(row, bm25)];
    });
  }

  /** The best that exist and are allowed; `isStale` if some did not exist because the index has changed. */
  async function readBest(scored: readonly Scored[], limit: number, query: SearchQuery, version: number) {
    const found: Candidate[] = [];
    let missing = 0;
    for (let at = 0, step = limit; at < scored.length && found.length < limit; step *= 4) {
      const next = scored.slice(at, at + step);
      const candidates = await readCandidates(next, query);
      found.push(...candidates);
      missing += next.length - candidates.length;
      at += step;
    }
    const isStale = missing > 0 && (await read('select version from corpus_state', []))[0].version !== version;
    return { found: found.slice(0, limit), isStale };
  }

  /** The numbers of the passages of a small whitelist, or of a small part of the index; undefined for a large one or none. */
  async function narrow(query: SearchQuery, isOpen: boolean): Promise<ReadonlySet<number> | undefined> {
    const { only } = query.rules;
    if (only.length === 0 && isOpen) return undefined;
    const check = checkQuery({ ...query, rules: { only, never: [] } }, 1);
    const pages = await read(`select g.n from corpus_pages as g where ${check.sql} limit ${maxNarrow}`, check.values);
    if (pages.length >= maxNarrow) return undefined;
    const rows = await read('select n from corpus_passages where page = any($1::int[])', [pages.map(({ n }) => n)]);
    return new Set(rows.map(({ n }) => n as number));
  }

  async function findTitled(query: SearchQuery): Promise<Candidate[]> {
    const keys = titlesAsked(query.text);
    if (keys.length === 0) return [];
    const check = checkQuery(query, 2);
    const first = `select (select min(n) from corpus_passages where page = g.n) from corpus_pages as g
      where g.title_key = any($1::text[]) and ${check.sql} limit ${maxTitled}`;
    const rows: CandidateRow[] = await read(
      `select 1 as titled, ${candidateColumns} from corpus_passages as p join corpus_pages as g on g.n = p.page
        where p.n = any(array(${first}))`,
      [keys, ...check.values],
    );
    return rows.map((row) => toCandidate(row, 0));
  }

  /** The number of passages within reach, counted up to `most`. */
  async function countReached(query: SearchQuery, most: number): Promise<number> {
    const check = checkReach(query, 2);
    const [{ count }] = await read(
      `select count(*)::int as count from (select 1 from corpus_passages as p join corpus_pages as g on g.n = p.page
        where ${check.sql} limit $1) as reached`,
      [most, ...check.values],
    );
    return count;
  }

  /** As in the index file: of an index with at most `wanted` passages, those of the pages of some candidates, or all. */
  async function completePages(found: readonly Candidate[], query: SearchQuery, wanted: number): Promise<Candidate[]> {
    const check = checkReach(query, 2);
    const rows: CandidateRow[] = await read(
      `select 0 as titled, ${candidateColumns} from corpus_passages as p join corpus_pages as g on g.n = p.page
        where ${check.sql} order by p.n limit $1`,
      [wanted + 1, ...check.values],
    );
    if (rows.length > wanted) return [];
    const urls = new Set(found.map(({ url }) => url));
    return rows.filter(({ url }) => urls.size === 0 || urls.has(url)).map((row) => toCandidate(row, 0));
  }

  async function findCandidates(
    lookup: TermLookup,
    words: readonly string[],
    query: SearchQuery,
    isOpen: boolean,
    wanted: number,
  ) {
    const { version } = lookup;
    const isLarge = lookup.passages > maxLikeSqlite;
    const limit = Math.max(isLarge ? manyCandidates : minCandidates, wanted * 2);
    const only = await narrow(query, isOpen);
    const rankAny = async () => {
      const rare = await lookup.read(words);
      return scorePassages({ rare, frequent: [] }, lookup, limit + spare, only && ((n) => only.has(n)));
    };
    if (only !== undefined) return readBest(await rankAny(), limit, query, version);
    const split = splitByRarity(words, lookup.count, isLarge ? 0 : maxRanked);
    const postings = await lookup.read([...split.rare, ...split.frequent]);
    const rankRarer = () => {
      const terms = { rare: postings.slice(0, split.rare.length), frequent: postings.slice(split.rare.length) };
      return scorePassages(terms, lookup, limit + spare);
    };
    const rankLikeliest = () => {
      const isUnrestricted = isOpen && query.rules.only.length === 0 && query.rules.never.length === 0;
      return scoreLikeliest(postings, lookup, { sure: isUnrestricted ? limit : limit + spare, limit: limit + spare });
    };
    const best = await readBest(isLarge ? rankLikeliest() : rankRarer(), limit, query, version);
    if (best.found.length >= wanted || split.frequent.length === 0) return best;
    return readBest(await rankAny(), limit, query, version);
  }

  /** Passages of this package's own documentation, where an index has nothing but that of the installed packages. */
  async function findOwn(lookup: TermLookup, words: readonly string[], query: SearchQuery): Promise<Candidate[]> {
    if (!(await hasOwn(lookup.version))) return [];
    const check = checkQuery(query, 4);
    const rows = await read(
      `select p.n from corpus_pages as g join corpus_passages as p on p.page = g.n
        where g.site = $1 and g.path ^@ $2 and g.owner = $3 and ${check.sql}`,
      [ownPlace.site, ownPlace.path, documentation, ...check.values],
    );
    if (rows.length === 0) return [];
    const own = new Set(rows.map(({ n }) => n as number));
    const [rare, frequent] = await Promise.all([lookup.read(words), lookup.read([ownPackage])]);
    const scored = scorePassages({ rare, frequent }, lookup, maxOwn, (n) => own.has(n));
    return readCandidates(scored, query);
  }

  /** The significant words of a text with their inverse document frequency. */
  async function weigh(text: string): Promise<{ lookup: TermLookup; terms: WeightedTerm[] }> {
    const lookup = await lookUp([...termsToCount(text), ownPackage]);
    const terms = selectTerms(text, lookup.count).map((word) => {
      return { word, idf: Math.log(1 + (lookup.passages + 0.5) / (lookup.count(word) + 0.5)) };
    });
    return { lookup, terms };
  }

  async function searchOnce(query: SearchQuery, wanted: number): Promise<{ passages: Passage[]; isStale: boolean }> {
    if (termsToCount(query.text).length === 0) return { passages: [], isStale: false };
    const [{ lookup, terms }, titled] = await Promise.all([weigh(query.text), findTitled(query)]);
    if (terms.length === 0) return { passages: [], isStale: false };
    const isOpen = await isOpenTo(query, lookup.version);
    const words = terms.map(({ word }) => word);
    const [{ found, isStale }, own, count] = await Promise.all([
      findCandidates(lookup, words, query, isOpen, wanted),
      findOwn(lookup, words, query),
      isOpen ? lookup.passages : countReached(query, Math.max(wanted, fewPassages) + 1),
    ]);
    const isSmall = count <= wanted && (found.length > 0 || isPhrase(query.text));
    const whole = isSmall ? await completePages(found, query, wanted) : [];
    const about = {
      rules: query.rules,
      limit: wanted,
      isWhole: whole.length > 0,
      isOfFew: count <= fewPassages,
      prefersOwn: own.length > 0,
    };
    const candidates = ofOneVersion([...titled, ...found, ...own, ...whole]);
    return { passages: choosePassages(candidates, query.text, terms, about), isStale };
  }

  return {
    async search(query) {
      const wanted = Math.max(0, Math.min(query.limit, maxPassages));
      if (wanted === 0) return [];
      for (let attempt = 1; ; attempt += 1) {
        const { passages, isStale } = await searchOnce(query, wanted);
        if (!isStale || attempt === maxAttempts) return passages;
      }
    },

    async rank(query) {
      const terms = query.isAway === true ? weighAlike(query.text) : (await weigh(query.text)).terms;
      return rankPages(query, terms);
    },

    async snapshot(id) {
      const sql = 'select id, url, title, text, published_at from corpus_snapshots where id = $1';
      const [row] = await read(sql, [id]);
      return row && toSnapshot(row);
    },

    async cachedPage(url) {
      const [row] = await read(
        `select s.id, s.url, s.title, s.text, s.published_at, r.info, r.hops, r.etag, r.last_modified, r.recipe
          from corpus_readings as r join corpus_snapshots as s on s.n = r.snapshot where r.digest = $1`,
        [digestOf(url)],
      );
      return row && toCachedPage(row);
    },

    async stats() {
      const sql = 'select (select count(*)::int from corpus_pages) as pages, passages from corpus_state';
      return (await read(sql, []))[0];
    },

    sources: () =>
      read(
        `select source, count(*)::int as pages,
            (select address from corpus_addresses as a where a.source = e.source) as address
          from corpus_entries as e group by source order by source`,
        [],
      ),

    ...createPostgresSourceReader(read),

    outline: (owner: string) => readPostgresOutline(read, owner),

    ...createPostgresExport(read),

    ...createPostgresVectorReader(read, {
      columns: candidateColumns,
      async choose(rows: readonly CandidateRow[], { text, limit, rules }) {
        const { terms } = await weigh(text);
        return chooseClose(
          rows.map((row) => toCandidate(row, 0)),
          text,
          terms,
          { rules, limit },
        );
      },
    }),

    close: () => pool.close(),
  };
}

/** The significant words of a text, while nobody knows how frequent they are. */
function weighAlike(text: string): WeightedTerm[] {
  return selectTerms(text, () => 1).map((word) => ({ word, idf: 1 }));
}

/** Candidates in the order in which they were read, without those of pages that were read again with another text. */
function ofOneVersion(candidates: readonly Candidate[]): Candidate[] {
  const newest = new Map(candidates.map(({ url, snapshot }) => [url, snapshot]));
  return candidates.filter(({ url, snapshot }) => newest.get(url) === snapshot);
}

function toCandidate({ n: _, ...row }: CandidateRow, bm25: number): Candidate {
  return { ...row, bm25 };
}
