/** Scripts that work on a store in a separate process. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { StoreOptions } from '../../../src/store/store.ts';
import { spawnScript } from './run-script.ts';

/** `script` is the name of a script; its arguments are the store's options as JSON, then `args`. */
export function startOnStore(script: string, where: StoreOptions, ...args: string[]): ChildProcess {
  return spawnScript(script, [JSON.stringify(where), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The complete lines that the process printed until it ended. */
export async function linesOf(child: ChildProcess): Promise<string[]> {
  let text = '';
  child.stdout!.on('data', (bytes) => {
    text += bytes;
  });
  await once(child, 'close');
  return text.split('\n').slice(0, -1);
}
