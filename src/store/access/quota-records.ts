/** What accounts have used of their quotas, in SQL: one row for each counter and day or month. */
import type { Kysely } from 'kysely';
import type { AccessRecords, QuotaPeriod } from '../../access/access-records.ts';
import { lockAccount } from '../row-locks.ts';
import type { Tables } from '../tables/tables.ts';

/** Over the table `quota_counts`. */
export function createQuotaRecords(
  db: Kysely<Tables>,
): Pick<AccessRecords, 'takeQuota' | 'addToQuota' | 'quotaCounts' | 'forgetQuotas'> {
  async function add(to: Kysely<Tables>, account_id: string, { counter, period }: QuotaPeriod, amount: number) {
    await to
      .insertInto('quota_counts')
      .values({ account_id, counter, period, amount: Math.max(0, amount) })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'counter', 'period'])
          .doUpdateSet((eb) => ({ amount: eb('quota_counts.amount', '+', amount) })),
      )
      .execute();
  }

  async function counts(of: Kysely<Tables>, account_id: string, quotas: readonly QuotaPeriod[]): Promise<number[]> {
    const periods = [...new Set(quotas.map(({ period }) => period))];
    const rows = await of
      .selectFrom('quota_counts')
      .select(['counter', 'period', 'amount'])
      .where('account_id', '=', account_id)
      .where('period', 'in', periods)
      .execute();
    return quotas.map(({ counter, period }) =>
      Number(rows.find((row) => row.counter === counter && row.period === period)?.amount ?? 0),
    );
  }

  return {
    takeQuota: (account_id, quotas) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, account_id);
        const used = await counts(trx, account_id, quotas);
        const full = quotas.filter(({ limit }, index) => used[index]! >= limit);
        if (full.length > 0) return full;
        for (const quota of quotas) if (quota.counter === 'searches') await add(trx, account_id, quota, 1);
        return [];
      }),

    addToQuota: (account_id, quotas, amount) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, account_id);
        for (const quota of quotas) await add(trx, account_id, quota, amount);
      }),

    async forgetQuotas(day) {
      const month = day.slice(0, 7);
      await db
        .deleteFrom('quota_counts')
        .where(({ eb, or, and }) =>
          // A month sorts before its days.
          or([eb('period', '<', month), and([eb('period', '<', day), eb('period', '<>', month)])]),
        )
        .execute();
    },

    quotaCounts: (account_id, quotas) => counts(db, account_id, quotas),
  };
}
