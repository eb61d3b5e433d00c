/** A worker of a process pool that does what each task says. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { serveTasks } from '../../../src/base/processes/serve-tasks.ts';

export type TestTask =
  | { readonly echo: unknown }
  | { readonly fail: string }
  /** MiB of typed arrays, which lie outside of the JavaScript heap. */
  | { readonly allocate: number }
  /** Takes as much, also outside of the heap, and frees it after a second. */
  | { readonly hold: number }
  | { readonly exit: number }
  /** Milliseconds. */
  | { readonly sleep: number }
  | { readonly act: 'hang' | 'pid' | 'environment' | 'hash' };

let kept: Uint8Array[] = [];

serveTasks(async (task: TestTask, bytes: Uint8Array): Promise<unknown> => {
  if ('echo' in task) return task.echo;
  if ('fail' in task) throw new Error(task.fail);
  if ('exit' in task) process.exit(task.exit);
  if ('sleep' in task) return delay(task.sleep, task.sleep);
  if ('allocate' in task) {
    kept = Array.from({ length: task.allocate }, () => new Uint8Array(1024 * 1024).fill(1));
    return kept.length;
  }
  if ('hold' in task) {
    kept = Array.from({ length: task.hold }, () => new Uint8Array(1024 * 1024).fill(1));
    await delay(1_000);
    const held = kept.length;
    kept = [];
    return held;
  }
  if (task.act === 'pid') return process.pid;
  if (task.act === 'environment') return process.env;
  if (task.act === 'hash') return createHash('sha256').update(bytes).digest('hex');
  for (;;) Math.random();
});
