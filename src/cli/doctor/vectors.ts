/** The vectors of the index: whether it can keep them, of which model they are, and how many are still to be made. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../base/config.ts';
import { createPostgresPool } from '../../base/postgres/pool.ts';
import { loadSqlite } from '../../base/sqlite.ts';
import { noExtension } from '../../corpus/postgres/vectors-postgres.ts';
import { loadVectors } from '../../corpus/vectors/sqlite-vec.ts';
import { type Finding, ok, reasonOf, warning } from './check.ts';

interface Kept {
  readonly space: string;
  readonly dimensions: number | null;
  readonly done: number;
  readonly total: number;
}

/** Why the index cannot keep vectors, or what it has; undefined if it never had any. */
type Inspected = { readonly trouble: string } | { readonly kept: Kept | undefined };

const seeDocs = 'See docs/hybrid-search.md.';

/**
 * `space` and `length` are those of the configured model; the length is undefined if it did not answer. Reads only, and creates
 * nothing.
 */
export async function checkVectors(
  { corpus, databaseUrl, dataDir }: Config,
  space: string,
  length: number | undefined,
): Promise<Finding> {
  const found =
    corpus === 'postgres' && databaseUrl !== undefined
      ? await inspectPostgres(databaseUrl)
      : inspectFile(join(dataDir, 'index.db'));
  if ('trouble' in found) return warning(`Passages are found by words alone. ${found.trouble}`, seeDocs);
  const { kept } = found;
  const later = 'A running server and `citewire index` make them';
  if (kept === undefined || kept.done === 0) return ok(`No passage of the index has a vector yet. ${later}.`);
  if (kept.space !== space)
    return warning('The vectors of the index belong to another model or prefix.', `${later} again, for all passages.`);
  if (length !== undefined && kept.dimensions !== null && kept.dimensions !== length)
    return warning(
      `The vectors of the index have ${kept.dimensions} dimensions; those of the model have ${length}.`,
      `${later} again, for all passages.`,
    );
  const said = `${kept.done} of ${kept.total} passages have a vector`;
  return ok(kept.done < kept.total ? `${said}. ${later} for the others.` : `${said}.`);
}

function inspectFile(file: string): Inspected {
  const Database = loadSqlite();
  const database = existsSync(file) ? new Database(file, { readonly: true }) : new Database(':memory:');
  try {
    const trouble = loadVectors(database);
    if (trouble !== undefined) return { trouble };
    const hasTables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'vector_space'").get() !== undefined;
    if (!hasTables) return { kept: undefined };
    const kept = database
      .prepare(`SELECT space, dimensions, (SELECT count(*) FROM passage_vectors) AS done,
        (SELECT count(*) FROM passages) AS total FROM vector_space`)
      .get() as Kept | undefined;
    return { kept };
  } catch (error) {
    return { trouble: `The index cannot be read: ${reasonOf(error)}.` };
  } finally {
    database.close();
  }
}

async function inspectPostgres(url: string): Promise<Inspected> {
  const pool = createPostgresPool(url, { connectMs: 5_000, statementMs: 5_000 }, { connections: 1 });
  try {
    const connection = await pool.connect();
    try {
      const { rows: available } = await connection.query(
        "select 1 from pg_available_extensions where name = 'vector'",
        [],
      );
      if (available.length === 0) return { trouble: noExtension };
      const { rows: tables } = await connection.query("select to_regclass('corpus_vectors') is not null as made", []);
      if (!tables[0].made) return { kept: undefined };
      const { rows } = await connection.query(
        `select space, dimensions, (select count(*)::int from corpus_vectors) as done,
          (select passages from corpus_state) as total from corpus_vector_space`,
        [],
      );
      return { kept: rows[0] };
    } finally {
      connection.release();
    }
  } catch (error) {
    return { trouble: `The vectors in Postgres cannot be read: ${reasonOf(error)}.` };
  } finally {
    await pool.close();
  }
}
