/** npm runs it after it has packed: puts the manifest of the checkout back. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { checkoutManifest, root } from './checkout-manifest.ts';

renameSync(checkoutManifest, join(root, 'package.json'));
