/** Accounts, keys, sign-in links and invitations in the store, for commands that work on them whether or not a server is running. */
import { type Accounts, createAccounts } from '../../access/accounts.ts';
import { createInvitations, type Invitations } from '../../access/administration/invitations.ts';
import { createBrowserRules } from '../../access/browser/request.ts';
import { createSessions, type Sessions } from '../../access/browser/sessions.ts';
import { createRevocations } from '../../access/revocations.ts';
import type { Config } from '../../base/config.ts';
import { openStore } from '../../store/store.ts';

export interface OpenAccess {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly invitations: Invitations;
}

/** Opens the store for `work`, closes it afterwards, and resolves with exit code 0. Rejects with whatever `work` throws. */
export async function withAccess(config: Config, work: (access: OpenAccess) => Promise<void>): Promise<number> {
  const store = await openStore(config);
  // With Redis, running servers are notified of changes immediately; without it, they notice within seconds.
  const revocations =
    config.redisUrl === undefined
      ? createRevocations()
      : (await import('../../access/revocations-redis.ts')).createRedisRevocations({ url: config.redisUrl });
  const rules = createBrowserRules(config.publicUrl);
  const sessions = createSessions({ records: store.access, rules, revocations });
  const accounts = createAccounts({ records: store.access, revocations });
  try {
    await work({ accounts, sessions, invitations: createInvitations(store.access) });
    return 0;
  } finally {
    await sessions.close();
    await revocations.close();
    await store.close();
  }
}
