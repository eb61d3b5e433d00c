/** `npm version` runs it after it has changed package.json: stamps the protocol, its documents and the changelog. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checkout-manifest.ts';
import { stamp } from './stamp.ts';

const inRoot = (path: string) => join(root, path);
const [changelog, openApi] = [inRoot('CHANGELOG.md'), inRoot('protocol/openapi.ts')];
const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
const texts = { changelog: readFileSync(changelog, 'utf8'), openApi: readFileSync(openApi, 'utf8') };

const stamped = stamp(texts, version, new Date().toISOString().slice(0, 10));
writeFileSync(changelog, stamped.changelog);
writeFileSync(openApi, stamped.openApi);
// In a process of its own, because this one has not loaded the new version.
execFileSync(process.execPath, ['--import', 'tsx', inRoot('protocol/generate.ts')], { cwd: root, stdio: 'inherit' });
