/**
 * Postgres through pg's pool, tolerant of a server that is briefly unavailable because it restarts or fails over. A caller
 * waits some seconds for a connection. A plain read whose connection was lost, and any statement that had not left this
 * process, is sent again on another one. Nothing else is sent twice, because it may have been executed: it fails with
 * `overloaded`, which callers may retry, as does everything after the timeout. A connection that was lost or did not
 * answer in time is not used again. Of several hosts the one that accepts writes is used, and looked for again when it does not.
 * Where Postgres refuses more connections, callers share those that there are.
 */
import pg from 'pg';
import { AppError } from '../errors.ts';
import { storeUnavailable } from '../store-unavailable.ts';
import { storeConnections } from './connections.ts';
import { parsePostgresUrl } from './hosts.ts';

export interface PostgresTimeouts {
  /** How long to wait for a connection. */
  readonly connectMs: number;
  /** Limit for one statement, enforced by the server; 0 for none. */
  readonly statementMs: number;
  /**
   * How long a transaction may wait for its next statement until the server ends it, with its locks; 5 s if absent. It is
   * short, because others may wait for a server that is frozen or gone. Nothing is computed within a transaction that
   * takes so long.
   */
  readonly idleMs?: number;
}

export interface QueryOptions {
  /** A plain read, which may be sent again when its connection was lost. */
  readonly isRead?: boolean;
}

/** A pooled connection while it is in use; a lost one is replaced between statements. */
export interface PooledConnection {
  query(sql: string, parameters: readonly unknown[], options?: QueryOptions): Promise<pg.QueryResult>;
  begin(): Promise<void>;
  end(how: 'commit' | 'rollback'): Promise<void>;
  release(): void;
}

export interface PostgresPool {
  connect(): Promise<PooledConnection>;
  /** Waits for the connections in use. */
  close(): Promise<void>;
}

const retryMs = 100;
/** How long no more connections are asked for once Postgres refused one. Set by hand. */
const refusedMs = 10_000;
/** An outage is over once this has passed without another failure. Set by hand. */
const settledMs = 1_000;
/** Shorter than the statements of others may wait for it. Set by hand. */
const defaultIdleMs = 5_000;
/** How long after the server's own timeout a reply may arrive before the connection counts as lost. Set by hand. */
const lateMs = 2_000;

/**
 * Called once with the error when the server cannot be reached, and once with undefined when it has been reachable again for a
 * second; and with `refused` whenever it refuses another connection to a pool that has some.
 */
export type OnOutage = (outage: Error | undefined, refused?: 'refused') => void;

/** Connects lazily. `url` may have several hosts. A password in it is passed to pg only, which keeps it out of its errors. */
export function createPostgresPool(
  url: string,
  timeouts: PostgresTimeouts,
  {
    onOutage = () => {},
    connections = storeConnections,
  }: { onOutage?: OnOutage | undefined; connections?: number } = {},
): PostgresPool {
  const { urls, mustWrite } = parsePostgresUrl(url) ?? { urls: [url], mustWrite: false };
  // All hosts are tried in the time for one.
  const each = { ...timeouts, connectMs: Math.ceil(timeouts.connectMs / urls.length) };
  const pools = urls.map((one) => createPool(one, each, { connections, mustWrite }));
  let current = 0;
  let hasOutage = false;
  let settling: NodeJS.Timeout | undefined;

  function reportFailure(error: unknown): void {
    clearTimeout(settling);
    settling = undefined;
    if (!hasOutage) onOutage(error as Error);
    hasOutage = true;
  }

  function reportSuccess(): void {
    if (!hasOutage || settling !== undefined) return;
    settling = setTimeout(() => {
      hasOutage = false;
      settling = undefined;
      onOutage(undefined);
    }, settledMs).unref();
  }

  async function connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + timeouts.connectMs;
    for (let tried = 1; ; tried += 1) {
      const at = current;
      try {
        const client = await pools[at]!.connect();
        reportSuccess();
        return client;
      } catch (error) {
        if (!isAway(error)) throw error;
        const refusal = pools[at]!.refusal(error);
        if (refusal !== undefined) {
          onOutage(refusal, 'refused');
          if (performance.now() > deadline) throw away(refusal);
          continue;
        }
        // Unless another caller has gone on to the next host already.
        if (current === at) current = (at + 1) % pools.length;
        if (tried % pools.length > 0) continue;
        reportFailure(error);
        if (performance.now() > deadline) throw away(error);
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  return {
    connect: async () => createPooledConnection(await connect(), connect, timeouts.connectMs),
    async close() {
      clearTimeout(settling);
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

interface Pool {
  connect(): Promise<pg.PoolClient>;
  /**
   * Why callers have to share the connections of this pool, if that is what `error` of `connect` came from; undefined otherwise.
   * After it, `connect` waits for one of them.
   */
  refusal(error: unknown): Error | undefined;
  end(): Promise<void>;
}

function createPool(
  url: string,
  { connectMs, statementMs, idleMs = defaultIdleMs }: PostgresTimeouts,
  { connections, mustWrite }: { readonly connections: number; readonly mustWrite: boolean },
): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'citewire',
    max: connections,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    ...(statementMs === 0 ? {} : { query_timeout: statementMs + lateMs }),
    types: { getTypeParser },
    // By a statement rather than in the start packet, which poolers such as PgBouncer refuse to pass on.
    async onConnect(client) {
      if (mustWrite) await refuseReadOnly(client);
      // Both are set also when 0 means none: the database may have defaults of its own.
      await client.query(`set statement_timeout = ${statementMs}; set idle_in_transaction_session_timeout = ${idleMs}`);
    },
  });
  // Errors of idle connections; the pool has already dropped them.
  pool.on('error', () => {});
  // Errors of connections in use, whose query fails as well. Without a listener the event would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void open.add(client)).on('remove', (client) => void open.delete(client));
  let refused: Error | undefined;
  let asking: NodeJS.Timeout | undefined;
  return {
    connect: () => pool.connect(),
    refusal(error) {
      const isRefused = (error as { code?: string }).code === tooManyConnections;
      // Without any, there is nothing to wait for.
      if (open.size === 0 || !(isRefused || refused !== undefined)) return undefined;
      if (!isRefused) return refused;
      refused = error as Error;
      pool.options.max = open.size;
      clearTimeout(asking);
      asking = setTimeout(() => {
        refused = undefined;
        pool.options.max = connections;
      }, refusedMs).unref();
      return refused;
    },
    async end() {
      clearTimeout(asking);
      await pool.end();
    },
  };
}

/** Rejects as a server does that is asked to write and may not. */
async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('show transaction_read_only');
  if (rows[0].transaction_read_only === 'off') return;
  throw Object.assign(new Error('The server accepts no writes.'), { severity: 'ERROR', code: '25006' });
}

/** `another` replaces a connection that was lost. */
function createPooledConnection(
  first: pg.PoolClient,
  another: () => Promise<pg.PoolClient>,
  timeoutMs: number,
): PooledConnection {
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

  /** Retries on other connections: the pool may hold several that are dead. */
  async function sendUntilAnswered(
    sql: string,
    parameters: readonly unknown[] = [],
    mayRepeat: (error: unknown) => boolean,
  ): Promise<pg.QueryResult> {
    const deadline = performance.now() + timeoutMs;
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
      // A transaction on a lost connection has already been rolled back.
      if (how === 'commit' || client !== undefined) await send(how, []);
    },
    query: (sql, parameters, { isRead = false } = {}) =>
      sendUntilAnswered(sql, parameters, isRead ? () => true : wasNeverSent),
    release: () => client?.release(),
  };
}

const tooManyConnections = '53300';
/**
 * SQLSTATEs of a server that is shutting down, starting, out of disk or connections, read-only, or that ended a statement or
 * a transaction which waited too long.
 */
const awayStates = ['57P01', '57P02', '57P03', '53100', tooManyConnections, '57014', '40P01', '25006', '25P03'];
const awayMessages = /^(Connection terminated|Query read timeout|timeout exceeded when)|is not queryable$/;

/** Whether the server is unavailable, as opposed to having refused the statement. */
function isAway(error: unknown): boolean {
  const { code = '', message = '', severity } = error as { code?: string; message?: string; severity?: string };
  if (severity !== undefined) return awayStates.includes(code) || code.startsWith('08');
  return /^E[A-Z_]+$/.test(code) || awayMessages.test(message);
}

/** Whether pg knew that the connection was dead before it sent anything. */
function wasNeverSent(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : undefined;
  return cause instanceof Error && cause.message.endsWith('is not queryable');
}

/** By SQLSTATE. */
const reasons: Readonly<Record<string, string>> = {
  '53100': 'cannot write to its database: the disk is full',
  [tooManyConnections]: 'gets no more connections to its database at the moment',
};

function away(cause: unknown): AppError {
  const why =
    reasons[(cause as { code?: string } | undefined)?.code ?? ''] ?? 'cannot reach its database at the moment';
  return storeUnavailable(`The server ${why}.`, cause);
}

/** Postgres text cannot contain NUL, which becomes the replacement character. */
function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable);
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}

const int8 = 20;

/** 64-bit integers as numbers, as from SQLite. Throws a RangeError for one that a number cannot hold exactly. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  return type === int8 ? wholeNumber : pg.types.getTypeParser(type, format as 'text');
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`expected an integer below 2^53; got ${text}`);
  return number;
}
