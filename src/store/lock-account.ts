/** Locks an account until the transaction ends, for transactions that count its rows before they add one. */
import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Waits for the row; does nothing for an account that does not exist. An update works on every database. */
export async function lockAccount(trx: Transaction<Tables>, id: string): Promise<void> {
  await trx
    .updateTable('accounts')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .execute();
}
