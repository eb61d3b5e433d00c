/** Starts the processes of a pool: each with limits of its own, and without the environment of this one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { resolveWorkerFile } from '../worker-file.ts';
import { endedBy, ProcessError, unstarted } from './process-error.ts';
import type { Reply } from './serve-tasks.ts';

export interface LimitedProcessOptions {
  /** `new URL('./name-worker.ts', import.meta.url)`, a module that calls `serveTasks` when it has loaded. */
  readonly worker: URL;
  /** Its JavaScript heap, MiB. */
  readonly heapMb: number;
  /** Half of what new objects take of its memory, MiB: see `--max-semi-space-size`. */
  readonly semiSpaceMb: number;
  /** How much lower than this process's its priority is, as in nice(2); 0 unless given. */
  readonly nice?: number;
  /** How long it may take to load, and later to begin a task that it has been sent, ms; 30,000 unless given. */
  readonly startMs?: number | undefined;
}

export interface LimitedProcess {
  readonly process: ChildProcess;
  /** Resolves once it accepts tasks, with the address space that it has taken by then, KiB; undefined where not known. */
  readonly ready: Promise<number | undefined>;
}

/** The default of `startMs`. Set by hand: a machine may be busy when the first process loads. */
export const longestStartMs = 30_000;
/** Set by hand: many times what the tasks of a process take in all. */
const maxCpuSeconds = 600;

/** The lowest priority: see nice(2). */
const maxNice = 19;

/**
 * Starts a process whose address space is limited to `kilobytes`, or not at all. `ready` rejects with a ProcessError if it cannot
 * load.
 */
export function startLimited(options: LimitedProcessOptions, kilobytes: number | undefined): LimitedProcess {
  const { url, execArgv } = resolveWorkerFile(options.worker);
  const heap = [
    `--max-old-space-size=${options.heapMb}`,
    `--max-semi-space-size=${options.semiSpaceMb}`,
    // It works on one page at a time: further threads would compete with the server's for the same processors.
    '--single-threaded-gc',
  ];
  const file = fileURLToPath(url);
  const node = [process.execPath, ...heap, ...execArgv, file];
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
    const isLate = () => reject(new ProcessError('busy', 'The process did not load in time.'));
    late = setTimeout(isLate, options.startMs ?? longestStartMs);
    spawned.once('message', (message: Reply) => 'loadedKb' in message && resolve(message.loadedKb));
    spawned.once('exit', (code, signal) => reject(unstarted(endedBy(code, signal).message, file)));
    spawned.once('error', ({ message }) => reject(unstarted(message, file)));
  });
  const settled = () => clearTimeout(late);
  ready.then(settled, settled);
  // It has ended, which is noticed there.
  spawned.stdin?.on('error', () => {});
  lowerPriority(spawned.pid, options.nice);
  return { process: spawned, ready };
}

function lowerPriority(pid: number | undefined, nice: number | undefined): void {
  if (nice === undefined || pid === undefined) return;
  try {
    setPriority(pid, Math.min(maxNice, getPriority() + nice));
  } catch {
    // It has ended already, or the system keeps its priorities.
  }
}
