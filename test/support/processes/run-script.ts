/** Runs a script of test/support/scripts in a separate process: from the bundle of this test run, else from its source. */
import { type ChildProcess, fork, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const scripts = fileURLToPath(new URL('../scripts/', import.meta.url));
/** Names the folder of the bundle (bundle.ts); the workers of a test run inherit it. */
export const bundleVariable = 'TEST_SCRIPTS';

/** `name` has no extension. `through` is a command that ends by executing its last arguments. */
export function spawnScript(
  name: string,
  args: readonly string[],
  options: SpawnOptions = {},
  through: readonly string[] = [],
): ChildProcess {
  const { file, loader } = find(name);
  const [command = '', ...rest] = [...through, process.execPath, ...loader, file, ...args];
  return spawn(command, rest, options);
}

/** With a channel for messages; `nodeOptions` are for node itself. */
export function forkScript(name: string, nodeOptions: readonly string[] = []): ChildProcess {
  const { file, loader } = find(name);
  return fork(file, [], { execArgv: [...loader, ...nodeOptions] });
}

/** What it printed until it ended; rejects unless its exit code is 0. */
export async function outputOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout!.on('data', (bytes) => {
    text += bytes;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`expected the script to end with 0; got ${code}`);
  return text;
}

function find(name: string): { file: string; loader: string[] } {
  const bundle = process.env[bundleVariable];
  if (bundle !== undefined) return { file: join(bundle, `${name}.js`), loader: [] };
  return { file: join(scripts, `${name}.ts`), loader: ['--import', 'tsx'] };
}
