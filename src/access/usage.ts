/**
 * What a key has used: its minute from the limiter, its days from the store. Counts are gathered here and written every
 * few seconds, so counting costs no query; a process that is killed loses the seconds since the last write.
 */
import type { KeyUsage } from '../../protocol/index.ts';
import type { Caller } from './identity.ts';
import { type Limiter, rateLimitState } from './limiter.ts';
import { plans } from './plans.ts';
import type { AccessRecords, UsageCount } from './records.ts';

/** `calls` are the counted ones; `refused` went over the limit. */
export const usageCounters = ['calls', 'refused', 'searches', 'contents', 'input_tokens', 'output_tokens'] as const;
export type UsageCounter = (typeof usageCounters)[number];

type UsageDay = KeyUsage['days'][number];

export interface Usage {
  count(keyId: string, counter: UsageCounter, amount?: number): void;
  /** The body of `GET /v1/usage`: days of this key, the newest last, those without use left out. */
  report(caller: Caller): Promise<KeyUsage>;
  /** Writes what is not yet written. */
  close(): Promise<void>;
}

const writeMs = 5_000;
const reportedDays = 31;

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
    const name = `${count.key_id}:${count.day}:${count.counter}`;
    const known = pending.get(name);
    pending.set(name, known === undefined ? count : { ...known, amount: known.amount + count.amount });
  }

  /** One write after the other; what cannot be written waits for the next. */
  function write(): Promise<void> {
    writing = writing.then(async () => {
      const batch = [...pending.values()];
      pending = new Map();
      await records.addUsage(batch).catch(() => batch.forEach(add));
    });
    return writing;
  }

  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

  return {
    count(keyId, counter, amount = 1) {
      if (amount > 0) add({ key_id: keyId, day: dayOf(now()), counter, amount: Math.round(amount) });
    },

    async report({ key_id, plan }) {
      await write();
      const [decision, counts] = await Promise.all([
        limiter.peek(key_id, plans[plan].calls),
        records.usage(key_id, dayOf(now() - (reportedDays - 1) * 86_400_000)),
      ]);
      const rate_limit = rateLimitState(decision);
      return { plan, used: rate_limit.limit - rate_limit.remaining, rate_limit, days: byDay(counts) };
    },

    async close() {
      clearInterval(timer);
      await write();
    },
  };
}

function byDay(counts: readonly UsageCount[]): UsageDay[] {
  const days = new Map<string, Record<string, number>>();
  const none = Object.fromEntries(usageCounters.map((counter) => [counter, 0]));
  for (const { day, counter, amount } of counts) {
    if (!days.has(day)) days.set(day, { ...none });
    if (counter in none) days.get(day)![counter] = amount;
  }
  return [...days].map(([day, totals]) => ({ day, ...totals }) as UsageDay);
}
