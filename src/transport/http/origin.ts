/**
 * Which pages may open a socket here. A browser sends the cookies and reaches the hosts of whoever sits before it, so an
 * `Origin` has to be known even when a key comes with it: on the operator's list, or this server's own pages.
 */

import { isOriginOf } from '../../access/browser/request.ts';

/** `host` is the request's Host header; an origin on the list is `scheme://host[:port]`. */
export function originAllowed(allowed: readonly string[]): (origin: string, host: string | undefined) => boolean {
  const listed = new Set(allowed);
  return (origin, host) => listed.has(origin) || isOriginOf(origin, host);
}
