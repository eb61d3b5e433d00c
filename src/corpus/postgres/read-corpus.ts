/**
 * The reader of the corpus in Postgres: the asynchronous twin of ../search/read-index.ts, with the same steps and the same
 * ranking. A search takes two round trips: the postings of its words, then the passages that BM25 prefers.
 */
import { ownPackage } from '../../base/own-documentation.ts';
import type { PostgresPool } from '../../base/postgres/pool.ts';
import { createReadRows } from '../../base/postgres/read-rows.ts';
import type { CorpusQuery } from '../../engine/ports/corpus.ts';
import type { Passage } from '../../engine/ports/snapshot.ts';
import { toCachedPage, toSnapshot } from '../page-cache/page-rows.ts';
import { type Candidate, chooseClose, choosePassages } from '../search/choose-passages.ts';
import { isPhrase, selectTerms, splitByRarity, termsToCount } from '../search/fts-query.ts';
import { corpusSizeOf, corpusSizes, maxPassages, maxRanked, minCandidates } from '../search/limits.ts';
import { maxOwn } from '../search/own-documentation.ts';
import { rankPages } from '../search/rank-pages.ts';
import type { IndexReader } from '../search/read-index.ts';
import type { WeightedTerm } from '../search/rerank.ts';
import type { Awaitable } from '../worker-rpc.ts';
import { type CandidateRow, candidateColumns, createCandidateReader, toCandidate } from './candidates-postgres.ts';
import { createPostgresExport } from './export-pages-postgres.ts';
import { createIndexFacts } from './index-facts-postgres.ts';
import { readPostgresOutline } from './outline-postgres.ts';
import { createTermLookup, type TermLookup } from './read-postings.ts';
import { digestOf } from './schema.ts';
import { type Scored, scoreLikeliest, scorePassages } from './score-passages.ts';
import { createPostgresSourceReader } from './sources/sources-postgres.ts';
import { createPostgresVectorReader } from './vectors-postgres.ts';

/** How often a search is repeated because pages that it found were replaced; set by hand. */
const maxAttempts = 3;
/** Passages scored beyond those wanted, for those that are gone or not allowed; set by hand. */
const spare = 1_000;

/** A larger index is searched as far as the scores say, not as one in SQLite; set by hand. */
const maxLikeSqlite = 100_000;
/** Passages of a large index that are reranked; set by hand with the bench `corpus --generated`. */
const manyCandidates = 64;

/** The reader over the pool, which `close` closes. Its functions reject with `overloaded` while Postgres is unreachable. */
export function createPostgresReader(pool: PostgresPool): Awaitable<IndexReader> & { close(): Promise<void> } {
  const lookUp = createTermLookup(pool);

  const read = createReadRows(pool);

  const rows = createCandidateReader(read);
  const { canReadAll, hasOwn } = createIndexFacts(read);

  /** The best that exist and are allowed; `isStale` if some did not exist because the index has changed. */
  async function readBest(scored: readonly Scored[], limit: number, query: CorpusQuery, version: number) {
    const found: Candidate[] = [];
    let missing = 0;
    for (let at = 0, step = limit; at < scored.length && found.length < limit; step *= 4) {
      const next = scored.slice(at, at + step);
      const candidates = await rows.readCandidates(next, query);
      found.push(...candidates);
      missing += next.length - candidates.length;
      at += step;
    }
    const isStale = missing > 0 && (await read('select version from corpus_state', []))[0].version !== version;
    return { found: found.slice(0, limit), isStale };
  }

  async function findCandidates(
    lookup: TermLookup,
    words: readonly string[],
    query: CorpusQuery,
    readsAll: boolean,
    wanted: number,
  ) {
    const { version } = lookup;
    const isLarge = lookup.passages > maxLikeSqlite;
    const limit = Math.max(isLarge ? manyCandidates : minCandidates, wanted * 2);
    const only = await rows.narrow(query, readsAll);
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
      const isUnrestricted = readsAll && query.rules.only.length === 0 && query.rules.never.length === 0;
      return scoreLikeliest(postings, lookup, { sure: isUnrestricted ? limit : limit + spare, limit: limit + spare });
    };
    const best = await readBest(isLarge ? rankLikeliest() : rankRarer(), limit, query, version);
    if (best.found.length >= wanted || split.frequent.length === 0) return best;
    return readBest(await rankAny(), limit, query, version);
  }

  /** Passages of this package's own documentation, where an index has nothing but that of the installed packages. */
  async function findOwn(lookup: TermLookup, words: readonly string[], query: CorpusQuery): Promise<Candidate[]> {
    if (!(await hasOwn(lookup.version))) return [];
    const own = await rows.ownPassages(query);
    if (own.size === 0) return [];
    const [rare, frequent] = await Promise.all([lookup.read(words), lookup.read([ownPackage])]);
    const scored = scorePassages({ rare, frequent }, lookup, maxOwn, (n) => own.has(n));
    return rows.readCandidates(scored, query);
  }

  /** The significant words of a text with their inverse document frequency. */
  async function weigh(text: string): Promise<{ lookup: TermLookup; terms: WeightedTerm[] }> {
    const lookup = await lookUp([...termsToCount(text), ownPackage]);
    const terms = selectTerms(text, lookup.count).map((word) => {
      return { word, idf: Math.log(1 + (lookup.passages + 0.5) / (lookup.count(word) + 0.5)) };
    });
    return { lookup, terms };
  }

  async function searchOnce(query: CorpusQuery, wanted: number): Promise<{ passages: Passage[]; isStale: boolean }> {
    if (termsToCount(query.text).length === 0) return { passages: [], isStale: false };
    const [{ lookup, terms }, titled] = await Promise.all([weigh(query.text), rows.findTitled(query)]);
    if (terms.length === 0) return { passages: [], isStale: false };
    const readsAll = await canReadAll(query, lookup.version);
    const words = terms.map(({ word }) => word);
    const [{ found, isStale }, own, count] = await Promise.all([
      findCandidates(lookup, words, query, readsAll, wanted),
      findOwn(lookup, words, query),
      readsAll ? lookup.passages : rows.countReached(query, Math.max(wanted, corpusSizes.medium) + 1),
    ]);
    const isSmall = count <= wanted && (found.length > 0 || isPhrase(query.text));
    const whole = isSmall ? await rows.completePages(found, query, wanted) : [];
    const about = {
      rules: query.rules,
      limit: wanted,
      isWhole: whole.length > 0,
      corpusSize: corpusSizeOf(count),
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
      async choose(found: readonly CandidateRow[], { text, limit, rules }) {
        const { terms } = await weigh(text);
        return chooseClose(
          found.map((row) => toCandidate(row, 0)),
          text,
          terms,
          { rules, limit },
        );
      },
    }),

    close: () => pool.close(),
  };
}

/** The significant words of a text, while their frequencies are unknown. */
function weighAlike(text: string): WeightedTerm[] {
  return selectTerms(text, () => 1).map((word) => ({ word, idf: 1 }));
}

/** Candidates in the order in which they were read, without those of pages that were read again with another text. */
function ofOneVersion(candidates: readonly Candidate[]): Candidate[] {
  const newest = new Map(candidates.map(({ url, snapshot }) => [url, snapshot]));
  return candidates.filter(({ url, snapshot }) => newest.get(url) === snapshot);
}
