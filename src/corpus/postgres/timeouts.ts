/** How long the corpus waits for Postgres. */
import type { PostgresTimeouts } from '../../base/postgres/host-pool.ts';

const connectMs = 5_000;
/** For statements that callers wait for. Set by hand, as in the store. */
export const serving: PostgresTimeouts = { connectMs, statementMs: 10_000 };
/** For indexing, which may wait for others that index. Set by hand. */
export const indexing: PostgresTimeouts = { connectMs: 60_000, statementMs: 120_000 };
/** For building an index over vectors, which may take an hour. */
export const building: PostgresTimeouts = { connectMs, statementMs: 0 };
