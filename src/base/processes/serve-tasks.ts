/** The child's side of process-pool.ts. */
import { readFileSync, readSync } from 'node:fs';

/**
 * The first message of a child, once it accepts tasks, says what address space it has taken by then. Of the later ones, two a task,
 * the first says that it has begun, the second how it ended.
 */
export type Reply =
  | { readonly loadedKb: number | undefined }
  | { readonly begun: true }
  | { readonly result: unknown }
  | { readonly error: string };

/** A message to a child: a task, whose bytes come through its standard input. */
export interface Request {
  readonly task: unknown;
  /** How many. */
  readonly bytes: number;
}

/** Answers each task with what `run` resolves to, or with the message that it rejects with; `bytes` are those of the task. */
export function serveTasks<Task>(run: (task: Task, bytes: Uint8Array) => Promise<unknown>): void {
  const reply = (message: Reply) => process.send?.(message);
  process.on('disconnect', () => process.exit());
  process.on('message', ({ task, bytes }: Request) => {
    const input = readInput(bytes);
    reply({ begun: true });
    run(task as Task, input).then(
      (result) => reply({ result }),
      (error) => reply({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
  reply({ loadedKb: readAddressSpaceKb() });
}

/** Reads exactly this many bytes of the standard input. If there are fewer, the parent has ended. */
function readInput(count: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(count);
  for (let at = 0; at < count; ) {
    const read = readSync(0, bytes, at, count - at, null);
    if (read === 0) process.exit();
    at += read;
  }
  return bytes;
}

function readAddressSpaceKb(): number | undefined {
  try {
    const [, kilobytes] = /^VmSize:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes);
  } catch {
    return undefined;
  }
}
