/**
 * The `citewire` command in a clone: `node tools/start.js serve`. Checks the version of Node first, and loads nothing that an
 * old one could not even parse.
 */
import { requireNode } from '../src/require-node.js';

if (requireNode()) import('./start-bundled.js');
