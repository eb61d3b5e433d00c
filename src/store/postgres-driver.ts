/**
 * Postgres through pg's pool, patient with a server that is away for a moment: one that restarts, or fails over. Whoever
 * wants a connection waits some seconds for it; a plain read whose connection was lost, and whatever had not left this
 * process, goes out again on another one. Nothing else is sent twice, for nobody can say whether it was done: it fails, as
 * everything does once patience is over, with `overloaded`, which callers may retry. A connection that was lost, or did not
 * answer in time, is not used again.
 */
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import pg from 'pg';
import { AppError } from '../base/errors.ts';

export interface Patience {
  /** For a connection, where there is none. */
  readonly connectMs: number;
  /** For one statement, on the server; 0 for as long as it takes. */
  readonly statementMs: number;
}

/** One connection, for as long as somebody uses it. */
interface Lease extends DatabaseConnection {
  begin(): Promise<void>;
  end(how: 'commit' | 'rollback'): Promise<void>;
  release(): void;
}

const mostConnections = 10;
const retryMs = 100;
/** How much later than the server's own timeout an answer may come before the server counts as lost. */
const lateMs = 2_000;

/** Told once when the server cannot be reached, and with nothing when it can again. */
export type OnOutage = (trouble: Error | undefined) => void;

/** Opens no connection yet. `url` may hold a password: it goes no further than to pg, which keeps it out of its errors. */
export function createPostgresDriver(url: string, patience: Patience, onTrouble: OnOutage = () => {}): Driver {
  const pool = createPool(url, patience);
  /** What this driver gave. */
  const leaseOf = (connection: DatabaseConnection) => connection as Lease;
  let inTrouble = false;

  function tell(trouble: unknown): void {
    if (inTrouble === (trouble !== undefined)) return;
    inTrouble = !inTrouble;
    onTrouble(trouble as Error | undefined);
  }

  async function connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + patience.connectMs;
    for (;;) {
      try {
        const client = await pool.connect();
        tell(undefined);
        return client;
      } catch (error) {
        if (!isAway(error)) throw error;
        tell(error);
        if (performance.now() > deadline) throw away(error);
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  return {
    async init() {},
    acquireConnection: async () => createLease(await connect(), connect, patience.connectMs),
    beginTransaction: (connection) => leaseOf(connection).begin(),
    commitTransaction: (connection) => leaseOf(connection).end('commit'),
    rollbackTransaction: (connection) => leaseOf(connection).end('rollback'),
    releaseConnection: async (connection) => leaseOf(connection).release(),
    destroy: () => pool.end(),
  };
}

function createPool(url: string, { connectMs, statementMs }: Patience): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'citewire',
    max: mostConnections,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    ...(statementMs === 0 ? {} : { query_timeout: statementMs + lateMs }),
    types: { getTypeParser },
    // By a statement rather than in the start packet, which poolers such as PgBouncer refuse to pass on.
    async onConnect(client) {
      if (statementMs === 0) return;
      const settings = ['statement_timeout', 'idle_in_transaction_session_timeout'];
      await client.query(settings.map((name) => `set ${name} = ${statementMs}`).join('; '));
    },
  });
  // Of connections that nobody uses at the moment; the pool has dropped them already.
  pool.on('error', () => {});
  // Of those in use, whose query fails as well: without a listener the event would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/** `another` takes the place of a connection that was lost. */
function createLease(first: pg.PoolClient, another: () => Promise<pg.PoolClient>, patienceMs: number): Lease {
  let client: pg.PoolClient | undefined = first;
  let inTransaction = false;

  async function send(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    if (client === undefined) throw away(new Error('The connection was lost.'));
    try {
      return await client.query(sql, parameters.map(storable));
    } catch (error) {
      if (!isAway(error)) throw error;
      client.release(true);
      client = undefined;
      throw away(error);
    }
  }

  /** Sends it on one connection after the other: the pool may hold several that are dead. */
  async function sendUntilAnswered(
    sql: string,
    parameters: readonly unknown[] = [],
    mayRepeat: (error: unknown) => boolean,
  ): Promise<pg.QueryResult> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        return await send(sql, parameters);
      } catch (error) {
        if (client !== undefined || inTransaction || performance.now() > deadline || !mayRepeat(error)) throw error;
        client = await another();
      }
    }
  }

  return {
    async begin() {
      await sendUntilAnswered('begin', [], () => true);
      inTransaction = true;
    },
    async end(how) {
      inTransaction = false;
      // What was begun on a connection that is lost is rolled back already.
      if (how === 'commit' || client !== undefined) await send(how, []);
    },
    async executeQuery<Row>({ query, sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const mayRepeat = query.kind === 'SelectQueryNode' ? () => true : wasNeverSent;
      const { command, rowCount, rows } = await sendUntilAnswered(sql, parameters, mayRepeat);
      return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    },
    // biome-ignore lint/correctness/useYield: the interface wants a generator; nothing here streams rows.
    async *streamQuery() {
      throw new Error('Rows are not streamed from Postgres.');
    },
    release: () => client?.release(),
  };
}

/** SQLSTATEs of a server that goes down, comes up, has no room for one more connection, or gave up on a statement. */
const awayStates = ['57P01', '57P02', '57P03', '53300', '57014', '40P01'];
const awayMessages = /^(Connection terminated|Query read timeout|timeout exceeded when)|is not queryable$/;

/** Whether the server could not be asked, rather than said no. */
function isAway(error: unknown): boolean {
  const { code = '', message = '', severity } = error as { code?: string; message?: string; severity?: string };
  if (severity !== undefined) return awayStates.includes(code) || code.startsWith('08');
  return /^E[A-Z_]+$/.test(code) || awayMessages.test(message);
}

/** Whether pg knew, before it sent anything, that the connection was dead. */
function wasNeverSent(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : undefined;
  return cause instanceof Error && cause.message.endsWith('is not queryable');
}

function away(cause: unknown): AppError {
  const message = 'The server cannot reach its database at the moment.';
  return new AppError('overloaded', message, { retry_after_ms: 1_000, cause });
}

/** Postgres has no NUL in text. It becomes what UTF-8 makes of everything that it cannot hold. */
function storable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}

const int8 = 20;

/** 64-bit integers as numbers, as SQLite gives them, and never a wrong one. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  return type === int8 ? wholeNumber : pg.types.getTypeParser(type, format as 'text');
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`expected an integer below 2^53; got ${text}`);
  return number;
}
