/**
 * Vectors in Postgres by the extension pgvector: the twin of vectors-sqlite.ts. Their tables are made when they are first needed,
 * because they cannot be made without the extension.
 */
import type { PooledConnection, PostgresPool } from '../../base/postgres/pool.ts';
import type { ReadRows } from '../../base/postgres/read-rows.ts';
import type { Passage } from '../../engine/ports/snapshot.ts';
import { maxPassages } from '../search/limits.ts';
import { buildHnswIndex, dropHnswIndex, indexed, isIndexedSql } from '../vectors/hnsw-index.ts';
import type {
  EmbeddedPassage,
  FillLease,
  PassageToEmbed,
  VectorQuery,
  VectorReader,
  VectorState,
  VectorWriter,
} from '../vectors/vector-index.ts';
import type { Awaitable } from '../worker-rpc.ts';
import { checkQuery } from './place-filter.ts';
import { inTransaction } from './schema.ts';

/** Passages that are taken from the index, as many as pgvector looks at unless `hnsw.ef_search` says otherwise. */
const maxIndexed = 40;

/** Why words alone are searched in such a database. */
export const noExtension =
  'The database has no extension "vector": install the package of pgvector for its version, and run CREATE EXTENSION vector as its owner.';

interface Space {
  readonly space: string;
  readonly dimensions: number | null;
}

/** Columns of a passage as a candidate, and how the ranking chooses among the rows. */
export interface NearestPostgres {
  readonly columns: string;
  choose(rows: readonly unknown[], query: VectorQuery): Promise<Passage[]>;
}

/** The reader over connections of the corpus; rejects as `read` does. */
export function createPostgresVectorReader(
  read: ReadRows,
  { columns, choose }: NearestPostgres,
): Awaitable<VectorReader> {
  async function current(): Promise<(Space & { readonly schema: string; readonly isIndexed: boolean }) | undefined> {
    const [place] = await read(placeSql, []);
    if (!place?.is_made) return undefined;
    const [row] = await read('select space, dimensions from corpus_vector_space', []);
    return row && { ...row, schema: place.schema, isIndexed: place.is_indexed };
  }

  return {
    async nearest(query) {
      const { vector, space, limit } = query;
      const known = await current();
      const dimensions = known?.space === space ? known.dimensions : null;
      if (known === undefined || dimensions !== vector.length) return { passages: [], dimensions };
      const wanted = Math.min(limit, maxPassages);
      const { schema } = known;
      const check = checkQuery(query, 3);
      /** The closest passages of `of`, a query for vectors with their passages and distances. */
      const closest = (of: string) =>
        read(
          `select 0 as titled, 0 as bm25, ${columns} from (
              select v.passage, v.distance from ${of} as v join corpus_passages as p on p.n = v.passage
              join corpus_pages as g on g.n = p.page where ${check.sql} order by v.distance limit $2) as close
            join corpus_passages as p on p.n = close.passage join corpus_pages as g on g.n = p.page order by close.distance`,
          [toText(vector), wanted * 2, ...check.values],
        );
      const of = (from: string, asked: string, more = '') =>
        `(select passage, ${from} operator(${schema}.<=>) $1::${asked} as distance from corpus_vectors where vector is not null ${more})`;
      const typed = indexed('vector', schema, dimensions);
      const some = known.isIndexed
        ? await closest(of(typed, `${schema}.vector(${dimensions})`, `order by distance limit ${maxIndexed}`))
        : [];
      // The index knows no rules: where they leave too little of what it found, all are compared.
      const rows = some.length >= wanted ? some : await closest(of('vector', `${schema}.vector`));
      return { passages: await choose(rows, { ...query, limit: wanted }), dimensions };
    },

    async passagesToEmbed(after, limit) {
      const rows = await read(
        `select p.n, g.snapshot_id as snapshot, p.start, g.title, p.headings, p.text from corpus_passages as p
          join corpus_pages as g on g.n = p.page
          where p.n > $1 and not exists (select 1 from corpus_vectors as v where v.passage = p.n) order by p.n limit $2`,
        [after, limit],
      );
      return rows as PassageToEmbed[];
    },

    async vectorState(space) {
      const [{ total }] = await read('select passages as total from corpus_state', []);
      const [place] = await read(placeSql, []);
      if (!place?.is_made) return { done: 0, total, dimensions: null, trouble: noExtension };
      const known = await current();
      const isOurs = known?.space === space;
      const [{ done }] = await read('select count(*)::int as done from corpus_vectors', []);
      return {
        done: isOurs ? done : 0,
        total,
        dimensions: isOurs ? known.dimensions : null,
        trouble: undefined,
      } satisfies VectorState;
    },

    async exportVectors(after, limit) {
      const known = await current();
      if (known === undefined) return { space: '', items: [] };
      const rows = await read(
        `select v.passage as n, g.snapshot_id as snapshot, p.start, v.vector::text as vector from corpus_vectors as v
          join corpus_passages as p on p.n = v.passage join corpus_pages as g on g.n = p.page
          where v.passage > $1 order by v.passage limit $2`,
        [after, limit],
      );
      const items = rows.map((row) => ({
        ...row,
        vector: row.vector === null ? undefined : Float32Array.from(JSON.parse(row.vector)),
      }));
      return { space: known.space, items };
    },
  };
}

/** The writer over a pool; rejects as it does. Without the extension it does nothing. */
export function createPostgresVectorWriter(pool: PostgresPool, building: PostgresPool): Awaitable<VectorWriter> {
  async function lock({ query }: PooledConnection): Promise<Space | undefined> {
    const { rows } = await query('select space, dimensions from corpus_vector_space for update', []);
    return rows[0];
  }

  async function begin(connection: PooledConnection, space: string, dimensions: number | null): Promise<void> {
    const { query } = connection;
    await dropHnswIndex(connection);
    await query('delete from corpus_vectors', []);
    await query(
      `insert into corpus_vector_space (one, space, dimensions) values (true, $1, $2)
        on conflict (one) do update set space = excluded.space, dimensions = excluded.dimensions`,
      [space, dimensions],
    );
  }

  return {
    async useSpace(space) {
      if ((await makeTables(pool)) === undefined) return;
      await inTransaction(pool, async (connection) => {
        if ((await lock(connection))?.space !== space) await begin(connection, space, null);
      });
    },

    dropOthers: (space, dimensions) =>
      inTransaction(pool, async (connection) => {
        const known = await lock(connection);
        if (known?.space === space && known.dimensions !== dimensions) await begin(connection, space, null);
      }),

    indexVectors: async () => void (await buildHnswIndex(building)),

    takeLease: (space, holder, ms) =>
      inTransaction(pool, async (connection): Promise<FillLease> => {
        if ((await lock(connection))?.space !== space) return 'changed';
        // By the clock of the database, which all machines share.
        const { rows } = await connection.query(
          `update corpus_vector_space set holder = case when $2 > 0 then $1 else '' end, until = now() + $2 * interval '1 millisecond'
            where holder in ('', $1) or ($2 > 0 and until < now()) returning one`,
          [holder, ms],
        );
        return rows.length > 0 ? 'mine' : 'other';
      }),

    putVectors: (space, embedded) =>
      inTransaction(pool, async (connection) => {
        const known = await lock(connection);
        if (known?.space !== space) return false;
        const length = embedded.find(({ vector }) => vector !== undefined)?.vector?.length;
        if (length !== undefined && known.dimensions !== length) await begin(connection, space, length);
        await put(connection, embedded);
        return length === undefined || known.dimensions === null || known.dimensions === length;
      }),
  };
}

const placeSql = `select (select n.nspname from pg_extension as e join pg_namespace as n on n.oid = e.extnamespace
    where e.extname = 'vector') as schema, to_regclass('corpus_vectors') is not null as is_made, ${isIndexedSql} as is_indexed`;

/** Makes what is missing; resolves to the schema of the extension, or undefined if there is none and it cannot be made. */
async function makeTables(pool: PostgresPool): Promise<string | undefined> {
  const look = () => inTransaction(pool, async ({ query }) => (await query(placeSql, [])).rows[0]);
  let place: { schema: string | null; is_made: boolean } = await look();
  if (place.schema === null) {
    // Only its owner or a superuser may, and only if it is installed; of several processes one may.
    await inTransaction(pool, ({ query }) => query('create extension if not exists vector', [])).catch(() => {});
    place = await look();
  }
  const { schema } = place;
  if (schema === null || place.is_made) return schema ?? undefined;
  await inTransaction(pool, async ({ query }) => {
    await query('select pg_advisory_xact_lock($1)', [tablesLock]);
    await query(
      `create table if not exists corpus_vectors (
        passage int primary key references corpus_passages on delete cascade, vector ${schema}.vector)`,
      [],
    );
    await query(
      `create table if not exists corpus_vector_space (one boolean primary key default true check (one), space text not null,
        dimensions int, holder text not null default '', until timestamptz not null default now())`,
      [],
    );
  });
  return schema;
}

/** An arbitrary number, not one of the other locks on this database. */
const tablesLock = 7_233_190_463;

async function put({ query }: PooledConnection, embedded: readonly EmbeddedPassage[]): Promise<void> {
  const { schema } = (await query(placeSql, [])).rows[0];
  // Locked, so that none of them is removed before its vector is stored.
  await query(
    `with of as (
        select p.n, x.vector from unnest($1::text[], $2::int[], $3::text[]) as x(snapshot, start, vector)
        join corpus_snapshots as s on s.id = x.snapshot join corpus_pages as g on g.snapshot = s.n
        join corpus_passages as p on p.page = g.n and p.start = x.start for key share of p)
      insert into corpus_vectors (passage, vector) select n, vector::${schema}.vector from of
      on conflict (passage) do update set vector = excluded.vector`,
    [
      embedded.map(({ snapshot }) => snapshot),
      embedded.map(({ start }) => start),
      embedded.map(({ vector }) => (vector === undefined ? null : toText(vector))),
    ],
  );
}

function toText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
