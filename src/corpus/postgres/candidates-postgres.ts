/** The passages that a search of Postgres chooses from: those of some numbers, of a title, of a place, or all within reach. */
import type { ReadRows } from '../../base/postgres/read-rows.ts';
import { documentation } from '../../base/source-names.ts';
import type { CorpusQuery } from '../../engine/ports/corpus.ts';
import { titlesAsked } from '../index/title-key.ts';
import type { Candidate } from '../search/choose-passages.ts';
import { maxNarrow, maxTitled } from '../search/limits.ts';
import { ownPlace } from '../search/own-documentation.ts';
import { checkQuery, listReach, listWanted } from './place-filter.ts';
import type { Scored } from './score-passages.ts';

export type CandidateRow = Omit<Candidate, 'bm25'> & { readonly n: number };

export const candidateColumns = `p.n, g.snapshot_id as snapshot, g.url, g.title, p.headings, p.text, p.start, p."end",
  g.published_at`;

export type CandidateReader = ReturnType<typeof createCandidateReader>;

/** Its functions reject as `read` does. */
export function createCandidateReader(read: ReadRows) {
  /** The passages with these numbers, in the same order, without those that do not exist or are not allowed. */
  async function readCandidates(scored: readonly Scored[], query: CorpusQuery): Promise<Candidate[]> {
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

  /** The numbers of the passages of a small whitelist, or of a small part of the index; undefined for a large one or none. */
  async function narrow(query: CorpusQuery, readsAll: boolean): Promise<ReadonlySet<number> | undefined> {
    const { only } = query.rules;
    if (only.length === 0 && readsAll) return undefined;
    const wanted = listWanted(query, 1);
    const pages = await read(`${wanted.sql} limit ${maxNarrow}`, wanted.values);
    if (pages.length >= maxNarrow) return undefined;
    const rows = await read('select n from corpus_passages where page = any($1::int[])', [pages.map(({ n }) => n)]);
    return new Set(rows.map(({ n }) => n as number));
  }

  /** The first passages of the pages that the query names by their titles. */
  async function findTitled(query: CorpusQuery): Promise<Candidate[]> {
    const keys = titlesAsked(query.text);
    if (keys.length === 0) return [];
    const check = checkQuery(query, 2);
    const first = `select (select min(n) from corpus_passages where page = g.n) from corpus_pages as g
      where g.title_key = any($1::text[]) and ${check.sql} order by g.n limit ${maxTitled}`;
    const rows: CandidateRow[] = await read(
      `select 1 as titled, ${candidateColumns} from corpus_passages as p join corpus_pages as g on g.n = p.page
        where p.n = any(array(${first}))`,
      [keys, ...check.values],
    );
    return rows.map((row) => toCandidate(row, 0));
  }

  /** The numbers of the passages of this package's own documentation. */
  async function ownPassages(query: CorpusQuery): Promise<ReadonlySet<number>> {
    const check = checkQuery(query, 4);
    const rows = await read(
      `select p.n from corpus_pages as g join corpus_passages as p on p.page = g.n
        where g.site = $1 and g.path ^@ $2 and g.owner = $3 and ${check.sql}`,
      [ownPlace.site, ownPlace.path, documentation, ...check.values],
    );
    return new Set(rows.map(({ n }) => n as number));
  }

  /** The number of passages within reach, counted up to `max`. */
  async function countReached(query: CorpusQuery, max: number): Promise<number> {
    const reach = listReach(query, 2);
    const [{ count }] = await read(
      `select count(*)::int as count from (select 1 from (${reach.sql}) as r join corpus_passages as p on p.page = r.n
        limit $1) as reached`,
      [max, ...reach.values],
    );
    return count;
  }

  /** As in the index file: the passages of some candidates' pages, or all passages, if the index has at most `wanted`. */
  async function completePages(found: readonly Candidate[], query: CorpusQuery, wanted: number): Promise<Candidate[]> {
    const reach = listReach(query, 2);
    const rows: CandidateRow[] = await read(
      `select 0 as titled, ${candidateColumns} from (${reach.sql}) as r join corpus_passages as p on p.page = r.n
        join corpus_pages as g on g.n = p.page order by p.n limit $1`,
      [wanted + 1, ...reach.values],
    );
    if (rows.length > wanted) return [];
    const urls = new Set(found.map(({ url }) => url));
    return rows.filter(({ url }) => urls.size === 0 || urls.has(url)).map((row) => toCandidate(row, 0));
  }

  return { readCandidates, narrow, findTitled, ownPassages, countReached, completePages };
}

/** The row as a candidate, with its score. */
export function toCandidate({ n: _, ...row }: CandidateRow, bm25: number): Candidate {
  return { ...row, bm25 };
}
