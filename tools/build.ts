/**
 * Builds `dist/`, which is what the published package runs: the bundled server with its pages, and the client and the tool for
 * agents, compiled file by file with their types, because browsers and bundlers load them. Starts with an empty folder, so
 * that nothing of an older build is published. Writes NOTICES.md, the licences of what the bundle contains.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleServer } from './bundle.ts';
import { noticesOf } from './package/notices.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')];
const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
if (status !== 0) process.exit(1);
// Of the contract the client needs only the types.
for (const name of readdirSync(join(dist, 'protocol'))) {
  if (name.endsWith('.js')) rmSync(join(dist, 'protocol', name));
}

const inputs = await bundleServer(dist, { published: true });
writeFileSync(join(root, 'NOTICES.md'), noticesOf(root, inputs));
for (const name of ['citewire.js', 'require-node.js']) {
  copyFileSync(join(root, 'src', name), join(dist, 'src/app', name));
}
