/**
 * Revocations announced to every process on one Redis. Publishing and subscribing need separate connections; both are
 * opened on first use and reconnect on their own.
 */
import type { Redis } from 'ioredis';
import { connectRedis, within } from '../base/redis/redis.ts';
import { createRevocations, type Revocations } from './revocations.ts';

/** How long `close` waits for announcements to be sent. Set by hand. */
const closeMs = 1_000;

/** Announcements across processes. They take effect in this process immediately. */
export function createRedisRevocations(options: {
  readonly url: string;
  readonly channel?: string;
  /** Called when this process is subscribed, and again after every reconnection. */
  readonly onListening?: () => void;
}): Revocations {
  const { url, channel = 'citewire:revoked', onListening = () => {} } = options;
  const here = createRevocations();
  const sending = new Set<Promise<unknown>>();
  let publisher: Redis | undefined;
  let subscriber: Redis | undefined;

  function listen(): Redis {
    const redis = connectRedis(url, { autoResubscribe: false });
    redis.on('ready', () => void redis.subscribe(channel).then(onListening, () => {}));
    redis.on('message', (_channel: string, accountId: string) => here.announce(accountId));
    return redis;
  }

  return {
    announce(accountId) {
      here.announce(accountId);
      publisher ??= connectRedis(url, { enableOfflineQueue: true });
      const sent = publisher.publish(channel, accountId).catch(() => {});
      sending.add(sent);
      void sent.finally(() => sending.delete(sent));
    },

    onAnnounced(forget) {
      here.onAnnounced(forget);
      subscriber ??= listen();
    },

    /** Waits up to a second for announcements to be sent. */
    async close() {
      await within(closeMs, Promise.all(sending)).catch(() => {});
      publisher?.disconnect();
      subscriber?.disconnect();
      await here.close();
    },
  };
}
