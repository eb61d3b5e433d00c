/**
 * The corpus in Postgres: the same tables as in the index file (see ../sqlite/database.ts), except for what replaces FTS5.
 *
 *   corpus_state     one row: a version that every change of the index increases, and the totals that BM25 needs. Its lock is
 *                    that of the index: every change of the index takes it first
 *   corpus_chunks    the passages that were indexed together, as a range of their numbers; `dead` of them are gone
 *   corpus_postings  for each chunk and term, which passages have it: see postings.ts. Never changed, only replaced
 *   corpus_sources   what is known of each source besides its pages; corpus_uploads has the content of uploaded files
 *   corpus_taken     the URLs that a process reads at the moment, by the server's clock; nothing is lost with it
 *   corpus_cache     one row: a counter of uses and the size of what is evictable. Its lock is that of the snapshots, and is
 *                    taken after that of the index
 *
 * The texts of snapshots are bytes, since Postgres has no text with NUL; a passage has U+FFFD instead. Long keys are found by
 * their digests, since its indexes have no room for long keys.
 */
import { createHash } from 'node:crypto';
import type { PooledConnection, PostgresPool } from '../../base/postgres/pool.ts';
import { ownerOfSource, sourceId } from '../../base/source-names.ts';
import { CorpusError } from '../corpus-error.ts';
import { aboutOfName } from '../sources/source-tables.ts';

/** Each runs once, in order. */
const migrations: readonly string[] = [
  `
  create table corpus_state (
    one boolean primary key default true check (one),
    version bigint not null default 0,
    next_passage int not null default 1,
    passages int not null default 0,
    tokens bigint not null default 0
  );
  insert into corpus_state default values;
  create table corpus_cache (
    one boolean primary key default true check (one),
    uses bigint not null default 0,
    pages int not null default 0,
    bytes bigint not null default 0
  );
  insert into corpus_cache default values;

  create table corpus_snapshots (
    n bigint generated always as identity primary key,
    id text collate "C" not null unique,
    url text not null,
    title text not null,
    published_at text,
    fetched_at text not null,
    text bytea not null
  );
  create table corpus_pages (
    n int generated always as identity primary key,
    digest text collate "C" not null unique,
    url text not null,
    snapshot bigint not null references corpus_snapshots,
    snapshot_id text not null,
    title text not null,
    title_key text collate "C" not null,
    published_at text,
    site text collate "C" not null,
    path text collate "C" not null
  );
  create index corpus_pages_by_site on corpus_pages (site);
  create index corpus_pages_by_title on corpus_pages (title_key);
  create index corpus_pages_by_snapshot on corpus_pages (snapshot);
  create table corpus_passages (
    n int primary key,
    page int not null references corpus_pages on delete cascade,
    start int not null,
    "end" int not null,
    tokens int not null,
    headings text not null,
    text text not null
  );
  create index corpus_passages_by_page on corpus_passages (page);
  create table corpus_entries (
    digest text collate "C" primary key,
    source text collate "C" not null,
    key text not null,
    hash text not null,
    page int not null references corpus_pages
  );
  create index corpus_entries_by_source on corpus_entries (md5(source));
  create index corpus_entries_by_page on corpus_entries (page);
  create table corpus_addresses (
    source text collate "C" not null,
    address text collate "C" not null
  );

  create table corpus_chunks (
    n int generated always as identity primary key,
    first int not null,
    last int not null,
    passages int not null,
    dead int not null default 0
  );
  create table corpus_postings (
    chunk int not null,
    term text collate "C" not null,
    data bytea not null,
    primary key (chunk, term)
  );
  alter table corpus_postings alter column data set storage external;

  create table corpus_readings (
    digest text collate "C" primary key,
    url text not null,
    snapshot bigint not null references corpus_snapshots,
    used bigint not null,
    bytes int not null,
    etag text,
    last_modified text,
    recipe text not null,
    hops text not null,
    info text not null
  );
  create index corpus_readings_by_use on corpus_readings (used);
  create index corpus_readings_by_snapshot on corpus_readings (snapshot);
  create table corpus_pins (
    search text collate "C" not null,
    snapshot bigint not null references corpus_snapshots,
    ended_at text collate "C" not null,
    primary key (search, snapshot)
  );
  create index corpus_pins_by_snapshot on corpus_pins (snapshot);
  create index corpus_pins_by_end on corpus_pins (ended_at);
  create table corpus_evictable (
    snapshot bigint primary key references corpus_snapshots,
    used bigint not null,
    bytes int not null,
    not_before bigint not null
  );
  create index corpus_evictable_by_use on corpus_evictable (used);

  create function corpus_count_bytes() returns trigger language plpgsql as $$
  begin
    update corpus_cache set
      bytes = bytes + case when tg_op = 'DELETE' then 0 else new.bytes end
        - case when tg_op = 'INSERT' then 0 else old.bytes end,
      pages = pages + case
        when tg_table_name <> 'corpus_readings' or tg_op = 'UPDATE' then 0
        when tg_op = 'INSERT' then 1 else -1 end;
    return null;
  end $$;
  create trigger corpus_count_readings after insert or delete or update of bytes on corpus_readings
    for each row execute function corpus_count_bytes();
  create trigger corpus_count_evictable after insert or delete or update of bytes on corpus_evictable
    for each row execute function corpus_count_bytes();
  `,
  `
  create table corpus_sources (
    id text collate "C" primary key,
    source text not null,
    owner text collate "C" not null,
    bytes bigint not null,
    about text not null
  );
  create index corpus_sources_by_owner on corpus_sources (owner);
  create table corpus_uploads (
    id text collate "C" primary key,
    digest text not null,
    content bytea not null
  );
  alter table corpus_uploads alter column content set storage external;
  alter table corpus_pages add column owner text collate "C" not null default '';
  update corpus_pages as g set owner = 'packages' where not exists (
    select 1 from corpus_entries as e where e.page = g.n and e.source not like 'packages:%'
  );
  create index corpus_pages_by_owner on corpus_pages (owner);
  `,
  `
  create unlogged table corpus_taken (
    digest text collate "C" primary key,
    reading text not null,
    until timestamptz not null
  );
  `,
];

/** The migration that adds the sources; those that are indexed already are added to them. */
const ownersMigration = 1;

async function addKnownSources(query: PooledConnection['query']): Promise<void> {
  const { rows } = await query(
    `select e.source, count(p.n)::int as passages from corpus_entries as e left join corpus_passages as p on p.page = e.page
      group by e.source`,
    [],
  );
  for (const { source, passages } of rows)
    await query('insert into corpus_sources (id, source, owner, bytes, about) values ($1, $2, $3, 0, $4)', [
      sourceId(source),
      source,
      ownerOfSource(source),
      JSON.stringify({ ...aboutOfName(source), passages }),
    ]);
}

/** An arbitrary number that no other application on this database uses, and that differs from the store's. */
const migrationLock = 7_233_190_462;

/**
 * Migrates the schema to the newest version, once however many processes start simultaneously. Rejects with a CorpusError `newer`
 * when a newer version of the program made it.
 */
export async function migrateCorpus(pool: PostgresPool): Promise<void> {
  if (await isMigrated(pool)) return;
  await inTransaction(pool, async ({ query }) => {
    await query('select pg_advisory_xact_lock($1)', [migrationLock]);
    await query('create table if not exists corpus_migrations (version int primary key, applied_at text not null)', []);
    const { rows } = await query('select coalesce(max(version), 0) as version from corpus_migrations', []);
    const version = rows[0].version as number;
    if (version > migrations.length)
      throw new CorpusError('newer', 'The corpus in DATABASE_URL was made by a newer version; upgrade.');
    for (const [at, migration] of migrations.entries()) {
      if (at < version) continue;
      await query(migration, []);
      if (at === ownersMigration) await addKnownSources(query);
      await query('insert into corpus_migrations values ($1, $2)', [at + 1, new Date().toISOString()]);
    }
  });
}

/** Looked up without the lock: starts with nothing to migrate do not wait for a server that was lost while it migrates. */
async function isMigrated(pool: PostgresPool): Promise<boolean> {
  return inTransaction(pool, async ({ query }) => {
    const made = await query("select to_regclass('corpus_migrations') is not null as is_made", []);
    if (!made.rows[0].is_made) return false;
    const { rows } = await query('select max(version) as version from corpus_migrations', []);
    return rows[0].version === migrations.length;
  });
}

/**
 * The keys that tables have instead of URLs and of keys of pages: 128 bits of SHA-256 in hexadecimal, of the parts in this
 * order.
 */
export function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Runs the work in one transaction, which is rolled back when it rejects. */
export async function inTransaction<Result>(
  pool: PostgresPool,
  work: (connection: PooledConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  try {
    await connection.begin();
    try {
      const result = await work(connection);
      await connection.end('commit');
      return result;
    } catch (error) {
      await connection.end('rollback').catch(() => {});
      throw error;
    }
  } finally {
    connection.release();
  }
}
