/** The lock of the index in Postgres, which every writer takes. */
import type { PooledConnection } from '../../../base/postgres/pool.ts';

/**
 * Takes the lock of the index until the transaction ends, and resolves to the first of `passages` numbers of new passages.
 * They are higher than all numbers taken before.
 */
export async function lockIndex({ query }: PooledConnection, passages: number): Promise<number> {
  const { rows } = await query('update corpus_state set next_passage = next_passage + $1 returning next_passage', [
    passages,
  ]);
  return rows[0].next_passage - passages;
}
