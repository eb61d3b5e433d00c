/** `citewire accounts`: works on the store itself, whether or not a server runs on it. */

import type { Account, AccountState } from '../access/access-records.ts';
import { type Accounts, createAccounts } from '../access/accounts.ts';
import { createBrowserRules } from '../access/browser/request.ts';
import { createSessions, type Sessions } from '../access/browser/sessions.ts';
import type { PlanName } from '../access/plans.ts';
import { createRevocations } from '../access/revocations.ts';
import type { Config } from '../base/config.ts';
import { openStore } from '../store/store.ts';

/** Prints the account's id alone. */
export function createAccount(options: { name: string; plan: PlanName }, config: Config): Promise<number> {
  return withAccounts(config, async (accounts) => {
    const { id } = await accounts.createAccount(options);
    process.stdout.write(`${id}\n`);
  });
}

export function setPlan(id: string, plan: PlanName, config: Config): Promise<number> {
  return withAccounts(config, async (accounts) => say(await accounts.setPlan(id, plan)));
}

/** `reason` is shown to the account's callers. */
export function setStatus(
  id: string,
  status: AccountState,
  reason: string | undefined,
  config: Config,
): Promise<number> {
  return withAccounts(config, async (accounts) => say(await accounts.setStatus(id, status, reason)));
}

export function listAccounts(config: Config): Promise<number> {
  return withAccounts(config, async (accounts) => {
    for (const { id, plan, status, name, created_at, status_reason } of await accounts.listAccounts()) {
      const reason = status_reason === null ? '' : status_reason;
      process.stdout.write(`${[id, plan, status, name, `created ${created_at}`, reason].join('\t').trimEnd()}\n`);
    }
  });
}

/** A line for each account, the groups apart; exit code 0 whether there are any or not. */
export function listSuspects(config: Config): Promise<number> {
  return withAccounts(config, async (accounts) => {
    const groups = await accounts.listSuspects();
    if (groups.length === 0) process.stderr.write('No accounts passed a limit together in the last week.\n');
    for (const { accounts: members, minutes, peak, limit } of groups) {
      const often = `${minutes} minute${minutes === 1 ? '' : 's'}`;
      process.stdout.write(`From one address, ${often} over ${limit} calls together, at most ${peak}:\n`);
      for (const { id, plan, status, name, calls } of members) {
        process.stdout.write(`${[id, plan, status, name, `${calls} calls`].join('\t')}\n`);
      }
    }
  });
}

export async function withAccounts(
  config: Config,
  work: (accounts: Accounts, sessions: Sessions) => Promise<void>,
): Promise<number> {
  const store = await openStore(config);
  // With a Redis, servers hear of a revocation at once; without, they notice by themselves within seconds.
  const revocations =
    config.redisUrl === undefined
      ? createRevocations()
      : (await import('../access/revocations-redis.ts')).createRedisRevocations({ url: config.redisUrl });
  const rules = createBrowserRules(config.publicUrl);
  const sessions = createSessions({ records: store.access, rules, revocations });
  try {
    await work(createAccounts({ records: store.access, revocations }), sessions);
    return 0;
  } finally {
    await sessions.close();
    await revocations.close();
    await store.close();
  }
}

function say({ id, plan, status }: Account): void {
  process.stderr.write(`Account ${id} is ${status}, on plan ${plan}.\n`);
}
