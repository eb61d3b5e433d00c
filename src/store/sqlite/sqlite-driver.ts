/**
 * The one connection to a file of SQLite, for Kysely: one user at a time. Transactions begin IMMEDIATE, because a deferred one that
 * turns into a writer fails immediately instead of waiting.
 *
 * Where another process writes, such as one that compacts the file, what is to be written waits beside the connection, and what is
 * read goes on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import type { WorkerPool } from '../../base/processes/worker-pool.ts';
import type { SqliteCall, SqliteReply } from './sqlite-worker.ts';

/** How long what is to be written waits for another process, from when it was asked for, and how often it tries; set by hand. */
const lockedMs = 5_000;
const retryMs = 20;

/** Asks the thread; rejects with what it fails with, explained. */
export type Call = (what: SqliteCall) => Promise<SqliteReply>;

/** Resolves, in the order of the calls, with what lets the next one in. */
type Line = () => Promise<() => void>;

function createLine(): Line {
  let free: Promise<void> = Promise.resolve();
  return async () => {
    const before = free;
    let release = () => {};
    free = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  };
}

/** Who has the connection, or waits for the file, and since when the statement to come is asked for. */
interface Holder {
  release: () => void;
  since: number | undefined;
}

/** Hands the connection of the thread to one user at a time. `explained` returns a reply, or throws what it failed with. */
export function createDriver(
  call: Call,
  pool: WorkerPool<SqliteCall, SqliteReply>,
  explained: (reply: SqliteReply) => SqliteReply,
): Driver {
  const connect = createLine();
  /** The first of those that found the file locked tries again; the others follow. */
  const waitForFile = createLine();
  const holders = new WeakMap<DatabaseConnection, Holder>();
  const say = (connection: DatabaseConnection, sql: string) => connection.executeQuery(CompiledQuery.raw(sql));
  /** Of the one connection that is in use. */
  let isInTransaction = false;

  async function ask(holder: Holder, sql: string, parameters: readonly unknown[]): Promise<SqliteReply> {
    const { since = performance.now() } = holder;
    holder.since = undefined;
    const query = () => pool.run({ kind: 'query', sql, parameters, isInTransaction });
    const reply = await query();
    if (isInTransaction || !isLocked(reply)) return explained(reply);
    holder.release();
    const leave = await waitForFile();
    try {
      for (;;) {
        holder.release = await connect();
        const again = await query();
        if (!isLocked(again) || performance.now() > since + lockedMs) return explained(again);
        holder.release();
        await sleep(retryMs);
      }
    } finally {
      leave();
    }
  }

  return {
    async init() {},
    async acquireConnection() {
      const since = performance.now();
      const holder: Holder = { release: await connect(), since };
      const connection = createConnection((sql, parameters) => ask(holder, sql, parameters));
      holders.set(connection, holder);
      return connection;
    },
    async beginTransaction(connection) {
      await say(connection, 'begin immediate');
      isInTransaction = true;
    },
    async commitTransaction(connection) {
      await say(connection, 'commit');
      isInTransaction = false;
    },
    async rollbackTransaction() {
      isInTransaction = false;
      await call({ kind: 'rollback' });
    },
    async releaseConnection(connection) {
      isInTransaction = false;
      holders.get(connection)?.release();
    },
    async destroy() {
      await call({ kind: 'close' });
      await pool.close();
    },
  };
}

function createConnection(
  query: (sql: string, parameters: readonly unknown[]) => Promise<SqliteReply>,
): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changes, lastInsertRowid } = await query(sql, parameters);
      if (changes === undefined) return { rows: rows as Row[] };
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid ?? 0) };
    },
    // biome-ignore lint/correctness/useYield: the interface requires a generator; nothing here streams rows.
    async *streamQuery() {
      throw new Error('Rows are not streamed from SQLite.');
    },
  };
}

const isLocked = ({ failure }: SqliteReply) => failure?.code.startsWith('SQLITE_BUSY') === true;
