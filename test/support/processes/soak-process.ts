/** The server of scripts/soak.ts in a separate process. */
import type { ChildProcess } from 'node:child_process';
import { forkScript } from './run-script.ts';

export interface SoakProcess {
  readonly url: string;
  readonly pid: number | undefined;
  /** Bytes of resident memory, after a garbage collection. */
  memory(): Promise<number>;
  end(): void;
  close(): Promise<void>;
}

type Answer = { readonly url: string } | { readonly memory: number };

export async function startSoakProcess(): Promise<SoakProcess> {
  const child: ChildProcess = forkScript('soak', ['--expose-gc']);
  const next = () => new Promise<Answer>((resolve) => child.once('message', resolve as (message: unknown) => void));
  const { url } = (await next()) as { url: string };
  return {
    url,
    pid: child.pid,
    async memory() {
      child.send('memory');
      return ((await next()) as { memory: number }).memory;
    },
    end: () => void child.send('end'),
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
  };
}
