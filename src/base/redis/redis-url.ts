/**
 * The forms of REDIS_URL: one Redis (`redis://`, over TLS `rediss://`), the primary that sentinels name
 * (`redis+sentinel://`, over TLS `rediss+sentinel://`), whichever server that is at the moment, or a Redis Cluster of which some
 * nodes are named (`redis+cluster://`, over TLS `rediss+cluster://`).
 */
import type { RedisOptions } from 'ioredis';

export interface RedisAddress extends RedisOptions {
  /** For messages: hosts and ports, without user and password. */
  readonly shown: string;
  /** Nodes of a Redis Cluster that know the others. */
  readonly cluster?: readonly Host[];
}

/** The ports of Redis and of a sentinel where a URL has none. */
const defaultPort = 6_379;
const sentinelPort = 26_379;

const oneServer = /^rediss?:\/\/[^/\s]+/;
const atSentinels =
  /^redis(s?)\+sentinel:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/@?]+)\/([^/?]+)(?:\/(\d{1,5}))?(?:\?sentinel_password=([^&]+))?$/;

const atCluster = /^redis(s?)\+cluster:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/@?]+)\/?$/;

/**
 * What the names of all keys begin with. In a cluster it is a hash tag, so that all are on one node: scripts and transactions use
 * several of them.
 */
export function keyPrefix(url: string): string {
  return atCluster.test(url) ? '{citewire}' : 'citewire';
}

/** Options for the connection; undefined when the URL has none of these forms. */
export function parseRedisUrl(url: string): RedisAddress | undefined {
  if (atCluster.test(url)) return parseCluster(url);
  const found = atSentinels.exec(url);
  if (found === null) return parseOne(url);
  const [, secure, user, password, hosts = '', name = '', db, sentinelPassword] = found;
  const sentinels = hosts.split(',').map((host) => parseHost(host, sentinelPort));
  if (sentinels.includes(undefined)) return undefined;
  try {
    return {
      shown: hosts,
      sentinels: sentinels as Host[],
      name: decodeURIComponent(name),
      ...(user ? { username: decodeURIComponent(user) } : {}),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      ...(sentinelPassword === undefined ? {} : { sentinelPassword: decodeURIComponent(sentinelPassword) }),
      ...(db === undefined ? {} : { db: Number(db) }),
      ...(secure === '' ? {} : { tls: {}, enableTLSForSentinelMode: true }),
      sentinelRetryStrategy: () => 200,
    };
  } catch {
    // Not a valid percent-escape.
    return undefined;
  }
}

function parseCluster(url: string): RedisAddress | undefined {
  const [, secure, user, password, hosts = ''] = atCluster.exec(url)!;
  const cluster = hosts.split(',').map((host) => parseHost(host, defaultPort));
  if (cluster.includes(undefined)) return undefined;
  try {
    return {
      shown: hosts,
      cluster: cluster as Host[],
      ...(user ? { username: decodeURIComponent(user) } : {}),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      ...(secure === '' ? {} : { tls: {} }),
    };
  } catch {
    // Not a valid percent-escape.
    return undefined;
  }
}

interface Host {
  readonly host: string;
  readonly port: number;
}

/** `host`, `host:port` or `[IPv6]:port`. */
function parseHost(text: string, unnamedPort: number): Host | undefined {
  const found = /^(?:\[([\da-f:]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i.exec(text);
  const host = found?.[1] ?? found?.[2];
  return host === undefined ? undefined : { host, port: Number(found?.[3] ?? unnamedPort) };
}

function parseOne(url: string): RedisAddress | undefined {
  if (!oneServer.test(url) || !URL.canParse(url)) return undefined;
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const db = /^\/?(\d*)$/.exec(pathname)?.[1];
  if (db === undefined) return undefined;
  try {
    return {
      shown: `${hostname}:${port || defaultPort}`,
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || defaultPort),
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(db === '' ? {} : { db: Number(db) }),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    };
  } catch {
    return undefined;
  }
}
