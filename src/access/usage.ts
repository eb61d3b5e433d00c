/**
 * What a key has used: its minute from the limiter, its days from the store; and what an account has used, by minute, day
 * and key. Counts are gathered here by minute and written every few seconds, so counting costs no query; a process that is
 * killed loses the seconds since the last write. Minutes are kept for a day.
 */
import type { AccountUsage, KeyUsage, UsageCounts } from '../../protocol/index.ts';
import type { AccessRecords, UsageCount, UsageTotal } from './access-records.ts';
import { sessionKeyId } from './browser/session-key.ts';
import type { Caller } from './identity.ts';
import { type Limiter, rateLimitState } from './limiter/limiter.ts';
import { plans } from './plans.ts';

export type UsageCounter = keyof UsageCounts;

export interface Usage {
  count(keyId: string, counter: UsageCounter, amount?: number): void;
  /** The body of `GET /v1/usage`: days of this key, the newest last, those without use left out. */
  report(caller: Caller): Promise<KeyUsage>;
  /** What the caller's account has used, or one key of it; `minutes` back from now. */
  reportAccount(
    caller: Caller,
    span: { readonly key_id?: string | undefined; readonly minutes: number },
  ): Promise<AccountUsage>;
  /** Writes what is not yet written. */
  close(): Promise<void>;
}

const writeMs = 5_000;
const reportedDays = 31;
const minuteMs = 60_000;
const minuteRetentionMs = 86_400_000;

export function createUsage(options: {
  readonly records: AccessRecords;
  readonly limiter: Limiter;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}): Usage {
  const { records, limiter, now = () => Date.now() } = options;
  let pending = new Map<string, UsageCount>();
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => void write(), writeMs);
  timer.unref();

  function add(count: UsageCount): void {
    const name = `${count.key_id}:${count.minute}:${count.counter}`;
    const known = pending.get(name);
    pending.set(name, known === undefined ? count : { ...known, amount: known.amount + count.amount });
  }

  /** One write after the other; what cannot be written waits for the next. */
  function write(): Promise<void> {
    writing = writing.then(async () => {
      const batch = [...pending.values()];
      pending = new Map();
      await records.addUsage(batch, minuteOf(now() - minuteRetentionMs)).catch(() => batch.forEach(add));
    });
    return writing;
  }

  const firstDay = () => new Date(now() - (reportedDays - 1) * 86_400_000).toISOString().slice(0, 10);

  return {
    count(keyId, counter, amount = 1) {
      if (amount > 0) add({ key_id: keyId, minute: minuteOf(now()), counter, amount: Math.round(amount) });
    },

    async report({ key_id, plan }) {
      await write();
      const [decision, counts] = await Promise.all([
        limiter.peek(key_id, plans[plan].calls),
        records.usage(key_id, firstDay()),
      ]);
      const rate_limit = rateLimitState(decision);
      const days = gathered(counts).map(({ at: day, ...counts }) => ({ day, ...counts }));
      return { plan, used: rate_limit.limit - rate_limit.remaining, rate_limit, days };
    },

    async reportAccount({ account_id, plan }, { key_id: asked, minutes }) {
      await write();
      const key_id = asked === 'browser' ? sessionKeyId(account_id) : asked;
      const [from_day, from_minute] = [firstDay(), minuteOf(now() - (minutes - 1) * minuteMs)];
      const totals = await records.accountUsage({ account_id, key_id, from_day, from_minute });
      const { limit, window_s } = plans[plan].calls;
      return {
        plan,
        limit,
        window_s,
        from_day,
        from_minute: `${from_minute}Z`,
        days: gathered(totals.days).map(({ at: day, ...counts }) => ({ day, ...counts })),
        minutes: gathered(totals.minutes).map(({ at, ...counts }) => ({ minute: `${at}Z`, ...counts })),
        keys: gathered(totals.keys).map(({ at, ...counts }) => ({
          key_id: at === sessionKeyId(account_id) ? 'browser' : at,
          ...counts,
        })),
      };
    },

    async close() {
      clearInterval(timer);
      await write();
    },
  };
}

/** `YYYY-MM-DDTHH:MM`, UTC. */
function minuteOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}

/** All counters of each day, minute or key, in the order in which these come. */
function gathered(totals: readonly UsageTotal[]): (UsageCounts & { at: string })[] {
  const rows = new Map<string, UsageCounts & { at: string }>();
  for (const { at, counter, amount } of totals) {
    const row = rows.get(at) ?? { at, ...noCounts };
    rows.set(at, counter in noCounts ? { ...row, [counter]: amount } : row);
  }
  return [...rows.values()];
}

const noCounts: UsageCounts = { calls: 0, refused: 0, searches: 0, contents: 0, input_tokens: 0, output_tokens: 0 };
