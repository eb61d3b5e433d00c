/** The records of accounts that share a network, in SQL. */
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AccessRecords } from '../../access/access-records.ts';
import { inLockOrder } from '../row-locks.ts';
import type { Tables } from '../tables/tables.ts';

type NetworkRecords = Pick<AccessRecords, 'networkSecret' | 'addSharedMinutes' | 'forgetNetworks' | 'sharedMinutes'>;

/** Over the tables `network_secrets` and `shared_minutes`. */
export function createNetworkRecords(db: Kysely<Tables>): NetworkRecords {
  const secretOf = (day: string) => db.selectFrom('network_secrets').select('secret').where('day', '=', day);

  return {
    async networkSecret(day) {
      const known = await secretOf(day).executeTakeFirst();
      if (known !== undefined) return known.secret;
      await db
        .insertInto('network_secrets')
        .values({ day, secret: randomBytes(32).toString('hex') })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await secretOf(day).executeTakeFirstOrThrow()).secret;
    },

    async addSharedMinutes(minutes) {
      await db
        .insertInto('shared_minutes')
        .values(inLockOrder(minutes, ({ minute, mark, account_id }) => `${minute} ${mark} ${account_id}`))
        .onConflict((conflict) =>
          conflict
            .columns(['minute', 'mark', 'account_id'])
            .doUpdateSet((eb) => ({ calls: eb('shared_minutes.calls', '+', eb.ref('excluded.calls')) })),
        )
        .execute();
    },

    async forgetNetworks(day, minute) {
      await db.deleteFrom('network_secrets').where('day', '<', day).execute();
      await db.deleteFrom('shared_minutes').where('minute', '<', minute).execute();
    },

    sharedMinutes: () => db.selectFrom('shared_minutes').selectAll().orderBy('minute').execute(),
  };
}
