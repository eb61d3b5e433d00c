/**
 * Tells every process that its cached data on an account is outdated. This only makes revocation quicker: a process that
 * misses an announcement still drops its cache by age, so nothing is retried or waited for. This twin reaches one
 * process; revocations-redis.ts reaches all.
 */
export interface Revocations {
  /** Never throws; an announcement that cannot be sent is dropped. */
  announce(accountId: string): void;
  onAnnounced(forget: (accountId: string) => void): void;
  close(): Promise<void>;
}

/** Announcements within this process. */
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
