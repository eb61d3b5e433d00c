/** Where the packages are that were installed with this one: their documentation is the corpus of the first start. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest `node_modules` above this file that holds a package this one needs; undefined in an unusual layout. */
export function installedPackages(): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules');
    if (existsSync(join(candidate, 'zod', 'package.json'))) return candidate;
  }
  return undefined;
}
