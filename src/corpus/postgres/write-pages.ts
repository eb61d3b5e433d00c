/**
 * Pages, passages and postings in Postgres. Each call is one transaction under the lock of the index; texts are split and
 * counted before it begins, so that others wait for the database only.
 */
import type { PooledConnection, PostgresPool } from '../../base/postgres/pool.ts';
import { everybody, ownerOfSource, sourceId } from '../../base/source-names.ts';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { Outcome, PageToIndex } from '../index/read-page-file.ts';
import { type Place, placeOf } from '../index/source-filter.ts';
import { splitPassages } from '../index/split-passages.ts';
import { titleKey } from '../index/title-key.ts';
import type { PageCheck } from '../index/write-index.ts';
import { removedSource } from '../sources/source-tables.ts';
import { createPostingsBuilder } from './postings.ts';
import { digestOf, inTransaction } from './schema.ts';
import { keepSnapshots, lockSnapshots, releaseSnapshots, storeSnapshots } from './snapshots.ts';
import { changeCounted, growWithin } from './sources/source-sizes.ts';

interface SplitPage extends PageToIndex {
  readonly place: Place;
  readonly passages: readonly PassageToIndex[];
}

interface PassageToIndex {
  readonly start: number;
  readonly end: number;
  readonly headings: string;
  readonly text: string;
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

/** Stores the pages of a source that are not stored as they are, all or none; `check` as in ../index/write-index.ts. */
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
    const used = await lockSnapshots(connection);
    let stored: ReadonlyMap<number, SplitPage> = new Map();
    await growWithin(connection.query, ownerOfSource(source), check?.maxBytes, async () => {
      const replaced = await replacedBy(connection, source, changed);
      await changeCounted(connection.query, replaced, async () => {
        stored = await replacePages(connection, source, changed, used);
        return stored.keys();
      });
    });
    await addPassages(connection, first, stored);
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

/** Removes up to `limit` pages of the source whose keys are not in `keys`; resolves to how many. */
export async function removePages(
  pool: PostgresPool,
  source: string,
  keys: readonly string[],
  limit: number,
): Promise<number> {
  return inTransaction(pool, async (connection) => {
    await lockIndex(connection, 0);
    const { rows } = await connection.query(
      `select digest, page from corpus_entries as e where md5(source) = md5($1) and source = $1
        and not exists (select 1 from unnest($2::text[]) as kept(key) where kept.key = e.key) limit $3`,
      [source, keys, limit],
    );
    if (rows.length === 0) return 0;
    const pages = rows.map(({ page }) => page as number);
    await changeCounted(connection.query, pages, async () => {
      await connection.query('delete from corpus_entries where digest = any($1)', [rows.map(({ digest }) => digest)]);
      const used = await lockSnapshots(connection);
      await removeUnused(connection, pages, used);
      return [];
    });
    await clearIfEmpty(connection);
    return rows.length;
  });
}

/**
 * Takes the lock of the index until the transaction ends, and resolves to the first of `passages` numbers of new passages. Who
 * has the lock has numbers higher than all before.
 */
export async function lockIndex({ query }: PooledConnection, passages: number): Promise<number> {
  const { rows } = await query('update corpus_state set next_passage = next_passage + $1 returning next_passage', [
    passages,
  ]);
  return rows[0].next_passage - passages;
}

function splitPage(page: PageToIndex): Outcome | SplitPage {
  const place = placeOf(page.snapshot.url);
  if (place === undefined) return { key: page.key, was: 'failed', reason: 'its URL is neither http(s) nor file' };
  const { text } = page.snapshot;
  const passages = splitPassages(text).map(({ start, end, headings }) => {
    return { start, end, headings, text: text.slice(start, end) };
  });
  return { ...page, place, passages };
}

/**
 * Stores pages without their passages, those of their last versions removed; resolves to the pages by their numbers. Of several
 * with one URL the last is stored, for all of them.
 */
async function replacePages(
  connection: PooledConnection,
  source: string,
  pages: readonly SplitPage[],
  used: number,
): Promise<Map<number, SplitPage>> {
  const { query } = connection;
  const owner = ownerOfSource(source);
  const byDigest = new Map(pages.map((page) => [digestOfPage(page.snapshot.url, owner), page]));
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
  await enterPages(connection, source, pages, numbers, used);
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

/** Adds the passages of pages, by the numbers of the pages, as a chunk that begins at the passage `first`. */
async function addPassages(
  { query }: PooledConnection,
  first: number,
  pages: ReadonlyMap<number, SplitPage>,
): Promise<void> {
  const postings = createPostingsBuilder();
  const rows: [n: number[], page: number[], start: number[], end: number[], tokens: number[]] = [[], [], [], [], []];
  const headings: string[] = [];
  const texts: string[] = [];
  let next = first;
  let tokens = 0;
  for (const [page, { snapshot, passages }] of pages) {
    for (const passage of passages) {
      const length = postings.add(next, { title: (snapshot as Snapshot).title, ...passage });
      for (const [at, value] of [next, page, passage.start, passage.end, length].entries()) rows[at]!.push(value);
      headings.push(passage.headings);
      texts.push(passage.text);
      tokens += length;
      next += 1;
    }
  }
  if (next === first) return;
  const columns = '$1::int[], $2::int[], $3::int[], $4::int[], $5::int[], $6::text[], $7::text[]';
  await query(
    `insert into corpus_passages (n, page, start, "end", tokens, headings, text) select * from unnest(${columns})`,
    [...rows, headings, texts],
  );
  const chunk = await query('insert into corpus_chunks (first, last, passages) values ($1, $2, $3) returning n', [
    first,
    next - 1,
    next - first,
  ]);
  const { terms, data } = postings.finish();
  await query('insert into corpus_postings (chunk, term, data) select $1, * from unnest($2::text[], $3::bytea[])', [
    chunk.rows[0].n,
    terms,
    data,
  ]);
  await query('update corpus_state set version = version + 1, passages = passages + $1, tokens = tokens + $2', [
    next - first,
    tokens,
  ]);
}

/** Removes pages that no source has. */
async function removeUnused(connection: PooledConnection, pages: readonly number[], used: number): Promise<void> {
  const unused = await connection.query(
    `select n from corpus_pages as g where n = any($1::int[])
      and not exists (select 1 from corpus_entries where page = g.n)`,
    [pages],
  );
  const numbers = unused.rows.map(({ n }) => n as number);
  if (numbers.length === 0) return;
  await removePassages(connection, numbers);
  const sql = 'delete from corpus_pages where n = any($1::int[]) returning snapshot';
  const { rows } = await connection.query(sql, [numbers]);
  await releaseSnapshots(connection, [...new Set(rows.map(({ snapshot }) => snapshot as number))], used);
}

/** Their postings stay until their chunk is written again. */
async function removePassages({ query }: PooledConnection, pages: readonly number[]): Promise<void> {
  await query(
    `with gone as (delete from corpus_passages where page = any($1::int[]) returning n, tokens),
      dead as (
        update corpus_chunks as c set dead = dead + of.count
        from (select k.n, count(*)::int as count from gone join corpus_chunks as k on gone.n between k.first and k.last
          group by k.n) as of
        where of.n = c.n)
      update corpus_state set version = version + 1, passages = passages - (select count(*) from gone),
        tokens = tokens - (select coalesce(sum(tokens), 0) from gone)`,
    [pages],
  );
}

/** Removed passages leave traces in the numbers of passages with a word; an empty index begins without any. */
async function clearIfEmpty({ query }: PooledConnection): Promise<void> {
  const { rows } = await query('select passages from corpus_state', []);
  if (rows[0].passages > 0) return;
  await query('delete from corpus_postings', []);
  await query('delete from corpus_chunks', []);
}
