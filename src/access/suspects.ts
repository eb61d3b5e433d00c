/**
 * Accounts that look like one user: they called from one place in the same minutes, and together more often than the best
 * of their plans allows one key. A hint and no proof, for whoever decides: an office is one place too, and an account with
 * several keys passes the limit by itself.
 */

import type { Account, SharedMinute } from './access-records.ts';
import { type PlanName, plans } from './plans.ts';

export interface SuspectGroup {
  /** Those with the most calls first; `calls` are those of the minutes over the limit. */
  readonly accounts: readonly (Account & { readonly calls: number })[];
  /** How many minutes were over the limit; an account may be in several groups of a minute. */
  readonly minutes: number;
  /** Most calls that they made together in a minute. */
  readonly peak: number;
  /** What the best of their plans allows one key in a minute. */
  readonly limit: number;
}

interface Group {
  readonly calls: Map<string, number>;
  minutes: number;
  peak: number;
}

/** Groups that share an account are one. Those over the limit in the most minutes come first. */
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

/** The calls of each account, for each place of each minute. */
function callsTogether(minutes: readonly SharedMinute[]): Iterable<Map<string, number>> {
  const places = new Map<string, Map<string, number>>();
  for (const { minute, mark, account_id, calls } of minutes) {
    const name = `${minute} ${mark}`;
    const place = places.get(name) ?? new Map<string, number>();
    places.set(name, place.set(account_id, (place.get(account_id) ?? 0) + calls));
  }
  return places.values();
}

/** Joins it with the groups that its accounts are in. */
function add(groups: Map<string, Group>, group: Group): void {
  const others = new Set([...group.calls.keys()].flatMap((id) => groups.get(id) ?? []));
  for (const { calls, minutes, peak } of others) {
    for (const [id, count] of calls) group.calls.set(id, (group.calls.get(id) ?? 0) + count);
    group.minutes += minutes;
    group.peak = Math.max(group.peak, peak);
  }
  for (const id of group.calls.keys()) groups.set(id, group);
}
