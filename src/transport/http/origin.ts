/**
 * Which pages may call this server. A browser sends cookies and reaches the user's private network on behalf of any page,
 * so an `Origin` must be allowed even for a request with a key: one on the operator's list, or that of this server's own
 * pages.
 */
import { isOriginOf } from '../../access/browser/request.ts';

/** Returns a function of the request's `Origin` and `Host`. `allowed`: origins as `scheme://host[:port]`. */
export function originAllowed(allowed: readonly string[]): (origin: string, host: string | undefined) => boolean {
  const listed = new Set(allowed);
  return (origin, host) => listed.has(origin) || isOriginOf(origin, host);
}
