/** Status lines, such as "404 Not Found", of answers that node:http does not write. */
import { STATUS_CODES } from 'node:http';

/** The status with its reason phrase (RFC 9110, 15). */
export function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? 'Unknown'}`;
}
