/** How long the corpus waits for Postgres. */
import type { PostgresTimeouts } from '../../base/postgres/host-pool.ts';

const connectMs = 5_000;
/**
 * The thread that writes splits pages while transactions wait for it: a page of the largest size took it up to 2.5 s on a machine
 * with other work. Set by hand, below the limit of the statements of others, which wait for the same locks.
 */
const idleMs = 8_000;
/** For statements that callers wait for. Set by hand, as in the store. */
export const serving: PostgresTimeouts = { connectMs, statementMs: 10_000, idleMs };
/** For indexing, which may wait for others that index. Set by hand. */
export const indexing: PostgresTimeouts = { connectMs: 60_000, statementMs: 120_000, idleMs };
/** For building an index over vectors, which may take an hour. */
export const building: PostgresTimeouts = { connectMs, statementMs: 0, idleMs };
