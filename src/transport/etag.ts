/** Conditional requests (RFC 9110, 13.1.2). */

/** Whether an `If-None-Match` names the version of the answer that this tag stands for. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
