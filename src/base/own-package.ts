/** The package that this code belongs to, above it wherever it was built to. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Its folder; undefined in an unusual layout. */
export const packageFolder = findFolder();

/** Its version; `unknown` in an unusual layout. */
export const version = packageFolder === undefined ? 'unknown' : readManifest(packageFolder).version;

/** How its command is called: a clone has no `citewire` on the PATH. */
export const commandName = isClone() ? 'npm run -s citewire --' : 'npx citewire';

function isClone(): boolean {
  return packageFolder !== undefined && existsSync(join(packageFolder, 'tools/start.js'));
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
