/** Where the manifest of the checkout is kept while npm packs. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const checkoutManifest = join(root, 'package.checkout.json');
