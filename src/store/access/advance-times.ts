/**
 * Times of many rows, such as the last uses of keys, written a few hundred rows per statement: a busy server has thousands
 * of them.
 */
import { sql } from 'kysely';
import type { OpenDatabase } from '../dialect.ts';
import { inLockOrder } from '../row-locks.ts';

/** Set by hand: others wait for the database no longer than for one of these. */
const rowsPerStatement = 200;

/** Sets the column of the rows with these ids to their ISO times, where that is later. Ids without a row are passed over. */
export async function advanceTimes(
  { db, dialect }: OpenDatabase,
  {
    table,
    column,
  }:
    | { readonly table: 'keys'; readonly column: 'last_used_at' }
    | { readonly table: 'sessions'; readonly column: 'expires_at' },
  times: ReadonlyMap<string, string>,
): Promise<void> {
  const ordered = inLockOrder([...times], ([id]) => id);
  for (let from = 0; from < ordered.length; from += rowsPerStatement) {
    const rows = ordered.slice(from, from + rowsPerStatement);
    const [id, before] = [sql.ref(`${table}.id`), sql.ref(`${table}.${column}`)];
    const values = sql.join(rows.map(([id, at]) => sql`(${id}, ${at})`));
    await db.transaction().execute(async (trx) => {
      await dialect.lockRows(
        trx,
        table,
        rows.map(([id]) => id),
      );
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = later.column2 from (values ${values}) as later
        where ${id} = later.column1 and (${before} is null or ${before} < later.column2)`.execute(trx);
    });
  }
}
