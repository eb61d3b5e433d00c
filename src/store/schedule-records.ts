/**
 * `ScheduleRecords` in SQL. A claim is one update that checks the lease again, so that of several processes one succeeds, in
 * every database.
 */
import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import type { ScheduleRecord, ScheduleRecords } from '../schedules/schedule-records.ts';
import { lockAccount } from './row-locks.ts';
import type { Tables } from './tables/tables.ts';

type Row = Selectable<Tables['schedules']>;

/** Over the table `schedules`. */
export function createScheduleRecords(db: Kysely<Tables>): ScheduleRecords {
  const mine = (account_id: string) => db.selectFrom('schedules').selectAll().where('account_id', '=', account_id);

  return {
    add: (schedule, max) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, schedule.account_id);
        const { count } = await trx
          .selectFrom('schedules')
          .select((eb) => eb.fn.countAll().as('count'))
          .where('account_id', '=', schedule.account_id)
          .executeTakeFirstOrThrow();
        if (Number(count) >= max) return false;
        await trx.insertInto('schedules').values(schedule).execute();
        return true;
      }),

    async list(account_id) {
      return (await mine(account_id).orderBy('created_at').orderBy('id').execute()).map(toSchedule);
    },

    async get(account_id, id) {
      const row = await mine(account_id).where('id', '=', id).executeTakeFirst();
      return row && toSchedule(row);
    },

    async change(account_id, id, change) {
      const row = await db
        .updateTable('schedules')
        // Drops the claim if the time is another, so that what its owner does with the earlier one has no effect. Otherwise its run
        // may be beginning, and another would begin under the same idempotency key.
        .set(({ eb, ref }) => {
          const isSame = eb.and(
            (['next_at', 'disabled_at'] as const)
              .filter((name) => change[name] !== undefined)
              .map((name) => eb(ref(name), 'is not distinct from', eb.val(change[name]!))),
          );
          const kept = <Name extends 'owner' | 'lease_until'>(name: Name) =>
            eb.case().when(isSame).then(ref(name)).else(null).end();
          const { next_at } = change;
          const time =
            next_at === undefined || change.disabled_at !== undefined
              ? {}
              : { next_at: eb.case().when('disabled_at', 'is', null).then(next_at).else(null).end() };
          return { ...change, ...time, owner: kept('owner'), lease_until: kept('lease_until') };
        })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row && toSchedule(row);
    },

    async remove(account_id, id) {
      const { numDeletedRows } = await db
        .deleteFrom('schedules')
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async claim(owner, now, until, limit) {
      const due = db
        .selectFrom('schedules')
        .select('id')
        .where('next_at', '<=', now)
        .where(isFree(now))
        .where((eb) => {
          const run = eb.selectFrom('background_runs').select('background_runs.search_id');
          return eb.not(eb.exists(run.whereRef('background_runs.search_id', '=', 'schedules.last_search_id')));
        })
        .orderBy('next_at')
        .limit(limit);
      const rows = await db
        .updateTable('schedules')
        .set({ owner, lease_until: until })
        .where('id', 'in', due)
        .where(isFree(now))
        .returningAll()
        .execute();
      return rows.map((row) => ({ ...toSchedule(row), next_at: row.next_at! }));
    },

    async ranAhead(now, ahead, limit) {
      const found = db.selectFrom('schedules').selectAll().where('created_at', '<=', now);
      const late = found.where('last_at', '>', ahead).where('next_at', '>', ahead);
      return (await late.orderBy('id').limit(limit).execute()).map(toSchedule);
    },

    async finish(owner, { id, next_at }, { retry_at = null, ...outcome }) {
      await db
        .updateTable('schedules')
        .set({ ...outcome, owner: null, lease_until: retry_at })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('next_at', '=', next_at)
        .execute();
    },
  };
}

function isFree(now: string) {
  return (eb: ExpressionBuilder<Tables, 'schedules'>) =>
    eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', now)]);
}

function toSchedule({ owner: _, lease_until: _until, ...row }: Row): ScheduleRecord {
  return row;
}
