/** Reads a file of a source for the index, unless it is unchanged. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import { reasonOf } from '../ingest/file-reasons.ts';
import type { FileToIndex } from '../ingest/list-files.ts';
import { dateOf, decodeText, titleOf } from './page-file.ts';

/** A page of a source, identified by `key`. */
export interface PageToIndex {
  readonly key: string;
  /** Hash of the source bytes; an unchanged hash means nothing to do. */
  readonly hash: string;
  readonly snapshot: Omit<Snapshot, 'id'>;
  readonly fetched_at: string;
}

export type Outcome =
  | { readonly key: string; readonly was: 'added' | 'updated' }
  /** `isTruncated`: of a file of which only the beginning is indexed. */
  | { readonly key: string; readonly was: 'unchanged'; readonly isTruncated?: boolean }
  | { readonly key: string; readonly was: 'failed'; readonly reason: string; readonly isEmpty?: boolean };

/** A file that changed and needs the extractor: the main thread extracts it and calls `indexPages`. */
export interface UnreadFile {
  readonly key: string;
  readonly was: 'unread';
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** Part of every hash: increase it when passages or indexed words change, and the next indexing rebuilds them. */
const indexVersion = '7';

/**
 * The page in a file; `knownHash` is the hash with which it was indexed. Whatever keeps it from being read is returned as
 * an outcome; never throws.
 */
export function readPageFile(
  file: FileToIndex,
  extractorVersion: string,
  knownHash: string | undefined,
): Outcome | UnreadFile | PageToIndex {
  const { key } = file;
  try {
    const bytes = readFileSync(file.path);
    // Packages have files that stand for pages to come.
    const isOwn = file.package === undefined;
    if (isOwn && bytes.length === 0) return { key, was: 'failed', reason: 'it is empty', isEmpty: true };
    const isExtracted = file.format.contentType !== undefined;
    const made = isExtracted ? `${indexVersion} ${extractorVersion}` : indexVersion;
    const hash = createHash('sha256').update(`${made}\n${file.url}\n`).update(bytes).digest('hex').slice(0, 32);
    if (knownHash === hash) return { key, was: 'unchanged' };
    if (knownHash === hashOfTruncated(hash)) return { key, was: 'unchanged', isTruncated: true };
    if (isExtracted) return { key, was: 'unread', hash, bytes };
    const text = decodeText(bytes);
    if (text === undefined) return { key, was: 'failed', reason: 'it is not text' };
    if (isOwn && text.trim() === '') return { key, was: 'failed', reason: 'it has no text', isEmpty: true };
    const published_at = dateOf(text);
    const dated = published_at === undefined ? {} : { published_at };
    const snapshot = { url: file.url, title: fileTitle(file, text), text, ...dated };
    return { key, hash, snapshot, fetched_at: new Date().toISOString() };
  } catch (error) {
    return { key, was: 'failed', reason: reasonOf(error) };
  }
}

/** The hash of a file of which only the beginning is indexed: the next indexing does not read the file, but says so again. */
export function hashOfTruncated(hash: string): string {
  return `${hash}~`;
}

/** "undici › Client" for a page of a package, so that a question that names the package finds it. */
function fileTitle(file: FileToIndex, text: string): string {
  const name = file.key.slice(file.key.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  if (file.package !== undefined && file.key.toLowerCase().endsWith(`${file.package.toLowerCase()}/readme.md`))
    return file.package;
  const title = titleOf(text, name);
  if (file.package === undefined) return title;
  return `${file.package} › ${title}`;
}
