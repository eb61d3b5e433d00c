/**
 * A published version is the design as JSON with its hash. The content is verified each time it is read: a version that
 * is not what was published is never run.
 */
import { createHash } from 'node:crypto';
import type { Design } from '../../protocol/index.ts';
import type { Version } from './design-records.ts';

export interface Frozen {
  readonly content: string;
  readonly content_hash: string;
  /** The text that browsing searches. */
  readonly words: string;
}

/** The content, hash and searchable words of a version of this design. */
export function freeze(design: Design): Frozen {
  const content = JSON.stringify(design);
  return {
    content,
    content_hash: hashOf(content),
    words: searchable(`${design.api_stub} ${design.name} ${design.description ?? ''}`),
  };
}

/** The design of a version. Throws if the content does not match its hash. */
export function thaw({ api_stub, version, content, content_hash }: Version): Design {
  if (hashOf(content) !== content_hash) {
    throw new Error(`${api_stub}/v${version} is not what was published: its content does not match its hash`);
  }
  return JSON.parse(content) as Design;
}

/** The text as browsing compares it: lower case, well-formed, without the control characters that databases refuse. */
export function searchable(text: string): string {
  return text
    .toLowerCase()
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ');
}

function hashOf(content: string): string {
  return createHash('sha256').update(content, 'utf8').digest('hex');
}
