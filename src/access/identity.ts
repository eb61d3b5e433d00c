/**
 * Who is calling. A key is judged by its form, then by what is remembered of it, then by the store. Memory is trusted for
 * 10 s, so a revocation or suspension bites within that everywhere, and at once where its announcement arrives. When the
 * store fails, what was remembered holds for 30 s in all. Memory holds hashes, never keys, and only of keys that exist.
 *
 * Failed sign-ins are counted per address (IPv6 by /64). An address over the limit gets 429 for every further failure,
 * while a good key from it still passes: neighbours behind one address cannot lock each other out. Every way in which a
 * key can be wrong gives the same answer.
 */
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import { hashSecret, parseKey, sameHash } from './keys.ts';
import { createMemoryLimiter } from './limiter-memory.ts';
import type { Limit, PlanName } from './plans.ts';
import type { AccessRecords, Account, KeyRecord } from './records.ts';
import { createRevocations, type Revocations } from './revocations.ts';

/** Whoever may call, as the rest of the server sees them. */
export interface Caller {
  readonly key_id: string;
  readonly account_id: string;
  readonly plan: PlanName;
  /** The key's name. */
  readonly name: string;
  readonly scopes: readonly string[];
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
  close(): Promise<void>;
}

interface Remembered {
  readonly key: KeyRecord;
  readonly account: Account;
  readonly read_at: number;
}

const trustedMs = 10_000;
const staleMs = 30_000;
const writeUsesMs = 30_000;
const failures: Limit = { bucket: 'sign_in', policy: 'sign_in', limit: 20, window_s: 60 };

export function createIdentity(options: {
  readonly records: AccessRecords;
  readonly revocations?: Revocations;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}): Identity {
  const { records, revocations = createRevocations(), now = () => performance.now() } = options;
  const remembered = new LRUCache<string, Remembered>({ max: 10_000 });
  const reading = new Map<string, Promise<Remembered | undefined>>();
  const failed = createMemoryLimiter({ now, capacity: 50_000 });
  const uses = new Map<string, string>();
  const writing = setInterval(() => void writeUses(), writeUsesMs);
  writing.unref();
  // A read that began before an announcement may end after it with what was true before.
  let announced = 0;

  revocations.onAnnounced((accountId) => {
    announced++;
    for (const [id, { account }] of remembered.entries()) if (account.id === accountId) remembered.delete(id);
  });

  async function read(id: string): Promise<Remembered | undefined> {
    const before = announced;
    const found = await records.keyWithAccount(id);
    if (found === undefined) return undefined;
    const entry = { ...found, read_at: now() };
    if (announced === before) remembered.set(id, entry);
    return entry;
  }

  /** One read of the store at a time for each key, however many ask. */
  async function lookUp(id: string): Promise<Remembered | undefined> {
    const known = remembered.get(id);
    if (known !== undefined && now() - known.read_at < trustedMs) return known;
    const pending = reading.get(id) ?? read(id).finally(() => reading.delete(id));
    reading.set(id, pending);
    try {
      return await pending;
    } catch (error) {
      if (known !== undefined && now() - known.read_at < staleMs) return known;
      const message = 'The server cannot check API keys at the moment.';
      throw new AppError('overloaded', message, { retry_after_ms: 1_000, cause: error });
    }
  }

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
      if (!matches || entry.key.revoked_at !== null) {
        const decision = failed.takeNow(networkOf(address), failures);
        throw decision.allowed ? unauthorized() : tooManyFailures(decision.retry_after_ms);
      }
      const caller = callerOf(entry);
      uses.set(caller.key_id, new Date().toISOString());
      return caller;
    },

    async recheck({ key_id }) {
      const entry = await lookUp(key_id);
      if (entry === undefined || entry.key.revoked_at !== null) throw unauthorized();
      return callerOf(entry);
    },

    async close() {
      clearInterval(writing);
      await writeUses();
    },
  };
}

function callerOf({ key, account }: Remembered): Caller {
  if (account.status !== 'active') {
    const reason = account.status_reason === null ? '.' : `: ${account.status_reason}`;
    throw new AppError('forbidden', `This account is ${account.status}${reason}`);
  }
  return { key_id: key.id, account_id: account.id, plan: account.plan, name: key.name, scopes: key.scopes };
}

function unauthorized(): AppError {
  return new AppError('unauthorized', 'Expected a valid API key in the X-API-Key header.');
}

function tooManyFailures(retry_after_ms: number): AppError {
  return new AppError('rate_limited', 'Too many failed sign-ins from this address.', { retry_after_ms });
}

/** What counts as one place: an IPv4 address, also when mapped into IPv6, or a /64. */
function networkOf(address: string): string {
  const mapped = /^(?:::|(?:0{1,4}:){5})ffff:(.+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) while (groups.length < 4) groups.push('0');
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
