/**
 * Idempotency keys in Redis. The first process to claim a key starts the search; the others wait until the claim is
 * settled and read that search. An unsettled claim lasts only as long as the lease of its process, and blocks its key:
 * what settles or releases it is sent until Redis acknowledges it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Idempotency } from '../records/run-records.ts';
import type { Claim, RunDescriptor } from '../shared-runs.ts';
import type { RunCommands } from './commands.ts';

interface Claimed {
  readonly hash: string;
  readonly process: string;
  /** Differs for each claim, so that what is sent late never changes a later one. */
  readonly claim_id?: string;
  /** Present once the search has started. */
  readonly search_id?: string;
}

export interface Claims {
  /** Waits while another request starts a search under this key. Undefined when Redis does not answer. */
  claim(account_id: string, idempotency: Idempotency): Promise<Claim | undefined>;
  /** Claims the key of a running search again, after Redis was away or has lost its memory. Rejects when Redis does not answer. */
  restore(run: RunDescriptor): Promise<void>;
  /** Sends again what Redis has not acknowledged. */
  retry(): void;
}

/** How often a claim of another process is polled. Set by hand. */
const pollMs = 50;

/** The claims of this process. */
export function createClaims(commands: RunCommands, process: string): Claims {
  /** The claims, as stored, under which this process is starting a search. */
  const starting = new Set<string>();
  const unacknowledged = new Set<() => Promise<unknown>>();

  function send(change: () => Promise<unknown>): void {
    change().catch(() => unacknowledged.add(change));
  }

  /** `expected` is the stored claim to replace, empty for none. Undefined when Redis does not answer. */
  async function claim(account_id: string, idempotency: Idempotency, expected = ''): Promise<Claim | undefined> {
    const keyHash = hashOf(idempotency.key);
    const claimed = { hash: idempotency.hash, process, claim_id: randomUUID() } satisfies Claimed;
    const mine = JSON.stringify(claimed);
    const swap = (from: string, to: string) => commands.swapClaim(account_id, keyHash, from, to);
    starting.add(mine);
    try {
      return await swapIn();
    } catch {
      // Redis may have stored it nevertheless.
      release();
      return undefined;
    }

    async function swapIn(): Promise<Claim> {
      let wasHeld = false;
      for (let before = expected; ; ) {
        const held = await swap(before, mine);
        if (held === before) return { isMine: true, wasHeld, settle, release };
        before = '';
        if (held === '') continue;
        const { search_id, hash, process: holder } = JSON.parse(held) as Claimed;
        if (search_id !== undefined || hash !== idempotency.hash) {
          starting.delete(mine);
          const takeOver = () => claim(account_id, idempotency, held);
          return { isMine: false, hash, search_id: search_id ?? '', takeOver };
        }
        wasHeld = true;
        if (await isStarting(held, holder)) await sleep(pollMs);
        else before = held;
      }
    }

    function release(): void {
      starting.delete(mine);
      send(() => swap(mine, ''));
    }

    function settle(search_id: string): void {
      starting.delete(mine);
      const settled = JSON.stringify({ ...claimed, search_id } satisfies Claimed);
      // Without the claim, Redis has lost its memory.
      send(() => swap(mine, settled).then((held) => (held === '' ? swap('', settled) : held)));
    }
  }

  async function isStarting(held: string, holder: string): Promise<boolean> {
    return holder === process ? starting.has(held) : commands.isAlive(holder);
  }

  return {
    claim: (account_id, idempotency) => claim(account_id, idempotency),

    async restore({ account_id, search_id, idempotency }) {
      if (idempotency === undefined) return;
      const settled = JSON.stringify({ hash: idempotency.hash, process, search_id } satisfies Claimed);
      const swap = (from: string) => commands.swapClaim(account_id, hashOf(idempotency.key), from, settled);
      const held = await swap('');
      if (held === '') return;
      const other = JSON.parse(held) as Claimed;
      // Redis stored it but its reply did not arrive here, so the search began without a claim.
      if (other.process === process && other.search_id === undefined && !starting.has(held)) await swap(held);
    },

    retry() {
      for (const change of unacknowledged) {
        unacknowledged.delete(change);
        send(change);
      }
    },
  };
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
