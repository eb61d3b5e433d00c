/** Extracts one page in a child process; also hashes its text there, to keep the main thread free. */
import { createHash } from 'node:crypto';
import { extract } from './extract.ts';
import type { Extraction, PageSource } from './extraction.ts';
import { UnsupportedFile } from './unsupported-file.ts';

/** Outcomes are data because structured cloning loses the class of an error. `hash` is the SHA-256 of the text, hex. */
export type ExtractOutcome =
  | { readonly outcome: 'read'; readonly extraction: Extraction; readonly hash: string }
  | { readonly outcome: 'unsupported'; readonly reason?: string }
  | { readonly outcome: 'failed'; readonly reason: string };

/** Extracts and hashes one page. Never rejects: failures are outcomes. */
export async function runExtractTask(source: PageSource, bytes: Uint8Array): Promise<ExtractOutcome> {
  try {
    const extraction = await extract(bytes, source);
    if (extraction === undefined) return { outcome: 'unsupported' };
    return { outcome: 'read', extraction, hash: createHash('sha256').update(extraction.text).digest('hex') };
  } catch (error) {
    if (error instanceof UnsupportedFile) return { outcome: 'unsupported', reason: error.message };
    return { outcome: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
