/**
 * A published version is the design as JSON text under its hash. What is read back is compared with the hash each time:
 * a version that is not what was published is never run.
 */
import { createHash } from 'node:crypto';
import type { Design } from '../../protocol/index.ts';
import type { Version } from './design-records.ts';

export interface Frozen {
  readonly content: string;
  readonly content_hash: string;
  /** What browsing looks in. */
  readonly words: string;
}

export function freeze(design: Design): Frozen {
  const content = JSON.stringify(design);
  return {
    content,
    content_hash: hashOf(content),
    words: searchable(`${design.api_stub} ${design.name} ${design.description ?? ''}`),
  };
}

/** Throws where the text is not the one that was published. */
export function thaw({ api_stub, version, content, content_hash }: Version): Design {
  if (hashOf(content) !== content_hash) {
    throw new Error(`${api_stub}/v${version} is not what was published: its content does not have its hash`);
  }
  return JSON.parse(content) as Design;
}

/** As it is compared: lower case, well formed, without what no database takes. */
export function searchable(text: string): string {
  return text
    .toLowerCase()
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ');
}

function hashOf(content: string): string {
  return createHash('sha256').update(content, 'utf8').digest('hex');
}
