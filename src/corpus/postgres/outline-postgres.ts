/** A sample of the index in Postgres: the twin of ../search/outline.ts. */
import type { ReadRows } from '../../base/postgres/read-rows.ts';
import type { Outline } from '../../engine/ports/corpus.ts';
import { sampledPages, sampledPassages } from '../search/outline.ts';

/** Reads the sample of the owner's pages and everybody's; rejects as `read` does. */
export async function readPostgresOutline(read: ReadRows, owner: string): Promise<Outline> {
  const [measures] = await read(
    `select (select count(*)::int from corpus_pages) as pages, (select coalesce(max(n), 0) from corpus_pages) as last, version
      from corpus_state`,
    [],
  );
  const { pages, last, version } = measures as { pages: number; last: number; version: number };
  const sampled = await read(
    `select distinct (select e.page from corpus_entries as e where e.page >= of.n
        and e.source not like 'packages:%' and e.source not like 'installed:%'
        and (select owner from corpus_pages as g where g.n = e.page) in ('', $2) order by e.page limit 1) as page
      from unnest($1::int[]) as of(n)`,
    [sampledPages(last), owner],
  );
  const passages = await read(
    `select g.snapshot_id as snapshot, g.url, g.title, p.headings, p.text, p.start, p."end"
      from unnest($1::int[]) as of(page) join corpus_pages as g on g.n = of.page
      cross join lateral (select * from corpus_passages as p where p.page = g.n order by start limit ${sampledPassages}) as p
      order by g.n, p.start`,
    [sampled.flatMap(({ page }) => (page === null ? [] : [page]))],
  );
  return {
    edition: `${pages} ${last} ${version}`,
    pages,
    passages: passages as unknown as Outline['passages'],
  };
}
