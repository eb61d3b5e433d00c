/**
 * Accounts that look like one user: they called from one network in the same minutes, and together more often than the
 * best of their plans allows one key. This is a hint, not proof: an office is one network too, and an account with several
 * keys can exceed the limit alone.
 */

import type { Account, SharedMinute } from '../access-records.ts';
import { type PlanName, plans } from '../plans.ts';

export interface SuspectGroup {
  /** By calls, highest first; `calls` counts the minutes over the limit only. */
  readonly accounts: readonly (Account & { readonly calls: number })[];
  /** The number of minutes over the limit. */
  readonly minutes: number;
  /** The highest number of calls they made together in one minute. */
  readonly peak: number;
  /** The calls per minute that the best of their plans allows one key. */
  readonly limit: number;
}

interface Group {
  readonly calls: Map<string, number>;
  minutes: number;
  peak: number;
}

/** Groups that share an account are merged. Sorted by minutes over the limit, then by peak, highest first. */
export function findSuspects(minutes: readonly SharedMinute[], accounts: readonly Account[]): SuspectGroup[] {
  const known = new Map(accounts.map((account) => [account.id, account]));
  const limitOf = (ids: Iterable<string>) => Math.max(...[...ids].map((id) => limitsByPlan[known.get(id)!.plan]));
  const groups = new Map<string, Group>();
  for (const calls of callsTogether(minutes.filter(({ account_id }) => known.has(account_id)))) {
    const together = [...calls.values()].reduce((sum, each) => sum + each, 0);
    if (calls.size < 2 || together <= limitOf(calls.keys())) continue;
    add(groups, { calls, minutes: 1, peak: together });
  }
  return [...new Set(groups.values())]
    .map(({ calls, ...group }) => {
      const byCalls = [...calls].sort(([, a], [, b]) => b - a);
      const members = byCalls.map(([id, count]) => ({ ...known.get(id)!, calls: count }));
      return { accounts: members, ...group, limit: limitOf(calls.keys()) };
    })
    .sort((a, b) => b.minutes - a.minutes || b.peak - a.peak);
}

const limitsByPlan = Object.fromEntries(
  Object.entries(plans).map(([name, { calls }]) => [name, calls.limit]),
) as Record<PlanName, number>;

/** Calls by account, for each network in each minute. */
function callsTogether(minutes: readonly SharedMinute[]): Iterable<Map<string, number>> {
  const places = new Map<string, Map<string, number>>();
  for (const { minute, mark, account_id, calls } of minutes) {
    const name = `${minute} ${mark}`;
    const place = places.get(name) ?? new Map<string, number>();
    places.set(name, place.set(account_id, (place.get(account_id) ?? 0) + calls));
  }
  return places.values();
}

/** Merges it with the groups that its accounts are in. */
function add(groups: Map<string, Group>, group: Group): void {
  const others = new Set([...group.calls.keys()].flatMap((id) => groups.get(id) ?? []));
  for (const { calls, minutes, peak } of others) {
    for (const [id, count] of calls) group.calls.set(id, (group.calls.get(id) ?? 0) + count);
    group.minutes += minutes;
    group.peak = Math.max(group.peak, peak);
  }
  for (const id of group.calls.keys()) groups.set(id, group);
}
