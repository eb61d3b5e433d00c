/** The worker thread of extraction: one page per task. */
import { parentPort } from 'node:worker_threads';
import { type ExtractOutcome, type ExtractTask, runExtractTask } from './extract-task.ts';

/** Extracts one page, posting its `id` first, because its deadline starts then. Failures are returned, not thrown. */
export default async function run({ id, ...task }: ExtractTask & { readonly id: number }): Promise<ExtractOutcome> {
  parentPort?.postMessage(id);
  return runExtractTask(task);
}
