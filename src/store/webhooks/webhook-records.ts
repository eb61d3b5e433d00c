/** `WebhookRecords` in SQL: the deliveries and their tries. */
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ClaimedDelivery, ClaimLimits, Delivery, WebhookRecords } from '../../webhooks/webhook-records.ts';
import type { OpenDatabase } from '../dialect.ts';
import { readPage } from '../keyset-page.ts';
import type { Tables } from '../tables/tables.ts';
import { createEndpointRecords } from './endpoint-records.ts';
import { countPending, dueAt, targetOf } from './queue-webhooks.ts';

type DeliveryRow = Selectable<Tables['webhook_deliveries']>;

/** Due deliveries that are looked at for each that is claimed: more than one target may have. Set by hand. */
const candidates = 4;
/** The latest tries of a delivery that are kept; above what its schedule makes. Set by hand. */
const keptTries = 50;

/** Over the tables of webhooks. `queued` notifies the listeners that a delivery was queued. */
export function createWebhookRecords({ db, dialect }: OpenDatabase): WebhookRecords & { queued(): void } {
  const listeners: (() => void)[] = [];
  const queued = () => {
    for (const listener of listeners) listener();
  };

  return {
    queued,
    onQueued: (listener) => void listeners.push(listener),

    ...createEndpointRecords(db),

    pending: (account_id, max) => countPending(db, account_id, max),

    async add(delivery) {
      const row = await db
        .insertInto('webhook_deliveries')
        .values({ ...delivery, ...dueAt(delivery.created_at), target: targetOf(delivery.account_id, delivery.url) })
        .returningAll()
        .executeTakeFirstOrThrow();
      queued();
      return toDelivery(row);
    },

    claim: (owner, now, until, limits) =>
      db.transaction().execute(async (trx) => {
        await postpone(trx, limits.slow, now);
        const full = (max: number) => [...limits.inFlight].filter(([, count]) => count >= max).map(([name]) => name);
        let due = trx
          .selectFrom('webhook_deliveries')
          .selectAll()
          .where('state', '=', 'pending')
          .where('next_at', '<=', now);
        const [targets, accounts] = [full(limits.perTarget), full(limits.perAccount)];
        if (targets.length > 0) due = due.where('target', 'not in', targets);
        if (accounts.length > 0) due = due.where('account_id', 'not in', accounts);
        if (limits.left.length > 0) due = due.where('id', 'not in', limits.left);
        const oldestOf = (rows: typeof due) =>
          dialect.skipLocked(rows.orderBy('next_at').limit(candidates * limits.limit)).execute();
        // The oldest are those of accounts whose receivers hang, however many other accounts wait after them.
        const inFlight = [...limits.inFlight.keys()];
        const idle = inFlight.length === 0 ? due : due.where('account_id', 'not in', inFlight);
        const first = firstOfEach(await oldestOf(idle), limits.limit);
        const chosen =
          limits.limit - first.length <= limits.reserve ? first : withinLimits(first, await oldestOf(due), limits);
        if (chosen.length === 0) return [];
        await trx
          .updateTable('webhook_deliveries')
          .set({ owner, next_at: until })
          .where(
            'id',
            'in',
            chosen.map(({ id }) => id),
          )
          .execute();
        return withSecrets(trx, chosen, now);
      }),

    finish: (owner, id, made, { state, next_at, slow_until, disable }) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('webhook_deliveries')
          .set((eb) => ({
            state,
            next_at,
            owner: null,
            tries: eb('tries', '+', 1),
            round: eb('round', '+', 1),
            last_status: made.status,
            last_error: made.error,
          }))
          .where('id', '=', id)
          .where('owner', '=', owner)
          .returning(['tries', 'target', 'endpoint_id'])
          .executeTakeFirst();
        if (row === undefined) return;
        await trx
          .insertInto('webhook_tries')
          .values({ delivery_id: id, n: row.tries, ...made })
          .execute();
        await trx
          .deleteFrom('webhook_tries')
          .where('delivery_id', '=', id)
          .where('n', '<=', row.tries - keptTries)
          .execute();
        if (slow_until !== undefined) await waitUntil(trx, row.target, slow_until);
        if (disable === undefined || row.endpoint_id === null) return;
        await trx
          .updateTable('webhook_endpoints')
          .set({ disabled_at: made.at, disabled_reason: disable })
          .where('id', '=', row.endpoint_id)
          .where('disabled_at', 'is', null)
          .execute();
      }),

    async giveBack(owner, { id, next_at }, last_error) {
      await db
        .updateTable('webhook_deliveries')
        .set({ owner: null, next_at, last_error })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .execute();
    },

    async newestSecret() {
      const newest = db.selectFrom('webhook_endpoints').select('secret').orderBy('created_at', 'desc').limit(1);
      return (await newest.executeTakeFirst())?.secret;
    },

    async release(owner, now) {
      await db
        .updateTable('webhook_deliveries')
        .set({ owner: null, next_at: now })
        .where('owner', '=', owner)
        .execute();
    },

    async pullBack(latest, now) {
      await db
        .updateTable('webhook_deliveries')
        .set({ next_at: now })
        .where('state', '=', 'pending')
        .where('next_at', '>', latest)
        .execute();
    },

    async nextDue() {
      const pending = db.selectFrom('webhook_deliveries').select('next_at').where('state', '=', 'pending');
      return (await pending.orderBy('next_at').limit(1).executeTakeFirst())?.next_at ?? undefined;
    },

    async deliveries(account_id, { endpoint_id, ...page }) {
      const all = db.selectFrom('webhook_deliveries').selectAll().where('account_id', '=', account_id);
      const mine = endpoint_id === undefined ? all : all.where('endpoint_id', '=', endpoint_id);
      const { rows, more } = await readPage(mine, { created_at: 'string', id: 'string' }, page);
      return { items: rows.map(toDelivery), ...more };
    },

    async delivery(account_id, id) {
      const mine = db.selectFrom('webhook_deliveries').selectAll().where('account_id', '=', account_id);
      const row = await mine.where('id', '=', id).executeTakeFirst();
      if (row === undefined) return undefined;
      const log = await db
        .selectFrom('webhook_tries')
        .select(['at', 'status', 'error', 'duration_ms'])
        .where('delivery_id', '=', id)
        .orderBy('n')
        .execute();
      return { delivery: toDelivery(row), log };
    },

    async redeliver(account_id, id, now) {
      const { numUpdatedRows } = await db
        .updateTable('webhook_deliveries')
        .set({ state: 'pending', next_at: now, round: 0 })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .where('owner', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      queued();
      return true;
    },

    async removeBefore(created_at, limit) {
      const old = db
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('created_at', '<', created_at)
        .where('state', '!=', 'pending')
        .limit(limit);
      const ids = (await old.execute()).map(({ id }) => id);
      if (ids.length === 0) return false;
      await db.deleteFrom('webhook_tries').where('delivery_id', 'in', ids).execute();
      await db.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute();
      return ids.length === limit;
    },
  };
}

/** Not what a person asks for now: a test, or a delivery that is sent again, which has been tried and is in its first round. */
const mayWait = sql<boolean>`type <> 'webhook.test' and not (round = 0 and tries > 0)`;

/** What was queued for these targets since they asked for time is due when that is over. */
async function postpone(trx: Kysely<Tables>, slow: ClaimLimits['slow'], now: string): Promise<void> {
  if (slow.size === 0) return;
  const due = trx
    .selectFrom('webhook_deliveries')
    .select('target')
    .distinct()
    .where('state', '=', 'pending')
    .where('next_at', '<=', now)
    .where('target', 'in', [...slow.keys()])
    .where(mayWait);
  for (const { target } of await due.execute()) await waitUntil(trx, target, slow.get(target)!);
}

/** Makes nothing of a target due before this time. */
async function waitUntil(trx: Kysely<Tables>, target: string, time: string): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ next_at: time })
    .where('target', '=', target)
    .where('state', '=', 'pending')
    .where('owner', 'is', null)
    .where('next_at', '<', time)
    .where(mayWait)
    .execute();
}

/** The first row of each account, in the same order. */
function firstOfEach(rows: readonly DeliveryRow[], limit: number): DeliveryRow[] {
  const first = new Map<string, DeliveryRow>();
  for (const row of rows) if (!first.has(row.account_id)) first.set(row.account_id, row);
  return [...first.values()].slice(0, limit);
}

/** The rows that are chosen already, and as many others, in the same order, as the limits have room for. */
function withinLimits(
  first: readonly DeliveryRow[],
  rows: readonly DeliveryRow[],
  { limit, reserve, inFlight, perTarget, perAccount }: ClaimLimits,
): DeliveryRow[] {
  const held = new Map(inFlight);
  const chosen = new Map<string, DeliveryRow>();
  const choose = (row: DeliveryRow) => {
    for (const name of [row.target, row.account_id]) held.set(name, (held.get(name) ?? 0) + 1);
    chosen.set(row.id, row);
  };
  first.forEach(choose);
  for (const row of rows) {
    if (chosen.size >= limit - reserve) break;
    const isFull = (held.get(row.target) ?? 0) >= perTarget || (held.get(row.account_id) ?? 0) >= perAccount;
    if (!isFull && !chosen.has(row.id)) choose(row);
  }
  return [...chosen.values()];
}

async function withSecrets(db: Kysely<Tables>, rows: readonly DeliveryRow[], now: string): Promise<ClaimedDelivery[]> {
  const ids = rows.flatMap(({ endpoint_id }) => (endpoint_id === null ? [] : [endpoint_id]));
  const enabled =
    ids.length === 0
      ? []
      : await db
          .selectFrom('webhook_endpoints')
          .select(['id', 'secret', 'old_secret', 'old_until'])
          .where('id', 'in', ids)
          .where('disabled_at', 'is', null)
          .execute();
  const byId = new Map(enabled.map((row) => [row.id, row]));
  return rows.map((row) => {
    const endpoint = row.endpoint_id === null ? undefined : byId.get(row.endpoint_id);
    const isOldValid = endpoint?.old_until != null && endpoint.old_until > now;
    const secrets = [row.secret, endpoint?.secret, ...(isOldValid ? (endpoint.old_secret?.split(' ') ?? []) : [])];
    return { ...toDelivery(row), secrets: secrets.filter((secret) => typeof secret === 'string') };
  });
}

function toDelivery({ secret: _secret, owner: _owner, ...row }: DeliveryRow): Delivery {
  return row;
}
