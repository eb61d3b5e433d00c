/**
 * Connections to Redis for callers that must never wait for it. Commands on a broken connection fail immediately; none is
 * queued or resent. A lost connection is retried five times a second. Callers set their own deadlines; the timeout here
 * only keeps abandoned commands from piling up.
 */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { catchWarnings, watchTrouble } from './redis-trouble.ts';
import { parseRedisUrl, type RedisAddress } from './redis-url.ts';

/** How often the client of a cluster asks which node has which keys. Set by hand. */
const refreshMs = 2_000;
/** The pause before a lost connection is tried again. Set by hand. */
const reconnectMs = 200;

const failFast: RedisOptions = {
  enableOfflineQueue: false,
  // Else a command in flight when the connection closes is settled only by its timeout.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: 500,
  commandTimeout: 1_000,
  disconnectTimeout: 100,
  retryStrategy: () => reconnectMs,
  // A primary that was replaced answers reads; the connection then looks for the new one.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
};

/** A timer this late shows that the event loop was busy; its reply then gets `graceMs` more. Set by hand. */
const lateMs = 5;
const graceMs = 30;

/**
 * Returns immediately and connects, and reconnects, in the background. Connection errors surface only in commands, and
 * in `troubleOf`. `url` has one of the forms of `parseRedisUrl`.
 */
export function connectRedis(url: string, options: RedisOptions = {}): Redis {
  catchWarnings();
  const address = parseRedisUrl(url);
  if (address === undefined) throw new Error('expected a URL such as redis://127.0.0.1:6379');
  const { shown: _, cluster, ...server } = address;
  const all = { ...failFast, ...server, ...options };
  const redis = cluster === undefined ? new LastingRedis(all) : connectCluster(cluster, all);
  watchTrouble(redis);
  return redis;
}

/**
 * The client of a cluster has the commands of a connection, which is all that callers use. It finds the node that has a key again
 * after that node was replaced; commands in between fail immediately, too.
 */
function connectCluster(nodes: NonNullable<RedisAddress['cluster']>, options: RedisOptions): Redis {
  const cluster = new Cluster([...nodes], {
    redisOptions: options,
    enableOfflineQueue: options.enableOfflineQueue ?? false,
    clusterRetryStrategy: () => reconnectMs,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshInterval: refreshMs,
    // The names in certificates are those of the nodes, not their addresses.
    dnsLookup: (address, found) => found(null, address),
  });
  return cluster as unknown as Redis;
}

/**
 * A connection that ends only when it is disconnected. With sentinels, ioredis gives up for good if a connection is replaced
 * while the sentinels are still being asked.
 */
class LastingRedis extends Redis {
  #isDisconnected = false;

  constructor(options: RedisOptions) {
    super(options);
    this.on('end', () => setTimeout(() => this.#connectAgain(), reconnectMs).unref());
  }

  override disconnect(reconnect = false): void {
    this.#isDisconnected ||= !reconnect;
    super.disconnect(reconnect);
  }

  #connectAgain(): void {
    if (!this.#isDisconnected && this.status === 'end') this.connect().catch(() => {});
  }
}

/**
 * Why this Redis, or a node of this cluster, may delete what it was given although nobody asked it to; undefined if it does not.
 * Rejects when it does not answer.
 */
export async function readEvictionFault(redis: Redis): Promise<string | undefined> {
  const nodes = redis instanceof Cluster ? (redis as Cluster).nodes('master') : [redis];
  const faults = await Promise.all(nodes.map(readFaultOfOne));
  return faults.find((fault) => fault !== undefined);
}

async function readFaultOfOne(redis: Redis): Promise<string | undefined> {
  const info = await redis.info('memory');
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
  const isBounded = /^maxmemory:[1-9]/m.test(info);
  if (policy === 'noeviction' || !isBounded) return undefined;
  return `expected a Redis with maxmemory-policy noeviction; got ${policy}, which deletes running searches when its memory is full`;
}

/**
 * Settles as `promise` does, or rejects after `ms`; `onLate` is called with a value that arrives later. If the timer itself
 * fires late because the event loop was busy, the reply may already be in the socket and gets 30 ms more.
 */
export function within<Value>(ms: number, promise: Promise<Value>, onLate?: (value: Value) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    let hasTimedOut = false;
    const giveUp = () => {
      hasTimedOut = true;
      reject(new Error(`Redis did not answer within ${ms} ms`));
    };
    const due = performance.now() + ms;
    let timer = setTimeout(() => {
      if (performance.now() - due < lateMs) giveUp();
      else timer = setTimeout(giveUp, graceMs);
    }, ms);
    promise.then(
      (value) => {
        clearTimeout(timer);
        if (hasTimedOut) onLate?.(value);
        else resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Sends the commands of one event loop tick in one write, because a write costs more than the rest of a command. */
export function writeTogether(redis: Redis): void {
  const { stream } = redis;
  if (stream === undefined || stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
