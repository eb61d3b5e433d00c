/** `citewire keys`: works on the store itself, whether or not a server runs on it. */

import type { Key } from '../access/access-records.ts';
import type { PlanName } from '../access/plans.ts';
import type { Scope } from '../access/scopes.ts';
import type { Config } from '../base/config.ts';
import { withAccounts } from './accounts.ts';

interface NewKeyOptions {
  readonly name: string;
  readonly plan?: PlanName;
  readonly account?: string;
  readonly scope?: readonly Scope[];
}

/** For an account that exists, or for a new one of this plan. */
export async function createKey(options: NewKeyOptions, config: Config): Promise<number> {
  return withAccounts(config, async (accounts) => {
    const { name, account, plan = 'starter', scope: scopes = [] } = options;
    const owner = account === undefined ? { plan } : { account };
    const { plaintext } = await accounts.createKey({ name, scopes, ...owner });
    process.stdout.write(`${plaintext}\n`);
  });
}

export async function listKeys(config: Config): Promise<number> {
  return withAccounts(config, async (accounts) => {
    const plans = new Map((await accounts.listAccounts()).map((account) => [account.id, account.plan]));
    for (const key of await accounts.listKeys()) {
      const state = key.revoked_at === null ? 'active' : `revoked ${key.revoked_at}`;
      const used = key.last_used_at === null ? 'never used' : `used ${key.last_used_at}`;
      process.stdout.write(
        [key.id, plans.get(key.account_id), key.name, `created ${key.created_at}`, used, state, ...mayOnly(key)].join(
          '\t',
        ),
      );
      process.stdout.write('\n');
    }
  });
}

export async function revokeKey(id: string, config: Config): Promise<number> {
  return withAccounts(config, async (accounts) => {
    const key = await accounts.revokeKey(id);
    process.stderr.write(`Key ${key.id} is revoked.\n`);
  });
}

function mayOnly({ scopes }: Key): string[] {
  return scopes.length === 0 ? [] : [`only ${scopes.join(', ')}`];
}
