/** Starts server.ts of this folder and asks it things. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface BenchServer {
  readonly url: string;
  readonly keys: readonly string[];
  /** The index file, for controls that query it bare. */
  readonly index: string;
  readonly pages: number;
  readonly passages: number;
  /** Milliseconds that the server's loop was held up, since the last call. */
  delay(): Promise<{ p50: number; p99: number; max: number }>;
  /** Milliseconds of CPU that all its threads have taken. */
  cpu(): Promise<number>;
  close(): Promise<void>;
}

/** `settings` come on top of the server's own; over the documentation of the installed packages unless a folder is given. */
export async function startServer(settings: Readonly<Record<string, string>> = {}, folder = ''): Promise<BenchServer> {
  const child = fork(new URL('./server.ts', import.meta.url), [JSON.stringify(settings), folder], {
    execArgv: ['--import', new URL('./typescript.js', import.meta.url).href],
  });
  const [ready] = await once(child, 'message');
  return {
    ...ready,
    delay: () => ask(child, 'delay'),
    cpu: () => ask(child, 'cpu'),
    async close() {
      child.send('close');
      await once(child, 'exit');
    },
  };
}

async function ask(child: ChildProcess, question: string) {
  child.send(question);
  const [answer] = await once(child, 'message');
  return answer;
}
