#!/usr/bin/env node
/** The `citewire` command of the published package: cli.ts, compiled, on a Node that can run it. */
import { requireNode } from './require-node.js';

if (requireNode()) import('./cli.js');
