/** Finds the packages installed with this one; their documentation is the first corpus of a new server. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Path of the nearest `node_modules` above this file that contains a dependency; undefined in an unusual layout. */
export function installedPackages(): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules');
    if (existsSync(join(candidate, 'zod', 'package.json'))) return candidate;
  }
  return undefined;
}
