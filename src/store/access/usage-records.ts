/** Usage in SQL: per day, kept forever, and per minute, kept as long as the writer says. */
import { type Kysely, sql } from 'kysely';
import type { AccessRecords, UsageCount, UsageTotal } from '../../access/access-records.ts';
import { inLockOrder } from '../row-locks.ts';
import type { Tables } from '../tables/tables.ts';

/** Set by hand; below the parameter limits of both databases. */
const rowsPerStatement = 1_000;

type UsageRecords = Pick<AccessRecords, 'addUsage' | 'usage' | 'accountUsage'>;

/** Over the tables `usage_days` and `usage_minutes`. */
export function createUsageRecords(db: Kysely<Tables>): UsageRecords {
  const ofAccount = (account_id: string, key_id: string | undefined) => {
    const keys = db.selectFrom('keys').select('id').where('account_id', '=', account_id);
    return key_id === undefined ? keys : keys.where('id', '=', key_id);
  };

  return {
    async addUsage(counts, keepFrom) {
      if (counts.length === 0) return;
      await db.transaction().execute(async (trx) => {
        for (const rows of batches(perDay(counts), ({ key_id, day, counter }) => `${key_id} ${day} ${counter}`)) {
          await trx
            .insertInto('usage_days')
            .values(rows)
            .onConflict((conflict) =>
              conflict
                .columns(['key_id', 'day', 'counter'])
                .doUpdateSet((eb) => ({ amount: eb('usage_days.amount', '+', eb.ref('excluded.amount')) })),
            )
            .execute();
        }
        for (const rows of batches(counts, ({ minute, key_id, counter }) => `${minute} ${key_id} ${counter}`)) {
          await trx
            .insertInto('usage_minutes')
            .values(rows)
            .onConflict((conflict) =>
              conflict
                .columns(['minute', 'key_id', 'counter'])
                .doUpdateSet((eb) => ({ amount: eb('usage_minutes.amount', '+', eb.ref('excluded.amount')) })),
            )
            .execute();
        }
        await trx.deleteFrom('usage_minutes').where('minute', '<', keepFrom).execute();
      });
    },

    async usage(keyId, fromDay) {
      const rows = await db
        .selectFrom('usage_days')
        .select(['day as at', 'counter', 'amount'])
        .where('key_id', '=', keyId)
        .where('day', '>=', fromDay)
        .orderBy('day')
        .orderBy('counter')
        .execute();
      return rows.map(toTotal);
    },

    async accountUsage({ account_id, key_id, from_day, from_minute }) {
      const keys = ofAccount(account_id, key_id);
      const amount = sql<number | string>`sum(amount)`.as('amount');
      const days = db
        .selectFrom('usage_days')
        .select(['day as at', 'counter', amount])
        .where('key_id', 'in', keys)
        .where('day', '>=', from_day)
        .groupBy(['day', 'counter'])
        .orderBy('day');
      const minutes = db
        .selectFrom('usage_minutes')
        .select(['minute as at', 'counter', amount])
        .where('minute', '>=', from_minute)
        .where('key_id', 'in', keys)
        .groupBy(['minute', 'counter'])
        .orderBy('minute');
      const byKey = db
        .selectFrom('usage_days')
        .select(['key_id as at', 'counter', amount])
        .where('key_id', 'in', keys)
        .where('day', '>=', from_day)
        .groupBy(['key_id', 'counter'])
        .orderBy('key_id');
      const [d, m, k] = await Promise.all([days.execute(), minutes.execute(), byKey.execute()]);
      return { days: d.map(toTotal), minutes: m.map(toTotal), keys: k.map(toTotal) };
    },
  };
}

function* batches<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Generator<Row[]> {
  const ordered = inLockOrder(rows, keyOf);
  for (let from = 0; from < ordered.length; from += rowsPerStatement) {
    yield ordered.slice(from, from + rowsPerStatement);
  }
}

/** One row per key, day and counter: a statement must not update a row twice. */
function perDay(counts: readonly UsageCount[]): Tables['usage_days'][] {
  const days = new Map<string, Tables['usage_days'] & { amount: number }>();
  for (const { key_id, minute, counter, amount } of counts) {
    const day = minute.slice(0, 'YYYY-MM-DD'.length);
    const name = `${key_id} ${day} ${counter}`;
    const before = days.get(name)?.amount ?? 0;
    days.set(name, { key_id, day, counter, amount: before + amount });
  }
  return [...days.values()];
}

function toTotal({ at, counter, amount }: { at: string; counter: string; amount: number | string }): UsageTotal {
  return { at, counter, amount: Number(amount) };
}
