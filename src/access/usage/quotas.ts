/**
 * Quotas beyond the minute: searches and tokens of models by day and month, for an account with all its keys. They are counted in
 * the database, so that they hold exactly over all processes: a search is counted in the statement that checks the limit. Tokens
 * are known when they are spent: a search begins as long as there are some left, so those that run together may spend more.
 * What cannot be written is written later; a process that is killed loses it. A plan without quotas costs no query.
 */
import type { Quota } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import type { PlanQuotas } from '../../base/settings/quota-settings.ts';
import { dayMs } from '../../base/values/day.ts';
import type { AccessRecords, QuotaLimit, QuotaPeriod } from '../access-records.ts';
import type { Caller } from '../identity.ts';
import type { PlanName } from '../plans.ts';

export interface Quotas {
  /**
   * Counts a search. Rejects with `quota_exceeded`, and counts nothing, when it or the tokens are used up; the returned function
   * uncounts it.
   */
  take(caller: Pick<Caller, 'account_id' | 'plan'>): Promise<() => Promise<void>>;
  /** Whether any tokens are left. Counts nothing: for calls of a model that are not part of a search. */
  hasTokens(caller: Pick<Caller, 'account_id' | 'plan'>): Promise<boolean>;
  /** Counts tokens that were spent; those that cannot be written are kept for a later write. Never rejects. */
  addTokens(caller: Pick<Caller, 'account_id' | 'plan'>, tokens: number): Promise<void>;
  /** What the account has used of its quotas; empty without any. */
  report(caller: Pick<Caller, 'account_id' | 'plan'>): Promise<Quota[]>;
  /** Writes what could not be written before. */
  close(): Promise<void>;
}

/** Tokens of an account that were spent, to be added in these periods. */
interface Spent {
  readonly account_id: string;
  readonly quotas: readonly QuotaPeriod[];
  readonly amount: number;
}

/** How often what could not be written is tried again, and how many such counts are kept. Set by hand. */
const retryMs = 5_000;
const maxUnwritten = 10_000;
/** How soon after the start, and how often then, old counts are removed, and how old they are. Set by hand. */
const firstForgetMs = 60_000;
const forgetMs = 3_600_000;
const keptMs = 2 * dayMs;

const units = { searches: 'searches', tokens: 'tokens of models' } as const;
const names = ['searches_per_day', 'searches_per_month', 'tokens_per_day', 'tokens_per_month'] as const;

interface PlanQuota extends QuotaLimit {
  readonly name: (typeof names)[number];
  readonly resets_at: string;
}

/** `limits` by plan; `now` is ms since 1970. Days and months are in UTC. */
export function createQuotas(options: {
  readonly records: Pick<AccessRecords, 'takeQuota' | 'addToQuota' | 'quotaCounts' | 'forgetQuotas'>;
  readonly limits: Partial<Record<PlanName, PlanQuotas | undefined>>;
  readonly now?: () => number;
  /** The times above, for tests. */
  readonly times?: { readonly retryMs: number; readonly firstForgetMs: number };
}): Quotas {
  const { records, limits, now = () => Date.now(), times = { retryMs, firstForgetMs } } = options;
  const unwritten = new Map<string, Spent>();
  let writing: Promise<void> = Promise.resolve();
  const adding = new Set<Promise<unknown>>();
  const retrying = setInterval(() => void writeAgain(), times.retryMs).unref();
  let forgetting = setTimeout(forget, times.firstForgetMs).unref();

  async function forget(): Promise<void> {
    forgetting = setTimeout(forget, forgetMs).unref();
    // An outage is reported elsewhere.
    await records.forgetQuotas(new Date(now() - keptMs).toISOString().slice(0, 10)).catch(() => {});
  }

  function keep({ account_id, quotas, amount }: Spent): void {
    const name = JSON.stringify([account_id, ...quotas.map(({ period }) => period)]);
    const known = unwritten.get(name);
    if (known === undefined && unwritten.size >= maxUnwritten) return;
    unwritten.set(name, { account_id, quotas, amount: amount + (known?.amount ?? 0) });
  }

  /** One after the other, so that none is written twice. */
  function writeAgain(): Promise<void> {
    writing = writing.then(async () => {
      for (const [name, spent] of unwritten) {
        unwritten.delete(name);
        if (await write(spent)) continue;
        // The others would fail, too.
        return;
      }
    });
    return writing;
  }

  async function write(spent: Spent): Promise<boolean> {
    try {
      await records.addToQuota(spent.account_id, spent.quotas, spent.amount);
      return true;
    } catch {
      keep(spent);
      return false;
    }
  }

  /** Those of a plan, with their present periods. */
  function quotasOf(plan: PlanName): PlanQuota[] {
    const time = new Date(now());
    const iso = time.toISOString();
    const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
    return names.flatMap((name) => {
      const limit = limits[plan]?.[name];
      if (limit === undefined) return [];
      const isDay = name.endsWith('_day');
      const resets = isDay ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
      const counter = name.startsWith('searches') ? 'searches' : 'tokens';
      const period = iso.slice(0, isDay ? 10 : 7);
      return [{ name, counter, period, limit, resets_at: new Date(resets).toISOString() }];
    });
  }

  const tokenQuotasOf = (plan: PlanName) => quotasOf(plan).filter(({ counter }) => counter === 'tokens');

  return {
    async take({ account_id, plan }) {
      const quotas = quotasOf(plan);
      if (quotas.length === 0) return async () => {};
      const full = await records.takeQuota(account_id, quotas);
      // Before the last of them begins again, no search would be answered.
      const latest = full
        .map(({ resets_at }) => resets_at)
        .toSorted()
        .at(-1);
      const last = full.find(({ resets_at }) => resets_at === latest);
      if (last !== undefined) throw exceeded(last, now());
      const searches = quotas.filter(({ counter }) => counter === 'searches');
      return () => records.addToQuota(account_id, searches, -1);
    },

    async hasTokens({ account_id, plan }) {
      const quotas = tokenQuotasOf(plan);
      if (quotas.length === 0) return true;
      const counts = await records.quotaCounts(account_id, quotas);
      return quotas.every(({ limit }, index) => counts[index]! < limit);
    },

    async addTokens({ account_id, plan }, tokens) {
      const quotas = tokenQuotasOf(plan);
      if (quotas.length === 0 || tokens === 0) return;
      const added = write({ account_id, quotas, amount: tokens }).finally(() => adding.delete(added));
      adding.add(added);
      await added;
    },

    async report({ account_id, plan }) {
      const quotas = quotasOf(plan);
      if (quotas.length === 0) return [];
      const counts = await records.quotaCounts(account_id, quotas);
      return quotas.map(({ name, limit, resets_at }, index) => ({ name, limit, used: counts[index]!, resets_at }));
    },

    async close() {
      clearInterval(retrying);
      clearTimeout(forgetting);
      // What fails meanwhile is kept, and written again after it.
      await Promise.all(adding);
      await writeAgain();
    },
  };
}

function exceeded({ name, counter, limit, resets_at }: PlanQuota, time: number): AppError {
  const message = `This account has used its quota ${name}: ${limit.toLocaleString('en')} ${units[counter]}. It resets at ${resets_at}.`;
  return new AppError('quota_exceeded', message, { retry_after_ms: Math.max(1_000, Date.parse(resets_at) - time) });
}
