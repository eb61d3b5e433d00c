/**
 * Idempotency keys in Redis. The first process to claim a key starts the search; the others wait until the claim is
 * settled and read that search. An unsettled claim lasts only as long as the lease of its process.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Idempotency } from '../records/run-records.ts';
import type { Claim, RunDescriptor } from '../shared-runs.ts';
import type { RunCommands } from './commands.ts';

interface Claimed {
  readonly hash: string;
  readonly process: string;
  /** Present once the search has started. */
  readonly search_id?: string;
}

/** How often a claim of another process is polled. Set by hand. */
const pollMs = 50;

/** `expected` is the stored claim to replace, empty for none. Rejects when Redis does not answer. */
export async function claimKey(
  commands: RunCommands,
  process: string,
  account_id: string,
  { key, hash }: Idempotency,
  expected = '',
): Promise<Claim> {
  const keyHash = hashOf(key);
  const mine = JSON.stringify({ hash, process } satisfies Claimed);
  const swap = (from: string, to: string) => commands.swapClaim(account_id, keyHash, from, to);

  let before = expected;
  for (;;) {
    const held = await swap(before, mine);
    if (held === before) return { isMine: true, settle, release: () => void swap(mine, '').catch(() => {}) };
    before = '';
    if (held === '') continue;
    const { search_id, ...claimed } = JSON.parse(held) as Claimed;
    if (search_id !== undefined || claimed.hash !== hash) {
      const takeOver = () => claimKey(commands, process, account_id, { key, hash }, held);
      return { isMine: false, hash: claimed.hash, search_id: search_id ?? '', takeOver };
    }
    if (await commands.isAlive(claimed.process)) await sleep(pollMs);
    else before = held;
  }

  function settle(search_id: string): void {
    const settled = JSON.stringify({ hash, process, search_id } satisfies Claimed);
    // Without the claim, Redis has lost its memory.
    swap(mine, settled)
      .then((held) => (held === '' ? swap('', settled) : held))
      .catch(() => {});
  }
}

/** Claims the key of a running search again, after Redis has lost its memory. Rejects when Redis does not answer. */
export async function restoreClaim(
  commands: RunCommands,
  process: string,
  { account_id, search_id, idempotency }: RunDescriptor,
): Promise<void> {
  if (idempotency === undefined) return;
  const settled = { hash: idempotency.hash, process, search_id } satisfies Claimed;
  await commands.swapClaim(account_id, hashOf(idempotency.key), '', JSON.stringify(settled));
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
