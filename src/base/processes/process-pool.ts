/**
 * Child processes for work that a worker thread cannot bound: what a thread allocates outside of its heap (typed arrays)
 * belongs to the whole process and may stay with it. A child has a bounded address space, no environment and one task at
 * a time. It exits after a while without work, or when a task left much memory with it, which frees all of it. One that dies
 * fails only its own task. serve-tasks.ts is the child's side; process-memory.ts bounds what all of them take together.
 */
import { createFairQueue } from '../fair-queue.ts';
import { type LimitedProcess, type LimitedProcessOptions, longestStartMs, startLimited } from './limited-process.ts';
import { cpuMsOf, ownMemoryMb } from './proc-files.ts';
import { endedBy, ProcessError, type ProcessFailure } from './process-error.ts';
import { createProcessMemory } from './process-memory.ts';
import type { Reply, Request } from './serve-tasks.ts';

export interface ProcessPoolOptions extends LimitedProcessOptions {
  /** How many one owner can use, and how many more there are for owners that have none: see fair-queue.ts. */
  readonly processes: number;
  readonly reserve: number;
  /** What a process may allocate once it has loaded, its heap included, MiB. Only Linux enforces it beyond the heap. */
  readonly memoryMb: number;
  /** What all of them may take together before they take turns, MiB: see process-memory.ts. Only Linux enforces it. */
  readonly totalMb: number;
  /** A process that holds more than this after a task, MiB, ends instead of waiting for the next. */
  readonly restMb: number;
  /** How long an idle process lives, ms. */
  readonly idleMs: number;
}

export interface TaskTerms {
  /** Handed over through a pipe, since a message would be copied three times; not to be changed meanwhile. */
  readonly bytes?: Uint8Array;
  /** Tasks wait for a process in a fair queue of their owners. */
  readonly owners: readonly string[];
  /**
   * Counted from when a process that has loaded begins the task. On Linux what it computes is counted: a machine that is busy
   * with other work gives a task up to three times as long. A time in which this process was suspended does not count.
   */
  readonly deadlineMs: number;
}

export interface ProcessPool<Task, Result> {
  /**
   * Rejects with the signal's reason once it fires, with a ProcessError when the task took longer than its deadline, could not
   * begin or compute in time, or ended its process, or none could be started for it, and with an Error of the worker's own message
   * when the worker rejects.
   */
  run(task: Task, terms: TaskTerms, signal: AbortSignal): Promise<Result>;
  /** Starts a process ahead of the first task, which otherwise waits for it. */
  prepare(): void;
  /** The ids of the processes that live. */
  pids(): number[];
  close(): Promise<void>;
}

interface Child extends LimitedProcess {
  idle: NodeJS.Timeout | undefined;
}

/** How many times its deadline a task may take that has computed less; set by hand. */
const patience = 3;

/**
 * A timer that fires so much too late did so because this process was suspended, and the child with it, ms; and how many times
 * a task gets its time again for that. Set by hand.
 */
const suspendedMs = 2_000;
const maxSuspensions = 5;

const poolClosed = () => new ProcessError('ended', 'The pool was closed.');

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
    const child: Child = { ...startLimited(options, kilobytes), idle: undefined };
    child.process.on('error', () => end(child));
    child.process.once('exit', () => forget(child));
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
      const onReply = (reply: Reply) => {
        if ('begun' in reply) return begin();
        leave(() =>
          'result' in reply ? resolve(reply.result as Result) : reject(new Error((reply as { error: string }).error)),
        );
      };
      const onExit = (code: number | null, by: NodeJS.Signals | null) => leave(() => reject(endedBy(code, by)));
      const abort = () => leave(() => reject(signal.reason));
      const fail = (reason: ProcessFailure, message: string) => leave(() => reject(new ProcessError(reason, message)));
      const working = memory.enter(child.process.pid!);
      const startMs = options.startMs ?? longestStartMs;
      let late: NodeJS.Timeout;
      let suspensions = 0;
      /** Calls `act` after this long with by how much too late that is, if this process was suspended meanwhile. */
      const after = (ms: number, act: (suspended: number) => void) => {
        clearTimeout(late);
        const due = performance.now() + ms;
        late = setTimeout(() => {
          const lateMs = performance.now() - due;
          const wasSuspended = lateMs > suspendedMs && suspensions < maxSuspensions;
          if (wasSuspended) suspensions += 1;
          act(wasSuspended ? lateMs : 0);
        }, ms);
      };
      const checkBegun = (suspended: number) => {
        if (suspended > 0) after(startMs, checkBegun);
        else fail('busy', `The process did not begin the task within ${startMs} ms.`);
      };
      after(startMs, checkBegun);
      const begin = () => {
        const begun = performance.now();
        const stoppedBefore = working.stoppedMs();
        const computedBefore = cpuMsOf(child.process.pid);
        let notCounted = 0;
        const checkDeadline = (suspended: number) => {
          notCounted += suspended;
          const left = deadlineMs - (cpuMsOf(child.process.pid) - computedBefore);
          const waited = performance.now() - begun - (working.stoppedMs() - stoppedBefore) - notCounted;
          const waits = patience * deadlineMs - waited;
          // What it has computed is not known everywhere.
          if (suspended > 0 && !(left <= 0)) after(deadlineMs, checkDeadline);
          else if (!(left > 0)) fail('deadline', `The task took more than ${deadlineMs} ms.`);
          else if (waits > 0) after(Math.min(left, waits), checkDeadline);
          else fail('busy', `The process had less than ${deadlineMs} ms for the task within ${waited.toFixed()} ms.`);
        };
        after(deadlineMs, checkDeadline);
      };
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
        if (closed) throw poolClosed();
        const child = idle.pop() ?? start(limit);
        clearTimeout(child.idle);
        let isHealthy = false;
        try {
          await child.ready.catch((error) => {
            throw closed ? poolClosed() : error;
          });
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
