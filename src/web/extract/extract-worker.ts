/** The worker thread's side of extraction: one page a task, hashed here so that the loop that streams does not. */
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { extract } from './extract.ts';
import type { Extraction, PageSource } from './extraction.ts';

export interface ExtractTask extends PageSource {
  /** Posted to the parent when the task is begun. */
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Typed outcomes as data: an error's class does not survive the way between threads. */
export type ExtractOutcome =
  | { readonly outcome: 'read'; readonly extraction: Extraction; readonly hash: string }
  | { readonly outcome: 'unsupported' }
  | { readonly outcome: 'failed'; readonly reason: string };

export default async function run(task: ExtractTask): Promise<ExtractOutcome> {
  parentPort?.postMessage(task.id);
  try {
    const extraction = await extract(task.bytes, task);
    if (extraction === undefined) return { outcome: 'unsupported' };
    return { outcome: 'read', extraction, hash: createHash('sha256').update(extraction.text).digest('hex') };
  } catch (error) {
    return { outcome: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
