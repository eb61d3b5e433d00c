/** `citewire keys`: works on the store itself, whether or not a server runs on it. */
import { type Accounts, createAccounts } from '../access/accounts.ts';
import type { PlanName } from '../access/plans.ts';
import type { Config } from '../config.ts';
import { openStore } from '../store/store.ts';

export async function createKey(options: { plan: PlanName; name: string }, config: Config): Promise<number> {
  return withAccounts(config, async (accounts) => {
    const { plaintext } = await accounts.createKey(options);
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
        [key.id, plans.get(key.account_id), key.name, `created ${key.created_at}`, used, state].join('\t'),
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

async function withAccounts(config: Config, work: (accounts: Accounts) => Promise<void>): Promise<number> {
  const store = await openStore({ dataDir: config.dataDir });
  try {
    await work(createAccounts({ records: store.access }));
    return 0;
  } finally {
    await store.close();
  }
}
