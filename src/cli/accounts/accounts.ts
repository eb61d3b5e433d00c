/**
 * `citewire accounts`: works directly on the store, whether or not a server is running. Each command resolves with its exit code.
 */
import type { Account, AccountState } from '../../access/access-records.ts';
import type { PlanName } from '../../access/plans.ts';
import type { Config } from '../../base/config.ts';
import { printRow } from '../print-row.ts';
import { withAccess } from './with-access.ts';

/** Prints only the id of the new account. */
export function createAccount(options: { name: string; plan: PlanName }, config: Config): Promise<number> {
  return withAccess(config, async ({ accounts }) => {
    const { id } = await accounts.createAccount(options);
    process.stdout.write(`${id}\n`);
  });
}

/** Throws `not_found` when there is no such account. */
export function setPlan(id: string, plan: PlanName, config: Config): Promise<number> {
  return withAccess(config, async ({ accounts }) => report(await accounts.setPlan(id, plan)));
}

/** `reason` is shown to the account's callers. Throws `not_found` when there is no such account. */
export function setStatus(
  id: string,
  status: AccountState,
  reason: string | undefined,
  config: Config,
): Promise<number> {
  return withAccess(config, async ({ accounts }) => report(await accounts.setStatus(id, status, reason)));
}

/**
 * Prints one tab-separated line per account: id, plan, status, name, creation time and reason. All words of `search` must occur.
 */
export function listAccounts(
  config: Config,
  { search = '', status: only }: { readonly search?: string; readonly status?: AccountState } = {},
): Promise<number> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return withAccess(config, async ({ accounts }) => {
    for (const { id, plan, status, name, created_at, status_reason } of await accounts.listAccounts()) {
      const text = `${id} ${name}`.toLowerCase();
      if ((only !== undefined && status !== only) || !words.every((word) => text.includes(word))) continue;
      const reason = status_reason === null ? '' : status_reason;
      printRow([id, plan, status, name, `created ${created_at}`, reason]);
    }
  });
}

/** Prints each group of suspects with a line per account; the exit code is 0 even if there are none. */
export function listSuspects(config: Config): Promise<number> {
  return withAccess(config, async ({ accounts }) => {
    const groups = await accounts.listSuspects();
    if (groups.length === 0) process.stderr.write('No group of accounts exceeded a limit in the last week.\n');
    for (const { accounts: members, minutes, peak, limit } of groups) {
      const duration = `${minutes} minute${minutes === 1 ? '' : 's'}`;
      process.stdout.write(`One IP address: over ${limit} calls combined in ${duration}, peak ${peak}:\n`);
      for (const { id, plan, status, name, calls } of members) {
        printRow([id, plan, status, name, `${calls} calls`]);
      }
    }
  });
}

function report({ id, plan, status }: Account): void {
  process.stderr.write(`Account ${id}: ${status}, plan ${plan}.\n`);
}
