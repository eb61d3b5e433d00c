/**
 * Idempotency keys in Redis: who claims one first starts the search, the others wait for it to be settled and read that
 * search. A claim that was not settled is worth as much as its process's lease.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Idempotency } from '../run-records.ts';
import type { Claim } from '../shared-runs.ts';
import type { RunCommands } from './commands.ts';

interface Claimed {
  readonly hash: string;
  readonly process: string;
  /** Once there is a search. */
  readonly search_id?: string;
}

const lookAgainMs = 50;

/** Rejects when Redis does not answer. `expected`: what is known to stand there, empty for nothing. */
export async function claimKey(
  commands: RunCommands,
  process: string,
  account_id: string,
  { key, hash }: Idempotency,
  expected = '',
): Promise<Claim> {
  const keyHash = createHash('sha256').update(key).digest('base64url');
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
      const take = () => claimKey(commands, process, account_id, { key, hash }, held);
      return { isMine: false, hash: claimed.hash, search_id: search_id ?? '', take };
    }
    if (await commands.isAlive(claimed.process)) await sleep(lookAgainMs);
    else before = held;
  }

  function settle(search_id: string): void {
    swap(mine, JSON.stringify({ hash, process, search_id } satisfies Claimed)).catch(() => {});
  }
}
