/** Programs of other releases of Node, which the registry has as packages. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checkout-manifest.ts';

/** Kept for the next run. Not below node_modules, where TypeScript and Vite would take a checkout for a package. */
export const nodeCache = join(root, '.matrix');

/** The path of the newest Node `version`, such as `24`, for this machine; it is downloaded when it is not there yet. */
export function nodeOf(version: string): string {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(nodeCache, version);
  const node = join(folder, 'node_modules', name, 'bin/node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `${name}@${version}`], {
      cwd: folder,
    });
  }
  return node;
}
