/** The id of a page with a given text. It can be verified from both, and the same page read twice has the same id. */
import { createHash } from 'node:crypto';

/** 32 hex digits: the first half of the SHA-256 of `url + "\n" + text` in UTF-8. */
export function snapshotId(url: string, text: string): string {
  return createHash('sha256').update(`${url}\n${text}`, 'utf8').digest('hex').slice(0, 32);
}
