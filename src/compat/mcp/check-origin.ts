/**
 * Which pages and names may reach POST /mcp, checked before anything else. A page of any origin can have its own name resolve
 * to this machine (DNS rebinding); then its `Origin` matches its `Host`, so a name counts as this server's own only if no one
 * else can claim it: an address, `localhost`, the name of this machine within containers, or the name that the operator set.
 */
import { isIP } from 'node:net';
import { AppError } from '../../base/errors.ts';

/** The name of this machine within containers; `.internal` is reserved, so no domain can have it. */
const containerHost = 'host.docker.internal';

export interface OriginRules {
  /** The address that the server listens on. */
  readonly host: string;
  /** The base URL that clients use, if the operator set one. */
  readonly publicUrl: string | undefined;
  /** Origins whose pages may call, as `scheme://host[:port]`. */
  readonly allowedOrigins: readonly string[];
}

/** Returns a function that throws `forbidden` for a foreign `Origin` or `Host`. */
export function createOriginCheck(rules: OriginRules): (headers: ReadonlyMap<string, string>) => void {
  const publicOrigin = rules.publicUrl === undefined ? undefined : new URL(rules.publicUrl).origin;
  const listed = new Set([...rules.allowedOrigins, ...(publicOrigin === undefined ? [] : [publicOrigin])]);
  const publicName = publicOrigin === undefined ? undefined : new URL(publicOrigin).hostname;
  const isOnlyLocal = isLoopback(rules.host);

  return (headers) => {
    const host = headers.get('host');
    const name = nameOf(host);
    const isOwn =
      name !== undefined && (isLoopback(name) || isAddress(name) || name === containerHost || name === publicName);
    if (name === undefined || (isOnlyLocal && !isOwn)) {
      throw new AppError('forbidden', `Expected a Host of this server, or PUBLIC_URL set to it; got ${shown(host)}.`);
    }
    const origin = headers.get('origin');
    if (origin === undefined || listed.has(origin)) return;
    const isOwnPage = isOwn && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
    if (!isOwnPage) throw new AppError('forbidden', `Expected an allowed Origin or none; got ${shown(origin)}.`);
  };
}

/** The name or address in a `Host`, without its port and in lower case; undefined if there is none. */
function nameOf(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.[\]:-]+$/.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname;
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

function isLoopback(name: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(name);
}

function shown(value: string | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value.slice(0, 100));
}
