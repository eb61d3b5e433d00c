/**
 * Who is calling, by key: judged by its form, then by what is remembered of it, then by the store. Memory holds hashes,
 * never keys. Every way in which a key can be wrong gives the same answer, and is counted by address (sign-in-throttle.ts).
 */
import { AppError } from '../base/errors.ts';
import type { AccessRecords, Account, Key } from './access-records.ts';
import { createAuthCache } from './auth-cache.ts';
import { hashSecret, parseKey, sameHash } from './keys.ts';
import type { PlanName } from './plans.ts';
import { createRevocations, type Revocations } from './revocations.ts';
import { createSignInThrottle, type SignInThrottle } from './sign-in-throttle.ts';

/** Whoever may call, as the rest of the server sees them. */
export interface Caller {
  readonly key_id: string;
  readonly account_id: string;
  readonly plan: PlanName;
  /** The key's name. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** Where the call or its connection comes from; held for as long as that is, and never kept. */
  readonly address?: string;
  /** The browser session that signed in, where no key did. */
  readonly session?: string;
}

export interface Identity {
  /**
   * `apiKey` is the header as it came; `address` the client's, for counting failures.
   * Rejects with `unauthorized`, `forbidden` (with the account's reason), `rate_limited` or, without a store, `overloaded`.
   */
  identify(apiKey: string | undefined, address: string): Promise<Caller>;
  /** Whether this caller would still be let in: for connections that live on. Rejects as `identify` does. */
  recheck(caller: Caller): Promise<Caller>;
  /** Writes what is still unwritten of last uses. */
  write(): Promise<void>;
  close(): Promise<void>;
}

const writeUsesMs = 30_000;

export function createIdentity(options: {
  readonly records: AccessRecords;
  readonly revocations?: Revocations;
  readonly failures?: SignInThrottle;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}): Identity {
  const { records, revocations = createRevocations(), now = () => performance.now() } = options;
  const { failures = createSignInThrottle({ now }) } = options;
  const lookUp = createAuthCache({ read: records.keyWithAccount, revocations, what: 'API keys', now });
  const uses = new Map<string, string>();
  const writing = setInterval(() => void writeUses(), writeUsesMs);
  writing.unref();

  async function writeUses(): Promise<void> {
    const batch = new Map(uses);
    uses.clear();
    // Losing a last use is harmless; the next call of the key brings another.
    await records.markUsed(batch).catch(() => {});
  }

  return {
    async identify(apiKey, address) {
      const id = apiKey === undefined ? undefined : parseKey(apiKey);
      const entry = id === undefined ? undefined : await lookUp(id);
      const matches = entry !== undefined && sameHash(entry.key.secret_hash, hashSecret(apiKey!));
      if (!matches || entry.key.revoked_at !== null) throw failures.count(address, unauthorized());
      const caller = callerOf(entry);
      uses.set(caller.key_id, new Date().toISOString());
      return caller;
    },

    async recheck({ key_id }) {
      const entry = await lookUp(key_id);
      if (entry === undefined || entry.key.revoked_at !== null) throw unauthorized();
      return callerOf(entry);
    },

    write: writeUses,

    async close() {
      clearInterval(writing);
      await writeUses();
    },
  };
}

function callerOf({ key, account }: { readonly key: Key; readonly account: Account }): Caller {
  checkActive(account);
  return { key_id: key.id, account_id: account.id, plan: account.plan, name: key.name, scopes: key.scopes };
}

/** Throws `forbidden`, with the reason, unless the account is active. */
export function checkActive(account: Account): void {
  if (account.status === 'active') return;
  const reason = account.status_reason === null ? '.' : `: ${account.status_reason}`;
  throw new AppError('forbidden', `This account is ${account.status}${reason}`);
}

/** The same for everything that is wrong with a key or a session. */
export function unauthorized(): AppError {
  return new AppError('unauthorized', 'Expected a valid API key in the X-API-Key header.');
}
