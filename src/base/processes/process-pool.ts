/**
 * Child processes for work that a worker thread cannot bound: what a thread allocates outside of its heap (typed arrays)
 * belongs to the whole process and may stay with it. A child has a bounded address space, no environment and one task at
 * a time. It exits after a while without work, or when a task left much memory with it, which frees all of it. One that dies
 * fails only its own task. serve-tasks.ts is the child's side; process-memory.ts bounds what all of them take together.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createFairQueue } from '../fair-queue.ts';
import { resolveWorkerFile } from '../worker-file.ts';
import { createProcessMemory, ownMemoryMb } from './process-memory.ts';
import type { Reply, Request } from './serve-tasks.ts';

export interface ProcessPoolOptions {
  /** `new URL('./name-worker.ts', import.meta.url)`, a module that calls `serveTasks` when it has loaded. */
  readonly worker: URL;
  /** How many one owner can use, and how many more there are for owners that have none: see fair-queue.ts. */
  readonly processes: number;
  readonly reserve: number;
  /** What a process may allocate once it has loaded, MiB. Only Linux enforces it beyond the JavaScript heap. */
  readonly memoryMb: number;
  /** Its JavaScript heap, MiB; a part of the above. */
  readonly heapMb: number;
  /** Half of what new objects take of its memory, MiB: see `--max-semi-space-size`. */
  readonly semiSpaceMb: number;
  /** What all of them may take together before they take turns, MiB: see process-memory.ts. Only Linux enforces it. */
  readonly totalMb: number;
  /** A process that holds more than this after a task, MiB, ends instead of waiting for the next. */
  readonly restMb: number;
  /** How long an idle process lives, ms. */
  readonly idleMs: number;
  /** How much lower than this process's their priority is, as in nice(2); 0 unless given. */
  readonly nice?: number;
}

export interface TaskTerms {
  /** Handed over through a pipe, since a message would be copied three times; not to be changed meanwhile. */
  readonly bytes?: Uint8Array;
  /** Tasks wait for a process in a fair queue of their owners. */
  readonly owners: readonly string[];
  /**
   * Counted from when a process that has loaded starts on the task. On Linux what it computes is counted: a machine that is busy
   * with other work gives a task up to three times as long.
   */
  readonly deadlineMs: number;
}

export interface ProcessPool<Task, Result> {
  /**
   * Rejects with the signal's reason once it fires, with a ProcessError when the task took longer than its deadline or ended
   * its process, and with an Error of the worker's own message when the worker rejects.
   */
  run(task: Task, terms: TaskTerms, signal: AbortSignal): Promise<Result>;
  /** Starts a process ahead of the first task, which otherwise waits for it. */
  prepare(): void;
  /** The ids of the processes that live. */
  pids(): number[];
  close(): Promise<void>;
}

export class ProcessError extends Error {
  override readonly name = 'ProcessError';
  readonly reason: 'deadline' | 'ended';
  constructor(reason: 'deadline' | 'ended', message: string) {
    super(message);
    this.reason = reason;
  }
}

interface Child {
  readonly process: ChildProcess;
  /** Resolves once it accepts tasks, with the address space that it has taken by then, KiB; undefined where not known. */
  readonly ready: Promise<number | undefined>;
  idle: NodeJS.Timeout | undefined;
}

/** Set by hand: a machine may be busy when the first process loads. */
const loadMs = 30_000;
/** How many times its deadline a task may take that has computed less; set by hand. */
const patience = 3;
/** Set by hand: many times what the tasks of a process take in all. */
const maxCpuSeconds = 600;

/** The lowest priority: see nice(2). */
const maxNice = 19;

/** Starts nothing before the first task. */
export function createProcessPool<Task, Result>(options: ProcessPoolOptions): ProcessPool<Task, Result> {
  const places = createFairQueue({ places: options.processes, reserve: options.reserve });
  const living = new Set<Child>();
  const idle: Child[] = [];
  const memory = createProcessMemory({ totalMb: options.totalMb, idle: { pids: idlePids, end: endIdle } });
  let limitKb: Promise<number | undefined> | undefined;
  let closed = false;

  /** By how much loading fills an address space differs between versions of Node, so one process is only measured. */
  async function measureLimit(): Promise<number | undefined> {
    if (process.platform !== 'linux') return undefined;
    const child = start(undefined);
    try {
      const loadedKb = await child.ready;
      return loadedKb && loadedKb + 1024 * options.memoryMb;
    } catch {
      // The next task tries again, and has the error where it is the worker's.
      limitKb = undefined;
      return undefined;
    } finally {
      end(child);
    }
  }

  function start(kilobytes: number | undefined): Child {
    const { url, execArgv } = resolveWorkerFile(options.worker);
    const heap = [
      `--max-old-space-size=${options.heapMb}`,
      `--max-semi-space-size=${options.semiSpaceMb}`,
      // It works on one page at a time: further threads would compete with the server's for the same processors.
      '--single-threaded-gc',
    ];
    const node = [process.execPath, ...heap, ...execArgv, fileURLToPath(url)];
    // The shell sets the limits and becomes the process that has them. A limit that cannot be set is stricter already. The
    // one on CPU time ends an orphan.
    const limited = ['/bin/sh', '-c', `ulimit -v "$0"; ulimit -t ${maxCpuSeconds}; exec "$@"`, `${kilobytes}`, ...node];
    const [command = '', ...args] = kilobytes === undefined ? node : limited;
    const spawned = spawn(command, args, {
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      // Each further arena takes 64 MiB of the address space, and how many there are depends on how busy the machine is: with
      // one, every process takes what was measured.
      env: { MALLOC_ARENA_MAX: '1' },
    });
    let late: NodeJS.Timeout | undefined;
    const ready = new Promise<number | undefined>((resolve, reject) => {
      late = setTimeout(() => reject(new ProcessError('deadline', 'The process did not load in time.')), loadMs);
      spawned.once('message', (message: Reply) => 'loadedKb' in message && resolve(message.loadedKb));
      spawned.once('exit', (code, signal) => reject(endedBy(code, signal)));
      spawned.once('error', reject);
    });
    const settled = () => clearTimeout(late);
    ready.then(settled, settled);
    const child: Child = { process: spawned, ready, idle: undefined };
    spawned.on('error', () => end(child));
    // It has ended, which is noticed there.
    spawned.stdin?.on('error', () => {});
    spawned.once('exit', () => forget(child));
    const { pid } = spawned;
    if (options.nice !== undefined && pid !== undefined) {
      try {
        setPriority(pid, Math.min(maxNice, getPriority() + options.nice));
      } catch {
        // It has ended already, or the system keeps its priorities.
      }
    }
    living.add(child);
    return child;
  }

  function forget(child: Child): void {
    clearTimeout(child.idle);
    living.delete(child);
    if (idle.includes(child)) idle.splice(idle.indexOf(child), 1);
  }

  function end(child: Child): void {
    forget(child);
    child.process.kill('SIGKILL');
  }

  function idlePids(): number[] {
    return idle.map((child) => child.process.pid).filter((pid) => pid !== undefined);
  }

  function endIdle(): void {
    for (const child of [...idle]) end(child);
  }

  function keepIdle(child: Child): void {
    child.idle = setTimeout(() => end(child), options.idleMs).unref();
    idle.push(child);
  }

  async function startAhead(): Promise<void> {
    limitKb ??= measureLimit();
    const limit = await limitKb;
    if (closed || living.size > 0) return;
    const child = start(limit);
    // One that cannot load ends, and the first task has the error.
    child.ready.catch(() => {});
    keepIdle(child);
  }

  function ask(child: Child, task: Task, { bytes, deadlineMs }: TaskTerms, signal: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      const leave = (act: () => void) => {
        clearTimeout(late);
        working.leave();
        signal.removeEventListener('abort', abort);
        child.process.off('message', onReply).off('exit', onExit);
        act();
      };
      const onReply = (reply: Reply) =>
        leave(() =>
          'result' in reply ? resolve(reply.result as Result) : reject(new Error((reply as { error: string }).error)),
        );
      const onExit = (code: number | null, by: NodeJS.Signals | null) => leave(() => reject(endedBy(code, by)));
      const abort = () => leave(() => reject(signal.reason));
      const working = memory.enter(child.process.pid!);
      const begun = performance.now();
      const computedBefore = cpuMsOf(child.process.pid);
      const checkDeadline = () => {
        const left = deadlineMs - (cpuMsOf(child.process.pid) - computedBefore);
        const waits = patience * deadlineMs - (performance.now() - begun - working.stoppedMs());
        // Not so where it is not known what it has computed.
        if (left > 0 && waits > 0) late = setTimeout(checkDeadline, Math.min(left, waits));
        else leave(() => reject(new ProcessError('deadline', `The task took more than ${deadlineMs} ms.`)));
      };
      let late = setTimeout(checkDeadline, deadlineMs);
      child.process.on('message', onReply).once('exit', onExit);
      signal.addEventListener('abort', abort, { once: true });
      const request: Request = { task, bytes: bytes?.byteLength ?? 0 };
      child.process.send(request, (error) => error !== null && leave(() => reject(error)));
      if (bytes !== undefined) child.process.stdin?.write(bytes);
    });
  }

  return {
    async run(task, terms, signal) {
      const release = await places.acquire(terms.owners, signal);
      try {
        limitKb ??= measureLimit();
        const limit = await limitKb;
        signal.throwIfAborted();
        if (closed) throw new ProcessError('ended', 'The pool was closed.');
        const child = idle.pop() ?? start(limit);
        clearTimeout(child.idle);
        let isHealthy = false;
        try {
          await child.ready;
          signal.throwIfAborted();
          const result = await ask(child, task, terms, signal);
          isHealthy = true;
          return result;
        } finally {
          // What failed may have left anything in its process.
          const isUsable = isHealthy && !closed && child.process.connected;
          if (isUsable && ownMemoryMb(child.process.pid!) <= options.restMb) keepIdle(child);
          else end(child);
        }
      } finally {
        release();
      }
    },
    // Where a process cannot be started, the first task has the error.
    prepare: () => void startAhead().catch(() => {}),
    pids: () => [...living].map((child) => child.process.pid).filter((pid) => pid !== undefined),
    async close() {
      closed = true;
      for (const child of living) end(child);
    },
  };
}

function endedBy(code: number | null, signal: NodeJS.Signals | null): ProcessError {
  return new ProcessError('ended', `The process ended with ${signal ?? `code ${code}`}.`);
}

/** What a process has computed since its start, ms; not a number where nobody counts that. */
function cpuMsOf(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // See proc(5): after the name, which may contain anything, utime and stime are the 12th and 13th, in hundredths of a second.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return Number.NaN;
  }
}
