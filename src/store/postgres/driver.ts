/** Kysely's driver over the pool in base/postgres/pool.ts, which says how outages are tolerated. */
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { PostgresTimeouts } from '../../base/postgres/host-pool.ts';
import { createPostgresPool, type OnOutage, type PooledConnection } from '../../base/postgres/pool.ts';

type KyselyConnection = DatabaseConnection & PooledConnection;

/** Connects lazily. A password in `url` is passed to pg only, which keeps it out of its errors. */
export function createPostgresDriver(url: string, timeouts: PostgresTimeouts, onOutage?: OnOutage): Driver {
  const pool = createPostgresPool(url, timeouts, { onOutage });
  /** Kysely passes back the connections that this driver returned. */
  const pooled = (connection: DatabaseConnection) => connection as KyselyConnection;
  return {
    async init() {},
    acquireConnection: async () => forKysely(await pool.connect()),
    beginTransaction: (connection) => pooled(connection).begin(),
    commitTransaction: (connection) => pooled(connection).end('commit'),
    rollbackTransaction: (connection) => pooled(connection).end('rollback'),
    releaseConnection: async (connection) => pooled(connection).release(),
    destroy: () => pool.close(),
  };
}

function forKysely(connection: PooledConnection): KyselyConnection {
  return {
    ...connection,
    async executeQuery<Row>({ query, sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const isRead = query.kind === 'SelectQueryNode';
      const { command, rowCount, rows } = await connection.query(sql, parameters, { isRead });
      return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    },
    // biome-ignore lint/correctness/useYield: the interface requires a generator; nothing here streams rows.
    async *streamQuery() {
      throw new Error('Rows are not streamed from Postgres.');
    },
  };
}
