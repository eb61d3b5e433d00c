/**
 * Postgres through pg's pool, tolerant of a server that is briefly unavailable because it restarts or fails over. A caller
 * waits some seconds for a connection. A plain read whose connection was lost, and any statement that had not left this
 * process, is sent again on another one. Nothing else is sent twice, because it may have been executed: it fails with
 * `overloaded`, which callers may retry, as does everything after the timeout. A connection that was lost or did not
 * answer in time is not used again. Of several hosts the one that accepts writes is used, and looked for again when it does not.
 * Where Postgres refuses more connections, callers share those that there are.
 */
import type pg from 'pg';
import { away, isAway, wasNeverSent } from './away.ts';
import { storeConnections } from './connections.ts';
import { createHostPool, type PostgresTimeouts } from './host-pool.ts';
import { parsePostgresUrl } from './hosts.ts';

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
/** An outage is over once this has passed without another failure. Set by hand. */
const settledMs = 1_000;

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
  const pools = urls.map((one) => createHostPool(one, each, { connections, mustWrite }));
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
    parameters: readonly unknown[],
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

/** Postgres text cannot contain NUL, which becomes the replacement character. */
function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable);
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}
