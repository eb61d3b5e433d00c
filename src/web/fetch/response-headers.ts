/** What the headers of a response say. */
import { isUtf8 } from 'node:buffer';
import type { Dispatcher } from 'undici';

/** The first value of a header. */
export function headerOf(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Where a response redirects to, as sent, which may be relative; undefined if it does not redirect. */
export function redirectTarget(response: Dispatcher.ResponseData): string | undefined {
  if (![301, 302, 303, 307, 308].includes(response.statusCode)) return undefined;
  const location = headerOf(response, 'location');
  if (location === undefined || !/[\x80-\xff]/.test(location)) return location;
  // Headers are read as latin-1; what is not ASCII in an address is meant as UTF-8, as browsers read it.
  const bytes = Buffer.from(location, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : location;
}

/** Whether a `Content-Range` is that of all bytes, "bytes 0-99/100". */
export function isWhole(range: string | undefined): boolean {
  const [, last, all] = /^bytes 0-(\d+)\/(\d+)$/.exec(range ?? '') ?? [];
  return last !== undefined && Number(last) + 1 === Number(all);
}
