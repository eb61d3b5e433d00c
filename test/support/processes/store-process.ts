/** The scripts that work on a store in a process of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { StoreOptions } from '../../../src/store/store.ts';

/** `script` is a file of this folder; its arguments are the store's options as JSON, then `args`. */
export function startOnStore(script: string, where: StoreOptions, ...args: string[]): ChildProcess {
  const file = new URL(`./${script}`, import.meta.url).pathname;
  const all = ['--import', 'tsx', file, JSON.stringify(where), ...args];
  return spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The whole lines that the process printed until its end. */
export async function linesOf(child: ChildProcess): Promise<string[]> {
  let text = '';
  child.stdout!.on('data', (bytes) => {
    text += bytes;
  });
  await once(child, 'close');
  return text.split('\n').slice(0, -1);
}
