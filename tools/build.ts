/**
 * Builds `dist/`: the compiled sources with the other files that they read at run time (Lua, JSON), and the bundled pages in
 * place of their sources. Starts with an empty folder, so that nothing of an older build is published.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileName } from '../src/pages/static.ts';
import { bundlePages } from './bundle-pages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (path: string) => `${root}${path}`;

rmSync(inRoot('dist'), { recursive: true, force: true });
const tsc = [inRoot('node_modules/typescript/bin/tsc'), '-p', inRoot('tsconfig.build.json')];
const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
if (status !== 0) process.exit(1);

for (const folder of ['src', 'protocol']) {
  cpSync(inRoot(folder), inRoot(`dist/${folder}`), {
    recursive: true,
    filter: (path) => extname(path) !== '.ts' && path !== inRoot('src/ui'),
  });
}

mkdirSync(inRoot('dist/src/ui'));
for (const [path, bytes] of await bundlePages()) writeFileSync(inRoot(`dist/src/ui/${fileName(path)}`), bytes);
