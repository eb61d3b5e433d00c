/**
 * A published version is the design as JSON with its hash. The content is verified each time it is read: a version that
 * is not what was published is never run. What lists show of it is derived once, when it is published.
 */
import { createHash, webcrypto } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { changesBetween, type Design } from '../../protocol/index.ts';
import type { NewVersion, Version } from './design-records.ts';

export type Frozen = Pick<NewVersion, 'content' | 'content_hash' | 'summary' | 'interface' | 'example' | 'words'>;

/** The content, hash and searchable words of a version of this design, and what lists show of it. */
export async function freeze(design: Design): Promise<Frozen> {
  const { api_stub, name, description, inputs, output_format, examples } = design;
  const content = JSON.stringify(design);
  return {
    content,
    content_hash: await hashOf(content),
    summary: summarize(design),
    interface: JSON.stringify({ inputs, output_format }),
    example: examples[0] === undefined ? null : JSON.stringify(examples[0].inputs),
    words: searchable(`${api_stub} ${name} ${description ?? ''}`),
  };
}

/** What lists show of a design. */
export type Summary = Pick<Design, 'name' | 'description'>;

/** What lists show of a design, as JSON. */
export function summarize({ name, description }: Design): string {
  return JSON.stringify({ name, description });
}

/** The inverse of `summarize`. */
export function readSummary({ summary }: { readonly summary: string }): Summary {
  return JSON.parse(summary) as Summary;
}

/** The changes from a version to this design as JSON; none if there is no version before it. */
export async function changesFrom(before: Version | undefined, design: Design): Promise<string> {
  return JSON.stringify(before === undefined ? [] : changesBetween(await thaw(before), design));
}

/** The design of a version. Rejects if the content does not match its hash. */
export async function thaw(version: Version): Promise<Design> {
  await verify(version);
  return JSON.parse(version.content) as Design;
}

/** Rejects if the content does not match its hash. */
export async function verify({ api_stub, version, content, content_hash }: Version): Promise<void> {
  if ((await hashOf(content)) !== content_hash) {
    throw new Error(`${api_stub}/v${version} is not what was published: its content does not match its hash`);
  }
}

/** The text as browsing compares it: lower case, well-formed, without the control characters that databases refuse. */
export function searchable(text: string): string {
  return text
    .toLowerCase()
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ');
}

/** Above this size, hashing off the event loop is worth the round trip; set by hand. */
const largeCharacters = 64 * 1024;

/** SHA-256 in hex. Large contents are hashed off the event loop, which does something else before it continues with them. */
async function hashOf(content: string): Promise<string> {
  if (content.length < largeCharacters) return createHash('sha256').update(content, 'utf8').digest('hex');
  const digest = await webcrypto.subtle.digest('SHA-256', Buffer.from(content));
  await nextTurn();
  return Buffer.from(digest).toString('hex');
}
