/** Digests of what an index of Postgres has no room for: URLs, and keys of pages within their sources. */
import { createHash } from 'node:crypto';

/** 128 bits of SHA-256 in hexadecimal, of the parts in their order. */
export function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
