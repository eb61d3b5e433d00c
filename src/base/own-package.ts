/** The package that this code belongs to, above it wherever it was built to. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

/** Its folder; undefined in an unusual layout. */
export const packageFolder = findFolder();

/** Its version; `unknown` in an unusual layout. */
export const version = packageFolder === undefined ? 'unknown' : readManifest(packageFolder).version;

/** How its command is called here, for messages that can be copied. */
export const commandName = isClone() ? 'npm run -s citewire --' : nameInShell(process.argv[1], process.env.PATH);

function isClone(): boolean {
  return packageFolder !== undefined && existsSync(join(packageFolder, 'tools/start.js'));
}

/**
 * The name of the command in an installed package that was started as `program`: the short one if the shell finds it on `path`, as
 * after `npm install -g` and in the image, else by npx, which puts the folder of a local installation on the PATH for itself alone.
 */
export function nameInShell(program = '', path = ''): string {
  const folder = dirname(program);
  const isFound = path.split(delimiter).includes(folder) && !folder.endsWith(join('node_modules', '.bin'));
  return isFound && basename(program) === 'citewire' ? 'citewire' : 'npx citewire';
}

function findFolder(): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && readManifest(folder).name === 'citewire') return folder;
  }
  return undefined;
}

function readManifest(folder: string): { readonly name: string; readonly version: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
