/**
 * Pages, passages and postings in Postgres. Each call is one transaction under the lock of the index; texts are split and
 * counted before it begins, so that others wait for the database only. The lock of the snapshots, for which ended searches
 * wait, is taken as late as possible: the postings, which are the larger part, are written before it.
 */
import type { PooledConnection, PostgresPool } from '../../../base/postgres/pool.ts';
import { everybody, ownerOfSource, sourceId } from '../../../base/source-names.ts';
import type { Outcome, PageToIndex } from '../../index/read-page-file.ts';
import { type Place, placeOf } from '../../index/source-filter.ts';
import { splitPassages } from '../../index/split-passages.ts';
import { titleKey } from '../../index/title-key.ts';
import type { PageCheck } from '../../index/write-index.ts';
import { removedSource } from '../../sources/source-tables.ts';
import { createPostingsBuilder } from '../postings.ts';
import { digestOf, inTransaction } from '../schema.ts';
import { keepSnapshots, lockSnapshots, releaseSnapshots, storeSnapshots } from '../snapshots.ts';
import { changeCounted, growWithin } from '../sources/source-sizes.ts';
import { addPassages, addPostings, type PageWithPassages } from './add-passages.ts';
import { lockIndex } from './lock-index.ts';
import { removePassages, removeUnused } from './remove-pages.ts';

interface SplitPage extends PageToIndex, PageWithPassages {
  readonly snapshot: PageToIndex['snapshot'];
  readonly place: Place;
}

/** The hashes with which pages of a source were indexed, by their keys. */
export async function readHashes(
  { query }: Pick<PooledConnection, 'query'>,
  source: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const digests = keys.map((key) => digestOf(source, key));
  const { rows } = await query('select key, hash from corpus_entries where digest = any($1)', [digests]);
  return new Map(rows.map(({ key, hash }) => [key, hash]));
}

/** Stores the pages of a source that are not stored as they are, all or none; `check` as in ../../index/write-index.ts. */
export async function putPages(
  pool: PostgresPool,
  source: string,
  pages: readonly PageToIndex[],
  check?: PageCheck,
): Promise<Outcome[]> {
  const split = pages.map(splitPage);
  return inTransaction(pool, async (connection) => {
    const largest = split.reduce((sum, page) => sum + ('was' in page ? 0 : page.passages.length), 0);
    const first = await lockIndex(connection, largest);
    if (check !== undefined) {
      const { rows } = await connection.query('select 1 from corpus_sources where id = $1', [sourceId(source)]);
      if (rows.length === 0) throw removedSource();
    }
    // Another process may have indexed them since they were read.
    const hashes = await readHashes(
      connection,
      source,
      pages.map(({ key }) => key),
    );
    const outcomes = split.map((page): Outcome | SplitPage => {
      if ('was' in page || hashes.get(page.key) !== page.hash) return page;
      return { key: page.key, was: 'unchanged' };
    });
    const changed = outcomes.filter((page): page is SplitPage => !('was' in page));
    if (changed.length === 0) return outcomes as Outcome[];
    const owner = ownerOfSource(source);
    const byDigest = new Map(changed.map((page) => [digestOfPage(page.snapshot.url, owner), page]));
    await growWithin(connection.query, owner, check?.maxBytes, async () => {
      const replaced = await replacedBy(connection, source, changed);
      await changeCounted(connection.query, replaced, async () => {
        await addPostings(connection, first, byDigest.values());
        const used = await lockSnapshots(connection);
        const stored = await replacePages(connection, source, { changed, byDigest }, used);
        await addPassages(connection, first, stored);
        return stored.keys();
      });
    });
    return outcomes.map((page) =>
      'was' in page ? page : { key: page.key, was: hashes.has(page.key) ? 'updated' : 'added' },
    );
  });
}

/** The numbers of the stored pages that these replace: those at their URLs, and those that the source has by their keys. */
async function replacedBy({ query }: PooledConnection, source: string, pages: readonly SplitPage[]): Promise<number[]> {
  const owner = ownerOfSource(source);
  const { rows } = await query(
    `select n from corpus_pages where digest = any($1)
      union select page from corpus_entries where digest = any($2)`,
    [pages.map(({ snapshot }) => digestOfPage(snapshot.url, owner)), pages.map(({ key }) => digestOf(source, key))],
  );
  return rows.map(({ n }) => n);
}

function splitPage(page: PageToIndex): Outcome | SplitPage {
  const place = placeOf(page.snapshot.url);
  if (place === undefined) return { key: page.key, was: 'failed', reason: 'its URL is neither http(s) nor file' };
  const { text, title } = page.snapshot;
  const passages = splitPassages(text).map(({ start, end, headings }) => {
    return { start, end, headings, text: text.slice(start, end) };
  });
  const postings = createPostingsBuilder();
  const tokens = passages.map((passage, at) => postings.add(at, { title, ...passage }));
  return { ...page, place, passages, tokens, postings };
}

/**
 * Stores pages without their passages, and removes the passages of their last versions; resolves to the pages by their
 * numbers, in the order of `byDigest`. Of several with one URL the last is stored, for all of them.
 */
async function replacePages(
  connection: PooledConnection,
  source: string,
  { changed, byDigest }: { readonly changed: readonly SplitPage[]; readonly byDigest: ReadonlyMap<string, SplitPage> },
  used: number,
): Promise<Map<number, SplitPage>> {
  const { query } = connection;
  const owner = ownerOfSource(source);
  const digests = [...byDigest.keys()];
  const stored = [...byDigest.values()];
  const column = <Value>(value: (page: SplitPage) => Value) => stored.map(value);
  const snapshots = await storeSnapshots(connection, stored);
  const old = await query('select n, snapshot from corpus_pages where digest = any($1)', [digests]);
  if (old.rows.length > 0)
    await removePassages(
      connection,
      old.rows.map(({ n }) => n),
    );
  const inserted = await query(
    `insert into corpus_pages (digest, url, snapshot, snapshot_id, title, title_key, published_at, site, path, owner)
      select *, $10 from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::text[], $9::text[])
      on conflict (digest) do update set snapshot = excluded.snapshot, snapshot_id = excluded.snapshot_id,
        title = excluded.title, title_key = excluded.title_key, published_at = excluded.published_at
      returning digest, n`,
    [
      digests,
      column(({ snapshot }) => snapshot.url),
      snapshots.map(({ n }) => n),
      snapshots.map(({ id }) => id),
      column(({ snapshot }) => snapshot.title),
      column(({ snapshot }) => titleKey(snapshot.title)),
      column(({ snapshot }) => snapshot.published_at ?? null),
      column(({ place }) => place.site),
      column(({ place }) => place.path),
      owner,
    ],
  );
  const numbers = new Map<string, number>(inserted.rows.map(({ digest, n }) => [digest, n]));
  const needed = new Set(snapshots.map(({ n }) => n));
  await keepSnapshots(connection, [...needed]);
  const replaced: number[] = old.rows.map(({ snapshot }) => snapshot).filter((n) => !needed.has(n));
  await releaseSnapshots(connection, replaced, used);
  // Another source may have other text at these addresses: it is read again when that source is indexed.
  const held = new Map<number, number>(old.rows.map((row) => [row.n, row.snapshot]));
  const changedPages = stored.flatMap((_, at) => {
    const n = numbers.get(digests[at]!)!;
    return held.has(n) && held.get(n) !== snapshots[at]!.n ? [n] : [];
  });
  if (changedPages.length > 0)
    await query(`update corpus_entries set hash = '' where page = any($1::int[]) and source <> $2`, [
      changedPages,
      source,
    ]);
  await enterPages(connection, source, changed, numbers, used);
  return new Map([...byDigest].map(([digest, page]) => [numbers.get(digest)!, page]));
}

/** Each owner has pages of their own, so what one account reads from an address is never another's. */
function digestOfPage(url: string, owner: string): string {
  return owner === everybody ? digestOf(url) : digestOf(url, owner);
}

/** Notes that the source has the pages; removes those that were entered there before, unless they are needed. */
async function enterPages(
  connection: PooledConnection,
  source: string,
  pages: readonly SplitPage[],
  numbers: ReadonlyMap<string, number>,
  used: number,
): Promise<void> {
  const entries = pages.map(({ key }) => digestOf(source, key));
  const before = await connection.query('select page from corpus_entries where digest = any($1)', [entries]);
  await connection.query(
    `insert into corpus_entries (digest, source, key, hash, page)
      select digest, $1, key, hash, page from unnest($2::text[], $3::text[], $4::text[], $5::int[]) as of(digest, key, hash, page)
      on conflict (digest) do update set hash = excluded.hash, page = excluded.page`,
    [
      source,
      entries,
      pages.map(({ key }) => key),
      pages.map(({ hash }) => hash),
      pages.map(({ snapshot }) => numbers.get(digestOfPage(snapshot.url, ownerOfSource(source)))!),
    ],
  );
  if (before.rows.length > 0)
    await removeUnused(
      connection,
      before.rows.map(({ page }) => page),
      used,
    );
}
