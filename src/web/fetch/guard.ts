/**
 * The only place that decides which hosts this server connects to. A URL is checked before anything else; a literal address
 * is checked again when connecting, because undici does not resolve it; every resolved address is checked, and the connection
 * uses exactly those addresses, so DNS rebinding is impossible; and the peer of the open connection is checked once more.
 * Only the operator's list of hosts is exempt.
 */
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from '../../base/addresses.ts';
import { PageError } from '../page-error.ts';
import { createHostLookup } from './host-lookup.ts';

export interface GuardOptions {
  /** `host` allows every port of that host, `host:port` only that port; IPv6 in brackets. Private addresses are allowed too. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Replaces every way to resolve a name. */
  readonly lookup?: LookupFunction | undefined;
  /** `address` or `address:port`: asked for hosts that are not in `allowHosts`, instead of the name servers of the machine. */
  readonly nameServers?: readonly string[] | undefined;
  readonly connectMs?: number | undefined;
}

export interface Guard {
  /** The parsed URL. Throws a PageError `blocked_address` when it is not allowed. */
  check(url: string | URL): URL;
  readonly connect: buildConnector.connector;
}

/** Names of this machine, whatever a name server says: RFC 6761. */
const loopbackName = /(?:^|\.)localhost\.?$/;

const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** Whether `allowHosts` could allow the address that was refused with this message, one of the guard's own below. */
export function couldBeAllowed(message: string): boolean {
  return /^Expected port 80 or 443;|is not a public internet address\.$/.test(message);
}

/** A guard that allows public addresses on ports 80 and 443, and the hosts in `allowHosts`. */
export function createGuard(options: GuardOptions = {}): Guard {
  const allowed = new Set((options.allowHosts ?? []).flatMap(allowedNames));
  const connectPublic = buildConnector({
    timeout: options.connectMs ?? 3_000,
    lookup: publicLookup(options.lookup ?? createHostLookup(options.nameServers)),
  });
  // The operator's hosts are resolved by the system, which may know them in ways of its own.
  const connectAllowed = buildConnector({
    timeout: options.connectMs ?? 3_000,
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  const isAllowed = (host: string, port: string) => allowed.has(host) || allowed.has(`${host}:${port}`);

  function check(input: string | URL): URL {
    const url = parseHttpUrl(input);
    const port = url.port || defaultPorts[url.protocol]!;
    if (isAllowed(url.hostname, port)) return url;
    if (url.port !== '') throw new PageError('blocked_address', `Expected port 80 or 443; got ${url.port}.`);
    const literal = bareAddress(url.hostname);
    if ((isIP(literal) && !isPublicAddress(literal)) || loopbackName.test(literal)) throw privateAddress(url.hostname);
    return url;
  }

  const connect: buildConnector.connector = (target, callback) => {
    // undici passes an IPv6 literal without its brackets.
    const { hostname } = target;
    if (isAllowed(isIP(hostname) === 6 ? `[${hostname}]` : hostname, target.port || defaultPorts[target.protocol]!)) {
      connectAllowed(target, callback);
      return;
    }
    if (isIP(hostname) && !isPublicAddress(hostname)) {
      callback(privateAddress(hostname), null);
      return;
    }
    connectPublic(target, (error, socket) => {
      // undici passes no socket when connecting fails.
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

/** An entry normalised as a URL's `hostname` or `host`; empty for an invalid entry. */
function allowedNames(entry: string): string[] {
  const text = entry.trim();
  const bare = isIP(text) === 6 ? `[${text}]` : text;
  // Read from the text, because `URL` drops the ":80" of http.
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
    throw new PageError('blocked_address', 'Expected an absolute http(s) URL.');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new PageError('blocked_address', `Expected an http or https URL; got "${url.protocol.slice(0, 40)}".`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new PageError('blocked_address', 'Expected a URL without a user name or password.');
  }
  return url;
}

/** Fails when any address of a host is private: a host with both kinds is an attack or a misconfiguration. */
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
