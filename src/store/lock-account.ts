/** Holds an account's row until the transaction ends: what counts the account's rows and then adds one needs it alone. */
import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Waits for the row; does nothing for an account that does not exist. Written so that every database takes it. */
export async function lockAccount(trx: Transaction<Tables>, id: string): Promise<void> {
  await trx
    .updateTable('accounts')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .execute();
}
