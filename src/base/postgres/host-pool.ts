/** The connections to one host: pg's pool, which makes do with those that there are while Postgres refuses more. */
import pg from 'pg';
import { tooManyConnections } from './away.ts';

export interface PostgresTimeouts {
  /** How long to wait for a connection. */
  readonly connectMs: number;
  /** Limit for one statement, enforced by the server; 0 for none. */
  readonly statementMs: number;
  /**
   * How long a transaction may wait for its next statement until the server ends it, with its locks; 5 s if absent. It is
   * short, because others may wait for a server that is frozen or gone, and longer than what the thread of a transaction
   * computes between its statements.
   */
  readonly idleMs?: number;
}

/** How long no more connections are asked for once Postgres refused one. Set by hand. */
const refusedMs = 10_000;
/** Shorter than the statements of others may wait for it. Set by hand. */
const defaultIdleMs = 5_000;
/** How long after the server's own timeout a reply may arrive before the connection counts as lost. Set by hand. */
const lateMs = 2_000;

export interface HostPool {
  connect(): Promise<pg.PoolClient>;
  /**
   * Why callers have to share the connections of this pool, if that is what `error` of `connect` came from; undefined otherwise.
   * After it, `connect` waits for one of them.
   */
  refusal(error: unknown): Error | undefined;
  end(): Promise<void>;
}

/** Connects lazily. `mustWrite` refuses a host that accepts no writes. */
export function createHostPool(
  url: string,
  { connectMs, statementMs, idleMs = defaultIdleMs }: PostgresTimeouts,
  { connections, mustWrite }: { readonly connections: number; readonly mustWrite: boolean },
): HostPool {
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
