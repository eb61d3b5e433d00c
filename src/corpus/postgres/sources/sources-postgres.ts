/** Sources in Postgres: the asynchronous twin of ../../sources/sources-sqlite.ts. */
import { createHash } from 'node:crypto';
import type { PooledConnection, PostgresPool } from '../../../base/postgres/pool.ts';
import type { ReadRows } from '../../../base/postgres/read-rows.ts';
import { documentation, ownerOfSource, sourceId } from '../../../base/source-names.ts';
import type { ListedPage } from '../../../engine/ports/corpus.ts';
import type { SourceAbout } from '../../../sources/source-index.ts';
import {
  type SourceReader,
  type SourceRow,
  type SourceWriter,
  sortPages,
  toStoredSources,
} from '../../sources/source-tables.ts';
import type { Awaitable } from '../../worker-rpc.ts';
import { checkReach, listReach } from '../place-filter.ts';
import { inTransaction } from '../schema.ts';
import { heldBy, lockOwner } from './source-sizes.ts';

/** The time of the database, in ms: the clocks of servers that read and touch sources may differ. */
const nowSql = 'floor(extract(epoch from now()) * 1000)::bigint';
const touchedSql = `jsonb_build_object('touched_at', ${nowSql})`;

/** Rejects as `read` does. */
export function createPostgresSourceReader(read: ReadRows): Awaitable<SourceReader> {
  return {
    async storedSources(owner) {
      const sql = `select source, bytes::float8 as bytes, about,
          (select count(*)::int from corpus_entries as e where md5(e.source) = md5(s.source) and e.source = s.source) as pages,
          (select address from corpus_addresses as a where a.source = s.source) as address, ${nowSql}::float8 as now
        from corpus_sources as s`;
      const some = `${sql} where owner = any($1::text[])`;
      const rows = await (owner === undefined ? read(sql, []) : read(some, [['', documentation, owner]]));
      const now: number | undefined = rows[0]?.now;
      return toStoredSources(
        rows.map(({ now: _, ...row }) => row as SourceRow),
        now,
      );
    },
    async hasPage(url, sources) {
      const sql = `select 1 from corpus_pages as g join corpus_entries as e on e.page = g.n
        where md5(g.url) = md5($1) and g.url = $1 and e.source = any($2::text[]) limit 1`;
      return (await read(sql, [url, sources])).length > 0;
    },
    async pageAt(url, reach) {
      const { sql, values } = checkReach(reach, 2);
      const found = `select s.id from corpus_pages as g join corpus_snapshots as s on s.n = g.snapshot
        where md5(g.url) = md5($1) and g.url = $1 and ${sql} order by s.fetched_at desc limit 1`;
      return (await read(found, [url, ...values]))[0]?.id;
    },
    async pages(reach, max) {
      const { sql, values } = listReach(reach, 1);
      const rows: ListedPage[] = await read(
        `select g.url, g.title from (${sql} limit $${values.length + 1}) as r join corpus_pages as g on g.n = r.n`,
        [...values, max + 1],
      );
      return rows.length > max ? [] : sortPages(rows);
    },
    async ownsPages(owner) {
      return (await read("select 1 from corpus_pages where owner = $1 and owner <> '' limit 1", [owner])).length > 0;
    },
  };
}

/** Rejects as the pool does. */
export function createPostgresSourceWriter(pool: PostgresPool, read: ReadRows): Awaitable<SourceWriter> {
  async function change({ query }: PooledConnection, source: string, changes: Partial<SourceAbout>): Promise<boolean> {
    const { rowCount } = await query(
      `update corpus_sources set about = (about::jsonb || $2::jsonb || ${touchedSql})::text where id = $1`,
      [sourceId(source), JSON.stringify(changes)],
    );
    return rowCount === 1;
  }

  return {
    addSource: (source, about, content, limits) =>
      inTransaction(pool, async ({ query }) => {
        const [id, owner, bytes] = [sourceId(source), ownerOfSource(source), content?.byteLength ?? 0];
        await lockOwner(query, owner);
        const known = await query('select 1 from corpus_sources where id = $1', [id]);
        if (known.rows.length > 0) return 'known';
        if (limits !== undefined) {
          const held = await heldBy(query, owner);
          if (held.sources >= limits.sources) return 'too_many';
          if (held.bytes + bytes > limits.bytes) return 'too_large';
        }
        await query(
          `insert into corpus_sources (id, source, owner, bytes, about)
            values ($1, $2, $3, $4, ($5::jsonb || ${touchedSql})::text)`,
          [id, source, owner, bytes, JSON.stringify(about)],
        );
        if (content !== undefined) {
          const digest = createHash('sha256').update(content).digest('hex');
          // In another thread it is no longer a Buffer, which is what pg takes for bytes.
          const sent = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
          await query('insert into corpus_uploads (id, digest, content) values ($1, $2, $3)', [id, digest, sent]);
        }
        return 'added';
      }),

    noteSource: (source, changes) => inTransaction(pool, (connection) => change(connection, source, changes)),

    settleSource: (source, changes) =>
      inTransaction(pool, async (connection) => {
        const entries = 'corpus_entries as e where md5(e.source) = md5($1) and e.source = $1';
        const { rows } = await connection.query(
          `select (select count(*)::int from corpus_passages where page in (select page from ${entries})) as passages,
            (select coalesce(sum(length(s.text)), 0)::float8 from corpus_snapshots as s where s.n in (
              select g.snapshot from corpus_pages as g where g.n in (select page from ${entries}))) as bytes`,
          [source],
        );
        const { passages, bytes } = rows[0] as { passages: number; bytes: number };
        await connection.query(
          'update corpus_sources set bytes = $2 where id = $1 and id not in (select id from corpus_uploads)',
          [sourceId(source), bytes],
        );
        return change(connection, source, { ...changes, passages });
      }),

    takeSource: (source, touched_at) =>
      inTransaction(pool, async ({ query }) => {
        const { rowCount } = await query(
          `update corpus_sources set about = (about::jsonb || '{"state":"waiting"}' || ${touchedSql})::text
            where id = $1 and (about::jsonb ->> 'touched_at')::float8 = $2::float8`,
          [sourceId(source), touched_at],
        );
        return rowCount === 1;
      }),

    keepSources: (sources) =>
      inTransaction(pool, async ({ query }) => {
        await query(
          `update corpus_sources as s set about = (s.about::jsonb || ${touchedSql})::text
            from (select id from corpus_sources where id = any($1::text[]) order by id for update) as kept
            where s.id = kept.id`,
          [sources.map(sourceId)],
        );
      }),

    dropSource: (source) =>
      inTransaction(pool, async ({ query }) => {
        await query('delete from corpus_uploads where id = $1', [sourceId(source)]);
        await query('delete from corpus_sources where id = $1', [sourceId(source)]);
      }),

    async upload(source) {
      const [row] = await read('select digest, content from corpus_uploads where id = $1', [sourceId(source)]);
      return row as { digest: string; content: Buffer } | undefined;
    },
  };
}
