/** One page read in a worker, a thread or a process; hashed there, so that the loop that streams does not. */
import { createHash } from 'node:crypto';
import { extract } from './extract.ts';
import type { Extraction, PageSource } from './extraction.ts';

export interface ExtractTask extends PageSource {
  readonly bytes: Uint8Array;
}

/** Typed outcomes as data: an error's class does not survive the way back. `hash` is the text's SHA-256, hex. */
export type ExtractOutcome =
  | { readonly outcome: 'read'; readonly extraction: Extraction; readonly hash: string }
  | { readonly outcome: 'unsupported' }
  | { readonly outcome: 'failed'; readonly reason: string };

/** Never rejects. */
export async function runExtractTask(task: ExtractTask): Promise<ExtractOutcome> {
  try {
    const extraction = await extract(task.bytes, task);
    if (extraction === undefined) return { outcome: 'unsupported' };
    return { outcome: 'read', extraction, hash: createHash('sha256').update(extraction.text).digest('hex') };
  } catch (error) {
    return { outcome: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
