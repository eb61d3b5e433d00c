/** The worker thread's side of extraction: one page a task. */
import { parentPort } from 'node:worker_threads';
import { type ExtractOutcome, type ExtractTask, runExtractTask } from './extract-task.ts';

/** Posts the task's `id` when it begins with it, for its deadline begins then. */
/** Extracts one page; failures are returned, not thrown. */
export default async function run({ id, ...task }: ExtractTask & { readonly id: number }): Promise<ExtractOutcome> {
  parentPort?.postMessage(id);
  return runExtractTask(task);
}
