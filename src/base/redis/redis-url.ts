/**
 * The forms of REDIS_URL: one Redis (`redis://`, over TLS `rediss://`), or the primary that sentinels name
 * (`redis+sentinel://`, over TLS `rediss+sentinel://`), whichever server that is at the moment.
 */
import type { RedisOptions } from 'ioredis';

export interface RedisAddress extends RedisOptions {
  /** For messages: hosts and ports, without user and password. */
  readonly shown: string;
}

/** Of Redis and of a sentinel. */
const defaultPort = 6_379;
const sentinelPort = 26_379;

const oneServer = /^rediss?:\/\/[^/\s]+/;
const atSentinels =
  /^redis(s?)\+sentinel:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/@?]+)\/([^/?]+)(?:\/(\d{1,5}))?(?:\?sentinel_password=([^&]+))?$/;

/** Options for the connection; undefined when the URL has none of these forms. */
export function parseRedisUrl(url: string): RedisAddress | undefined {
  const found = atSentinels.exec(url);
  if (found === null) return parseOne(url);
  const [, secure, user, password, hosts = '', name = '', db, sentinelPassword] = found;
  const sentinels = hosts.split(',').map(parseHost);
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
    // An escape that is none.
    return undefined;
  }
}

interface Host {
  readonly host: string;
  readonly port: number;
}

/** `host`, `host:port` or `[IPv6]:port`. */
function parseHost(text: string): Host | undefined {
  const found = /^(?:\[([\da-f:]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i.exec(text);
  const host = found?.[1] ?? found?.[2];
  return host === undefined ? undefined : { host, port: Number(found?.[3] ?? sentinelPort) };
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
