/** How transactions lock rows: an account before its rows are counted, and several rows always in one order. */
import type { Transaction } from 'kysely';
import type { Tables } from './tables/tables.ts';

/**
 * Locks an account until the transaction ends, for transactions that count its rows before they add one. Waits for the row;
 * does nothing for an account that does not exist. An update works on every database.
 */
export async function lockAccount(trx: Transaction<Tables>, id: string): Promise<void> {
  await trx
    .updateTable('accounts')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .execute();
}

/** Locks the record of a search until the transaction ends. Waits for the row; resolves with whether the account has it. */
export async function lockRun(trx: Transaction<Tables>, account_id: string, search_id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('runs')
    .set((eb) => ({ state: eb.ref('state') }))
    .where('search_id', '=', search_id)
    .where('account_id', '=', account_id)
    .where('state', '<>', 'removed')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Rows in the order in which every transaction locks them, which prevents deadlocks. Returns a sorted copy. */
export function inLockOrder<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
