/**
 * Writes the notifications about ended searches into the outbox, in the transaction that saves their records. Ids are made of
 * the search and the endpoint, so that a search that is saved again queues nothing a second time.
 */
import { createHash } from 'node:crypto';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import { type WebhookEventType, webhookEventOf, webhookLimits } from '../../../protocol/index.ts';
import type { RunRecord } from '../../runs/records/run-records.ts';
import type { Tables } from '../tables/tables.ts';

type Endpoint = Selectable<Tables['webhook_endpoints']>;

/** The enabled endpoints of the accounts of these records, by account; undefined if there is nothing to queue for them. */
export type Receivers = ReadonlyMap<string, readonly Endpoint[]> | undefined;

/** One query by an index, or none. */
export async function findReceivers(db: Kysely<Tables>, records: readonly RunRecord[]): Promise<Receivers> {
  const accounts = [...new Set(records.map(({ account_id }) => account_id))];
  const rows = await db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_id', 'in', accounts)
    .where('disabled_at', 'is', null)
    .execute();
  if (rows.length === 0 && records.every(({ webhook }) => webhook === undefined)) return undefined;
  const found = new Map<string, Endpoint[]>(accounts.map((account) => [account, []]));
  for (const row of rows) found.get(row.account_id)?.push(row);
  return found;
}

/** Queues what these records, which were saved in this transaction, are to be sent. Resolves with whether there was anything. */
export async function queueWebhooks(
  trx: Transaction<Tables>,
  records: readonly RunRecord[],
  receivers: Receivers,
): Promise<boolean> {
  const rows = records.flatMap((record) => rowsOf(record, receivers?.get(record.account_id) ?? []));
  let queued = false;
  for (const account_id of new Set(rows.map((row) => row.account_id))) {
    const own = rows.filter((row) => row.account_id === account_id);
    const room = webhookLimits.pending - (await countPending(trx, account_id, webhookLimits.pending));
    await drop(trx, own.slice(Math.max(0, room)));
    const kept = own.slice(0, Math.max(0, room));
    if (kept.length === 0) continue;
    await trx
      .insertInto('webhook_deliveries')
      .values(kept)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    queued = true;
  }
  return queued;
}

/** How many deliveries of the account wait; `max` if there are more. */
export async function countPending(db: Kysely<Tables>, account_id: string, max: number): Promise<number> {
  const some = db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('account_id', '=', account_id)
    .where('state', '=', 'pending')
    .limit(max)
    .as('some');
  const { count } = await db
    .selectFrom(some)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The `webhook-id` of what is sent to a place about a search. */
function deliveryId(search_id: string, place: string): string {
  return `msg_${createHash('sha256').update(`${search_id}\n${place}`).digest('base64url').slice(0, 27)}`;
}

/** Too many wait: what is not queued is counted. */
async function drop(trx: Transaction<Tables>, rows: readonly Insertable<Tables['webhook_deliveries']>[]) {
  for (const { endpoint_id } of rows) {
    if (endpoint_id == null) continue;
    await trx
      .updateTable('webhook_endpoints')
      .set((eb) => ({ dropped: eb('dropped', '+', 1) }))
      .where('id', '=', endpoint_id)
      .execute();
  }
}

function rowsOf(record: RunRecord, endpoints: readonly Endpoint[]): Insertable<Tables['webhook_deliveries']>[] {
  const { search_id, account_id, ended_at, webhook, traceparent = null } = record;
  const { type, data } = webhookEventOf(record);
  const about = {
    account_id,
    search_id,
    type,
    subject: data.id,
    occurred_at: ended_at,
    created_at: ended_at,
    traceparent,
  };
  const places = endpoints
    .filter(({ id, events }) => id !== webhook?.endpoint_id && isSent(events, type))
    .map(({ id, url }) => ({ endpoint_id: id as string | null, url, secret: null as string | null }));
  if (webhook !== undefined) places.push(webhook);
  return places.map((place) => ({
    id: deliveryId(search_id, place.endpoint_id ?? place.url),
    target: targetOf(account_id, place.url),
    ...about,
    ...place,
    ...dueAt(ended_at),
  }));
}

/** The state of a delivery that has not been tried. */
export function dueAt(next_at: string) {
  return { state: 'pending', tries: 0, round: 0, next_at } as const;
}

/** The key by which the tries of a URL are limited, within its account. */
export function targetOf(account_id: string, url: string): string {
  return `${account_id} ${new URL(url).origin}`;
}

function isSent(events: string, type: WebhookEventType): boolean {
  const list = JSON.parse(events) as WebhookEventType[];
  return list.length === 0 || list.includes(type);
}
