/** Statements of one connection to the index file. */
import type { Database, Statement } from 'better-sqlite3';

export type Prepare = (sql: string) => Statement;

/** Returns a `prepare` for one connection that compiles each statement once. */
export function createPrepare(database: Database): Prepare {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}
