/**
 * The one place that decides which hosts this server opens. A URL is judged before anything is done with it; a literal
 * address is judged again when connecting, because undici asks no resolver for one; every address a resolver gives is
 * judged before one is dialled, and the very answer that was judged is the one dialled, so a name cannot be rebound in
 * between; and the peer of the finished connection is judged once more. The operator's list of hosts is the only way around it.
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from '../../base/addresses.ts';
import { PageError } from '../page-error.ts';

export interface GuardOptions {
  /** `host` opens every port of that host, `host:port` that one; IPv6 in brackets. Any address, private ones too. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Instead of the system's resolver. */
  readonly lookup?: LookupFunction | undefined;
  readonly connectMs?: number | undefined;
}

export interface Guard {
  /** The URL as it will be opened; throws a PageError `blocked_address` for one that may not be. */
  check(url: string | URL): URL;
  readonly connect: buildConnector.connector;
}

const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** A guard that opens public addresses on ports 80 and 443, and what `allowHosts` names. */
export function createGuard(options: GuardOptions = {}): Guard {
  const allowed = new Set((options.allowHosts ?? []).flatMap(allowedNames));
  const dial = buildConnector({
    timeout: options.connectMs ?? 3_000,
    lookup: publicLookup(options.lookup ?? (systemLookup as LookupFunction)),
  });
  const dialAllowed = buildConnector({
    timeout: options.connectMs ?? 3_000,
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  const isAllowed = (host: string, port: string) => allowed.has(host) || allowed.has(`${host}:${port}`);

  function check(input: string | URL): URL {
    const url = parseHttpUrl(input);
    const port = url.port || defaultPorts[url.protocol]!;
    if (isAllowed(url.hostname, port)) return url;
    if (url.port !== '') throw new PageError('blocked_address', `Port ${url.port} is not opened, only 80 and 443.`);
    const literal = bareAddress(url.hostname);
    if (isIP(literal) && !isPublicAddress(literal)) throw privateAddress(url.hostname);
    return url;
  }

  const connect: buildConnector.connector = (target, callback) => {
    // undici hands an IPv6 literal over without its brackets.
    const { hostname } = target;
    if (isAllowed(isIP(hostname) === 6 ? `[${hostname}]` : hostname, target.port || defaultPorts[target.protocol]!)) {
      dialAllowed(target, callback);
      return;
    }
    if (isIP(hostname) && !isPublicAddress(hostname)) {
      callback(privateAddress(hostname), null);
      return;
    }
    dial(target, (error, socket) => {
      // undici leaves the socket out when it fails.
      if (!socket) callback(error ?? new Error('no socket'), null);
      else if (isPublicAddress(socket.remoteAddress ?? '')) callback(null, socket);
      else {
        socket.destroy();
        callback(privateAddress(hostname), null);
      }
    });
  };
  return { check, connect };
}

/** An entry as a URL's `hostname` or `host` would write it; nothing for an entry that names no host. */
function allowedNames(entry: string): string[] {
  const text = entry.trim();
  const bare = isIP(text) === 6 ? `[${text}]` : text;
  // A scheme without a port of its own keeps the ":80" that http would drop.
  const port = /:(\d+)$/.exec(bare.replace(/^\[[^\]]*\]/, ''))?.[1];
  try {
    const { hostname } = new URL(`http://${bare}`);
    return [port === undefined ? hostname : `${hostname}:${Number(port)}`];
  } catch {
    return [];
  }
}

function parseHttpUrl(input: string | URL): URL {
  let url: URL;
  try {
    url = new URL(input);
  } catch {
    throw new PageError('blocked_address', 'This is not a complete URL.');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new PageError('blocked_address', `Only http and https pages are opened, not "${url.protocol.slice(0, 40)}".`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new PageError('blocked_address', 'A URL with a user name or password in it is not opened.');
  }
  return url;
}

/** Fails when any address of a name is private: a name with both kinds is an attack or a mistake, never a page. */
function publicLookup(resolve: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      if (addresses.length === 0) {
        callback(Object.assign(new Error('no address'), { code: 'ENODATA' }), '', 0);
      } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
        callback(privateAddress(hostname) as NodeJS.ErrnoException, '', 0);
      } else if (options.all) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}

function bareAddress(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function privateAddress(hostname: string): PageError {
  return new PageError('blocked_address', `${hostname.slice(0, 100)} is not a public internet address.`);
}
