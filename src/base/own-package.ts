/** The package that this code belongs to, above it wherever it was built to. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Its folder; undefined in an unusual layout. */
export const packageFolder = findFolder();

/** Its version; `unknown` in an unusual layout. */
export const version = packageFolder === undefined ? 'unknown' : readManifest(packageFolder).version;

/** How its command is called here, for messages that can be copied. */
export const commandName = isClone() ? 'npm run -s citewire --' : nameInShell(process.argv[1]);

function isClone(): boolean {
  return packageFolder !== undefined && existsSync(join(packageFolder, 'tools/start.js'));
}

/**
 * The name of the command in an installed package that was started as `program`: the short one for a global installation and the
 * image, which have it on the PATH, and npx for a local one and for a file that Node was given.
 */
export function nameInShell(program = ''): string {
  const isLocal = dirname(program).endsWith(join('node_modules', '.bin'));
  return basename(program) === 'citewire' && !isLocal ? 'citewire' : 'npx citewire';
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
