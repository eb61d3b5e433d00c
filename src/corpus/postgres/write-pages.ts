/**
 * Pages, passages and postings in Postgres. Each call is one transaction under the lock of the index; texts are split and
 * counted before it begins, so that others wait for the database only.
 */
import type { PooledConnection, PostgresPool } from '../../base/postgres/pool.ts';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { Outcome, PageToIndex } from '../index/read-page-file.ts';
import { type Place, placeOf } from '../index/source-filter.ts';
import { splitPassages } from '../index/split-passages.ts';
import { titleKey } from '../index/title-key.ts';
import { digestOf } from './digest.ts';
import { createPostingsBuilder } from './postings.ts';
import { inTransaction } from './schema.ts';
import { keepSnapshots, lockSnapshots, releaseSnapshots, storeSnapshot } from './snapshots.ts';

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

/** Stores the pages of a source that are not stored as they are, all or none. */
export async function putPages(pool: PostgresPool, source: string, pages: readonly PageToIndex[]): Promise<Outcome[]> {
  const split = pages.map(splitPage);
  return inTransaction(pool, async (connection) => {
    const largest = split.reduce((sum, page) => sum + ('was' in page ? 0 : page.passages.length), 0);
    const first = await lockIndex(connection, largest);
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
    const passagesOf = new Map<number, SplitPage>();
    for (const page of changed) passagesOf.set(await putPage(connection, source, page, used), page);
    await addPassages(connection, first, passagesOf);
    return outcomes.map((page) =>
      'was' in page ? page : { key: page.key, was: hashes.has(page.key) ? 'updated' : 'added' },
    );
  });
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
      'select digest, key, page from corpus_entries where md5(source) = md5($1) and source = $1',
      [source],
    );
    const kept = new Set(keys);
    const gone = rows.filter(({ key }) => !kept.has(key)).slice(0, limit);
    if (gone.length === 0) return 0;
    await connection.query('delete from corpus_entries where digest = any($1)', [gone.map(({ digest }) => digest)]);
    const used = await lockSnapshots(connection);
    await removeUnused(
      connection,
      gone.map(({ page }) => page),
      used,
    );
    await clearIfEmpty(connection);
    return gone.length;
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

/** Stores a page without its passages, those of its last version removed; resolves to its number. */
async function putPage(
  connection: PooledConnection,
  source: string,
  { key, hash, snapshot, fetched_at, place }: SplitPage,
  used: number,
): Promise<number> {
  const { query } = connection;
  const { n, id } = await storeSnapshot(connection, snapshot, fetched_at);
  const digest = digestOf(snapshot.url);
  const entry = digestOf(source, key);
  const before = await query(
    `select (select page from corpus_entries where digest = $2) as entered, n, snapshot from (select 1) as one
      left join corpus_pages as g on g.digest = $1`,
    [digest, entry],
  );
  const old = before.rows[0] as { entered: number | null; n: number | null; snapshot: number | null };
  if (old.n !== null) await removePassages(connection, [old.n]);
  const { title, published_at = null } = snapshot;
  const { rows } = await query(
    `insert into corpus_pages (digest, url, snapshot, snapshot_id, title, title_key, published_at, site, path)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (digest) do update set snapshot = excluded.snapshot, snapshot_id = excluded.snapshot_id,
        title = excluded.title, title_key = excluded.title_key, published_at = excluded.published_at returning n`,
    [digest, snapshot.url, n, id, title, titleKey(title), published_at, place.site, place.path],
  );
  const page = rows[0].n as number;
  await keepSnapshots(connection, [n]);
  if (old.snapshot !== null && old.snapshot !== n) await releaseSnapshots(connection, [old.snapshot], used);
  await query(
    `insert into corpus_entries (digest, source, key, hash, page) values ($1, $2, $3, $4, $5)
      on conflict (digest) do update set hash = excluded.hash, page = excluded.page`,
    [entry, source, key, hash, page],
  );
  if (old.entered !== null && old.entered !== page) await removeUnused(connection, [old.entered], used);
  return page;
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

/** Removes pages that no source has any more. */
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
