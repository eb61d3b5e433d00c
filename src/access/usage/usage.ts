/**
 * The usage of a key (its minute from the limiter, its days from the store) and of an account, by minute, day and key.
 * Counts are collected here by minute and written every 5 s, so counting costs no query; a process that is killed loses
 * what it has not written. Minutes are kept for a day.
 */
import type { AccountUsage, KeyUsage, UsageCounts } from '../../../protocol/index.ts';
import type { ModelPrices } from '../../base/settings/quota-settings.ts';
import { dayMs } from '../../base/values/day.ts';
import type { AccessRecords, UsageCount, UsageTotal } from '../access-records.ts';
import { createBatchWriter } from '../batched-writes.ts';
import { sessionKeyId } from '../browser/session-key.ts';
import type { Caller } from '../identity.ts';
import { type Limiter, rateLimitState } from '../limiter/limiter.ts';
import { plans } from '../plans.ts';
import type { Quotas } from './quotas.ts';

export type UsageCounter = keyof UsageCounts;

export interface Usage {
  /** `at` is when what is counted began, in ms since 1970; now by default. */
  count(keyId: string, counter: UsageCounter, amount?: number, at?: number): void;
  /** The body of `GET /v1/usage`: the days of the caller's key, newest last, without days of no use. */
  report(caller: Caller): Promise<KeyUsage>;
  /** The usage of the caller's account, or of one of its keys; `minutes` is how far back the minutes go. */
  reportAccount(
    caller: Caller,
    span: { readonly key_id?: string | undefined; readonly minutes: number },
  ): Promise<AccountUsage>;
  /** Writes the counts that are not written yet. */
  close(): Promise<void>;
}

/** How often counts are written. Set by hand. */
const writeMs = 5_000;
const reportedDays = 31;
const minuteMs = 60_000;
const minuteRetentionMs = dayMs;

/** Counts that cannot be written are kept for the next write. */
export function createUsage(options: {
  readonly records: AccessRecords;
  readonly limiter: Limiter;
  readonly quotas?: Pick<Quotas, 'report'> | undefined;
  readonly prices?: ModelPrices | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}): Usage {
  const { records, limiter, quotas, prices, now = () => Date.now() } = options;
  let pending = new Map<string, UsageCount>();
  const { write, close } = createBatchWriter(writeMs, async () => {
    const batch = [...pending.values()];
    pending = new Map();
    await records.addUsage(batch, minuteOf(now() - minuteRetentionMs)).catch(() => batch.forEach(add));
  });

  function add(count: UsageCount): void {
    const name = `${count.key_id}:${count.minute}:${count.counter}`;
    const known = pending.get(name);
    pending.set(name, known === undefined ? count : { ...known, amount: known.amount + count.amount });
  }

  async function quotasOf(caller: Pick<Caller, 'account_id' | 'plan'>): Promise<Pick<KeyUsage, 'quotas'>> {
    const found = (await quotas?.report(caller)) ?? [];
    return found.length === 0 ? {} : { quotas: found };
  }

  /** The cost at current prices. */
  function costOf(days: readonly (UsageCounts & { day: string })[]): Pick<KeyUsage, 'cost'> {
    if (prices === undefined) return {};
    const today = new Date(now()).toISOString().slice(0, 10);
    const sum = (since: string) =>
      days
        .filter(({ day }) => day >= since)
        .reduce((total, { input_tokens, output_tokens }) => total + priceOf(prices, input_tokens, output_tokens), 0);
    return { cost: { currency: prices.currency, today: sum(today), month: sum(`${today.slice(0, 7)}-01`) } };
  }

  const firstDay = () => new Date(now() - (reportedDays - 1) * dayMs).toISOString().slice(0, 10);

  return {
    count(keyId, counter, amount = 1, at = now()) {
      if (amount > 0) add({ key_id: keyId, minute: minuteOf(at), counter, amount: Math.round(amount) });
    },

    async report({ key_id, account_id, plan }) {
      await write();
      const [decision, counts] = await Promise.all([
        limiter.peek(key_id, plans[plan].calls),
        records.usage(key_id, firstDay()),
      ]);
      const rate_limit = rateLimitState(decision);
      const days = gathered(counts).map(({ at: day, ...counts }) => ({ day, ...counts }));
      const extras = { ...(await quotasOf({ account_id, plan })), ...costOf(days) };
      return { plan, used: rate_limit.limit - rate_limit.remaining, rate_limit, days, ...extras };
    },

    async reportAccount({ account_id, plan }, { key_id: asked, minutes }) {
      await write();
      const key_id = asked === 'browser' ? sessionKeyId(account_id) : asked;
      const [from_day, from_minute] = [firstDay(), minuteOf(now() - (minutes - 1) * minuteMs)];
      const totals = await records.accountUsage({ account_id, key_id, from_day, from_minute });
      const { limit, window_s } = plans[plan].calls;
      const days = gathered(totals.days).map(({ at: day, ...counts }) => ({ day, ...counts }));
      return {
        plan,
        limit,
        window_s,
        from_day,
        from_minute: `${from_minute}Z`,
        days,
        minutes: gathered(totals.minutes).map(({ at, ...counts }) => ({ minute: `${at}Z`, ...counts })),
        keys: gathered(totals.keys).map(({ at, ...counts }) => ({
          key_id: at === sessionKeyId(account_id) ? 'browser' : at,
          ...counts,
        })),
        ...(await quotasOf({ account_id, plan })),
        ...costOf(days),
      };
    },

    close,
  };
}

/** The price of tokens, in the currency of the prices, which are per million tokens. */
export function priceOf(
  { input, output }: Pick<ModelPrices, 'input' | 'output'>,
  tokens_in: number,
  tokens_out: number,
) {
  return (tokens_in * input + tokens_out * output) / 1_000_000;
}

/** `YYYY-MM-DDTHH:MM`, UTC. */
function minuteOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}

/** One row with all counters per day, minute or key, in order of appearance. */
function gathered(totals: readonly UsageTotal[]): (UsageCounts & { at: string })[] {
  const rows = new Map<string, UsageCounts & { at: string }>();
  for (const { at, counter, amount } of totals) {
    const row = rows.get(at) ?? { at, ...noCounts };
    rows.set(at, counter in noCounts ? { ...row, [counter]: amount } : row);
  }
  return [...rows.values()];
}

const noCounts: UsageCounts = { calls: 0, refused: 0, searches: 0, contents: 0, input_tokens: 0, output_tokens: 0 };
