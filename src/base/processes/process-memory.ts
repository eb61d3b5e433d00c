/**
 * What the processes of a pool take together is bounded by making them take turns: each is limited, but all of them at their
 * limits would take several times what one needs. While they exceed the bound, all large ones that work are stopped, except for
 * the largest: its end frees the most. Those with less than half of the bound continue, so no small task waits for a large one.
 * Needs /proc; without it nothing is stopped.
 */
import { ownMemoryMb } from './proc-files.ts';

export interface Worker {
  /** Milliseconds since it began its task in which it was stopped. */
  stoppedMs(): number;
  /** Its task is done. */
  leave(): void;
}

export interface ProcessMemory {
  /** A process that begins a task. */
  enter(pid: number): Worker;
}

export interface ProcessMemoryOptions {
  /** What the processes may take together, MiB. */
  readonly totalMb: number;
  /** Called while they take more: what idle processes hold is freed before one that works is stopped. */
  readonly idle: { readonly pids: () => readonly number[]; readonly end: () => void };
}

/** Between two looks at what they take; set by hand: the pages that grow fastest grow by some 10 MiB meanwhile. */
const everyMs = 50;

/** Watches processes only while they work. */
export function createProcessMemory({ totalMb, idle }: ProcessMemoryOptions): ProcessMemory {
  interface Entry {
    readonly pid: number;
    stoppedMs: number;
    stoppedAt: number | undefined;
  }
  const working = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;

  function stop(entry: Entry): void {
    if (entry.stoppedAt !== undefined) return;
    entry.stoppedAt = performance.now();
    signal(entry.pid, 'SIGSTOP');
  }

  function resume(entry: Entry): void {
    if (entry.stoppedAt === undefined) return;
    entry.stoppedMs += performance.now() - entry.stoppedAt;
    entry.stoppedAt = undefined;
    signal(entry.pid, 'SIGCONT');
  }

  function balance(): void {
    const sizes = [...working].map((entry) => ({ entry, mb: ownMemoryMb(entry.pid) }));
    sizes.sort((a, b) => b.mb - a.mb);
    const atWork = sizes.reduce((sum, { mb }) => sum + mb, 0);
    const idleMb = idle.pids().reduce((sum, pid) => sum + ownMemoryMb(pid), 0);
    if (atWork + idleMb > totalMb && idleMb > 0) idle.end();
    const [largest, ...others] = sizes;
    if (largest !== undefined) resume(largest.entry);
    for (const { entry, mb } of others) (atWork > totalMb && mb > totalMb / 2 ? stop : resume)(entry);
  }

  return {
    enter(pid) {
      const entry: Entry = { pid, stoppedMs: 0, stoppedAt: undefined };
      working.add(entry);
      timer ??= setInterval(balance, everyMs).unref();
      return {
        stoppedMs: () => entry.stoppedMs + (entry.stoppedAt === undefined ? 0 : performance.now() - entry.stoppedAt),
        leave() {
          if (!working.delete(entry)) return;
          resume(entry);
          if (working.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
  };
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
