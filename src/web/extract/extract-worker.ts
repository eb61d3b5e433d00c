/** The worker thread of extraction: one page per task, whose garbage it returns to the system after a heavy one. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { type ExtractOutcome, type ExtractTask, runExtractTask } from './extract-task.ts';

/** Several times what the parsers take, and more than ordinary pages leave; set by hand. */
const heavyBytes = 96 * 1024 * 1024;

// The flag is the whole process's, so no thread takes it back while another may need it; only new contexts see the function.
setFlagsFromString('--expose-gc');
const collectGarbage: (() => void) | undefined = runInNewContext('globalThis.gc');

/** Extracts one page, posting its `id` first, because its deadline starts then. Failures are returned, not thrown. */
export default async function run({ id, ...task }: ExtractTask & { readonly id: number }): Promise<ExtractOutcome> {
  parentPort?.postMessage(id);
  const outcome = await runExtractTask(task);
  // An idle thread allocates nothing, so it would keep the garbage of its last page for ever.
  setImmediate(() => {
    if (getHeapStatistics().total_heap_size > heavyBytes) collectGarbage?.();
  });
  return outcome;
}
