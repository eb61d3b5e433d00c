/**
 * The id of a page with a given text, and the keys of its passages. The id can be verified from the URL and the text, and the same
 * page read twice has the same id.
 */
import { createHash } from 'node:crypto';

/** 32 hex digits: the first half of the SHA-256 of `url + "\n" + text` in UTF-8. */
export function snapshotId(url: string, text: string): string {
  return createHash('sha256').update(`${url}\n${text}`, 'utf8').digest('hex').slice(0, 32);
}

/** A key that only this passage has: the id of its snapshot, and where it starts in it. */
export function passageKey({ snapshot, start }: { readonly snapshot: string; readonly start: number }): string {
  return `${snapshot} ${start}`;
}
