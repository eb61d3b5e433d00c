/** Single statements that read, each over a connection of its own. */
import type { PostgresPool } from './pool.ts';

/** Resolves to the rows of a statement that changes nothing; rejects as the pool does. */
// biome-ignore lint/suspicious/noExplicitAny: rows have the shape of their statement.
export type ReadRows = (sql: string, values: readonly unknown[]) => Promise<any[]>;

/** A function that takes a connection of the pool for each statement. */
export function createReadRows(pool: PostgresPool): ReadRows {
  return async (sql, values) => {
    const connection = await pool.connect();
    try {
      return (await connection.query(sql, values, { isRead: true })).rows;
    } finally {
      connection.release();
    }
  };
}
