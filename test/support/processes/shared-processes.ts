/**
 * The processes that test files run in. A process serves several files, one after the other, because most of what a file costs
 * is loading the server and compiling it; what is loaded stays loaded, and nothing of the server keeps state outside its apps.
 */
import { ForksPoolWorker, type PoolRunnerInitializer, type PoolTask, type PoolWorker } from 'vitest/node';

/** Then a new one is started, so that what files leave in their process, such as memory, does not add up. */
const filesPerProcess = 20;

/** Files, and folders of them, that have a process to themselves. */
const alone = [
  // They measure the memory of their process.
  'base/text/detach.test.ts',
  'web/extract/extract-pool.test.ts',
  'web/extract/pdf-bombs.test.ts',
  // It takes over the errors that nobody catches.
  'transport/tick-queue.test.ts',
  // It replaces a module of Node.
  'web/hostile-doors.test.ts',
  // Most of their time passes in the browsers, servers and commands that they start. What they leave in a process is not known.
  'cli/',
  'hostile/',
  'package/',
  'store/',
  'ui/',
];

/** `path` is absolute. */
export function runsAlone(path: string): boolean {
  return alone.some((name) => path.includes(`/test/${name}`));
}

/** For vitest's `pool`, with `isolate: false`. */
export const sharedProcesses: PoolRunnerInitializer = {
  name: 'shared-processes',
  createPoolWorker: (options) => new SharedProcess(options),
};

class SharedProcess extends ForksPoolWorker implements PoolWorker {
  override readonly name = sharedProcesses.name;
  private readonly given: string[] = [];

  override send(message: Parameters<PoolWorker['send']>[0]): void {
    if (message.type === 'run') this.given.push(...message.context.files.map(({ filepath }) => filepath));
    super.send(message);
  }

  canReuse({ context }: PoolTask): boolean {
    const isFull = this.given.length >= filesPerProcess;
    return !isFull && !this.given.some(runsAlone) && !context.files.some(({ filepath }) => runsAlone(filepath));
  }
}
