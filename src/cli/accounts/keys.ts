/** `citewire keys`: works directly on the store, whether or not a server is running. Each command resolves with its exit code. */
import type { Key } from '../../access/access-records.ts';
import { adminScope } from '../../access/administration/administrators.ts';
import type { PlanName } from '../../access/plans.ts';
import type { Scope } from '../../access/scopes.ts';
import type { Config } from '../../base/config.ts';
import { printRow } from '../print-row.ts';
import { withAccess } from './with-access.ts';

interface NewKeyOptions {
  readonly name: string;
  readonly plan?: PlanName;
  readonly account?: string;
  readonly scope?: readonly Scope[];
  /** Whether it may manage accounts; without `scope` nothing else. */
  readonly admin?: boolean;
}

/**
 * Creates a key for an existing account, or for a new one on `plan`, and prints only the key. Throws `not_found` for an unknown
 * account.
 */
export async function createKey(options: NewKeyOptions, config: Config): Promise<number> {
  return withAccess(config, async ({ accounts }) => {
    const { name, account, plan = 'starter', scope = [], admin = false } = options;
    const scopes = admin ? [...scope, adminScope] : scope;
    const owner = account === undefined ? { plan } : { account };
    const { plaintext } = await accounts.createKey({ name, scopes, ...owner });
    process.stdout.write(`${plaintext}\n`);
  });
}

/** Prints one tab-separated line per key: id, account, plan, name, creation time, last use, state and restrictions. */
export async function listKeys(config: Config): Promise<number> {
  return withAccess(config, async ({ accounts }) => {
    const keys = await accounts.listKeys();
    // After the keys, so that the account of each is known.
    const byId = new Map((await accounts.listAccounts()).map((account) => [account.id, account]));
    for (const key of keys) {
      const { plan, status } = byId.get(key.account_id)!;
      const ofAccount = status === 'active' ? status : `account ${status}`;
      const state = key.revoked_at === null ? ofAccount : `revoked ${key.revoked_at}`;
      const used = key.last_used_at === null ? 'never used' : `used ${key.last_used_at}`;
      const about = [key.id, key.account_id, plan, key.name, `created ${key.created_at}`, used, state];
      printRow([...about, ...restrictionsOf(key)]);
    }
  });
}

/** `id` is the 8 public characters of a key, or the whole key. Throws `not_found` when there is no such key. */
export async function revokeKey(id: string, config: Config): Promise<number> {
  return withAccess(config, async ({ accounts }) => {
    const key = await accounts.revokeKey(id);
    process.stderr.write(`Key ${key.id} revoked.\n`);
  });
}

function restrictionsOf({ scopes, collections }: Key): string[] {
  return [
    ...(scopes.length === 0 ? [] : [`only ${scopes.join(', ')}`]),
    ...(collections === undefined ? [] : [`only in ${collections.join(', ')}`]),
  ];
}
