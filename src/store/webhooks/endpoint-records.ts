/** `WebhookRecords` in SQL: the endpoints of accounts. */
import type { Kysely, Selectable } from 'kysely';
import type { WebhookEndpoint, WebhookRecords } from '../../webhooks/webhook-records.ts';
import { lockAccount } from '../row-locks.ts';
import type { Tables } from '../tables/tables.ts';

/** Over the table of endpoints. Removing one also removes its deliveries. */
export function createEndpointRecords(
  db: Kysely<Tables>,
): Pick<WebhookRecords, 'addEndpoint' | 'endpoints' | 'endpoint' | 'changeEndpoint' | 'removeEndpoint'> {
  const find: WebhookRecords['endpoint'] = async (account_id, id) => {
    const mine = db.selectFrom('webhook_endpoints').selectAll().where('account_id', '=', account_id);
    const row = await mine.where('id', '=', id).executeTakeFirst();
    return row && toEndpoint(row);
  };

  return {
    addEndpoint: ({ events, ...endpoint }, max) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, endpoint.account_id);
        const { count } = await trx
          .selectFrom('webhook_endpoints')
          .select((eb) => eb.fn.countAll().as('count'))
          .where('account_id', '=', endpoint.account_id)
          .executeTakeFirstOrThrow();
        if (Number(count) >= max) return false;
        await trx
          .insertInto('webhook_endpoints')
          .values({ ...endpoint, events: JSON.stringify(events) })
          .execute();
        return true;
      }),

    async endpoints(account_id) {
      const mine = db.selectFrom('webhook_endpoints').selectAll().where('account_id', '=', account_id);
      return (await mine.orderBy('created_at').orderBy('id').execute()).map(toEndpoint);
    },

    endpoint: find,

    async changeEndpoint(account_id, id, { events, ...change }) {
      // SQL has no update that sets nothing.
      if (events === undefined && Object.keys(change).length === 0) return find(account_id, id);
      const row = await db
        .updateTable('webhook_endpoints')
        .set({ ...change, ...(events === undefined ? {} : { events: JSON.stringify(events) }) })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row && toEndpoint(row);
    },

    removeEndpoint: (account_id, id) =>
      db.transaction().execute(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('webhook_endpoints')
          .where('account_id', '=', account_id)
          .where('id', '=', id)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        const own = trx.selectFrom('webhook_deliveries').select('id').where('endpoint_id', '=', id);
        await trx.deleteFrom('webhook_tries').where('delivery_id', 'in', own).execute();
        await trx.deleteFrom('webhook_deliveries').where('endpoint_id', '=', id).execute();
        return true;
      }),
  };
}

function toEndpoint({ events, ...row }: Selectable<Tables['webhook_endpoints']>): WebhookEndpoint {
  return { ...row, events: JSON.parse(events) as WebhookEndpoint['events'] };
}
