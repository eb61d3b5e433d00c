/** The child's side of process-pool.ts. */
import { readFileSync } from 'node:fs';

/** The first message of a child, once it accepts tasks, says what address space it has taken by then; each later one ends a task. */
export type Reply =
  | { readonly loadedKb: number | undefined }
  | { readonly result: unknown }
  | { readonly error: string };

/** Answers each task with what `run` resolves to, or with the message that it rejects with. */
export function serveTasks<Task>(run: (task: Task) => Promise<unknown>): void {
  const reply = (message: Reply) => process.send?.(message);
  process.on('disconnect', () => process.exit());
  process.on('message', (task: Task) => {
    run(task).then(
      (result) => reply({ result }),
      (error) => reply({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
  reply({ loadedKb: readAddressSpaceKb() });
}

function readAddressSpaceKb(): number | undefined {
  try {
    const [, kilobytes] = /^VmSize:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes);
  } catch {
    return undefined;
  }
}
