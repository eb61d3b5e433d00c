/** What Node's parser accepts and the native server does not: both servers must refuse the same requests. */
import type { IncomingMessage } from 'node:http';

/** The limit of the native server, which cannot be set there. */
const maxHeaders = 98;

/** The status to refuse the request with; undefined for a good one. */
export function checkRequest({ httpVersion, url = '', rawHeaders }: IncomingMessage): number | undefined {
  // Proxies may speak HTTP/1.0 to servers; only the native one cannot.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 505;
  if (rawHeaders.length / 2 > maxHeaders) return 431;
  // A whole URL names a host in addition to that of the header, and a proxy may believe the other one.
  if (!url.startsWith('/')) return 400;
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  return hosts.length > 1 ? 400 : undefined;
}
