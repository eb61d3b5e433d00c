/**
 * Revocations heard by every process on one Redis. Publishing and subscribing each need a connection of their own;
 * both come up by themselves and wait for nothing.
 */
import type { Redis } from 'ioredis';
import { connectRedis, within } from '../base/redis.ts';
import { createRevocations, type Revocations } from './revocations.ts';

const closeMs = 1_000;

export function createRedisRevocations(options: {
  readonly url: string;
  readonly channel?: string;
  /** Called when this process hears the others; again after every interruption. */
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

    /** Waits a moment for what was announced to be sent. */
    async close() {
      await within(closeMs, Promise.all(sending)).catch(() => {});
      publisher?.disconnect();
      subscriber?.disconnect();
      await here.close();
    },
  };
}
