/** A sample of the index, from which questions are made that it may answer: the beginnings of a few pages, spread over it. */
import type { Statement } from 'better-sqlite3';
import type { Outline } from '../../engine/ports/corpus.ts';

/** Pages of a sample, and passages of each from its beginning; set by hand. */
const maxPages = 12;
export const sampledPassages = 3;

/** For each of these numbers, the sample has the first page from it on; `last` is the number of the index's last page. */
export function sampledPages(last: number): number[] {
  return Array.from({ length: maxPages }, (_, at) => Math.floor((at * last) / maxPages) + 1);
}

/** Pages that everybody may read, or of an owner, and that are not the documentation of packages, from page ? on. */
const nextPage = `SELECT e.page FROM entries AS e WHERE e.page >= ?
  AND e.source NOT LIKE 'packages:%' AND e.source NOT LIKE 'installed:%'
  AND (SELECT owner FROM pages AS g WHERE g.n = e.page) IN ('', ?) ORDER BY e.page LIMIT 1`;
const passagesOf = `SELECT s.id AS snapshot, g.url, g.title, p.headings, p.text, p.start, p."end" FROM passages AS p
  CROSS JOIN pages AS g ON g.n = p.page CROSS JOIN snapshots AS s ON s.n = g.snapshot
  WHERE p.page = ? ORDER BY p.start LIMIT ${sampledPassages}`;
const measures = `SELECT (SELECT count(*) FROM pages) AS pages, (SELECT ifnull(max(n), 0) FROM pages) AS last,
  (SELECT ifnull(max(n), 0) FROM passages) AS passage`;

/** Reads the sample of the owner's pages and everybody's; throws SQLite's errors. */
export function readOutline(prepare: (sql: string) => Statement, owner: string): Outline {
  const { pages, last, passage } = prepare(measures).get() as { pages: number; last: number; passage: number };
  const sampled = new Set<number>();
  for (const from of sampledPages(last)) {
    const page = prepare(nextPage).pluck().get(from, owner) as number | undefined;
    if (page !== undefined) sampled.add(page);
  }
  return {
    edition: `${pages} ${last} ${passage}`,
    pages,
    passages: [...sampled].flatMap((page) => prepare(passagesOf).all(page) as Outline['passages'][number][]),
  };
}
