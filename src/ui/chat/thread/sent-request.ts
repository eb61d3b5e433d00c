/** The keys under which questions are sent, so that one that was sent before the page was loaded again is not asked twice. */
import { randomKey } from '../../../client/calls/random-key.ts';
import type { SearchInput } from '../../../client/client.ts';

/** A request as it was sent. */
export interface SentRequest {
  readonly request: SearchInput;
  readonly idempotencyKey: string;
}

let sentBefore: SentRequest | undefined;

/**
 * What was sent before the page was loaded again may have become a search that the page never heard of. If the same is asked once
 * more, it is that search, and not a second one.
 */
export function expectAgain(sent: SentRequest): void {
  sentBefore = sent;
}

/** The idempotency key to send a request with. */
export function keyFor(request: SearchInput): string {
  // Another request under this key would be refused.
  if (sentBefore === undefined || JSON.stringify(sentBefore.request) !== JSON.stringify(request)) return randomKey();
  const { idempotencyKey } = sentBefore;
  sentBefore = undefined;
  return idempotencyKey;
}
