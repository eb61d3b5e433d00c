/**
 * Tells every process that what it remembers of an account is no longer true. It only makes revocation quicker: whoever
 * misses a message forgets by age soon enough, so nothing here is retried or waited for. This twin reaches one process;
 * revocations-redis.ts reaches all.
 */
export interface Revocations {
  /** Never throws; a message that cannot be sent is dropped. */
  announce(accountId: string): void;
  onAnnounced(forget: (accountId: string) => void): void;
  close(): Promise<void>;
}

export function createRevocations(): Revocations {
  const listeners: ((accountId: string) => void)[] = [];
  return {
    announce(accountId) {
      for (const forget of listeners) forget(accountId);
    },
    onAnnounced(forget) {
      listeners.push(forget);
    },
    async close() {
      listeners.length = 0;
    },
  };
}
