/**
 * npm runs it before it packs, after the build: completes `dist/` and puts the published manifest in the place of the
 * checkout's, which postpack.ts restores.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkoutManifest, root } from './checkout-manifest.ts';
import { publishedManifest } from './manifest.ts';
import { copySqlite } from './sqlite-copy.ts';

copySqlite(root, join(root, 'dist/src/app'));

const path = join(root, 'package.json');
const text = readFileSync(path, 'utf8');
writeFileSync(checkoutManifest, text);
writeFileSync(path, `${JSON.stringify(publishedManifest(JSON.parse(text)), null, 2)}\n`);
