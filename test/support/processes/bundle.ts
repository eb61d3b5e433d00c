/**
 * Bundles the sources, and the scripts that tests run in separate processes, once for all test files: loading TypeScript file by
 * file takes a second of CPU time at every start.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundleServer } from '../../../tools/bundle.ts';
import { bundleSources } from './bundled-sources.ts';
import { bundleVariable, scripts } from './run-script.ts';

/** Below node_modules, so that packages are found from there. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/citewire-test/', import.meta.url));

/**
 * For vitest's `globalSetup`; returns the teardown. Where no bundle can be kept, and while vitest watches the files for changes,
 * everything runs from the sources.
 */
export default async function bundleOnce({ config }: TestProject): Promise<(() => void) | undefined> {
  // Called for each project of the run.
  if (config.watch || process.env[bundleVariable] !== undefined) return undefined;
  try {
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(cache);
    await bundleServer(folder, { scripts: readdirSync(scripts).map((name) => join(scripts, name)) });
    await bundleSources(folder);
    process.env[bundleVariable] = join(folder, 'src/app');
    return () => rmSync(folder, { recursive: true });
  } catch (error) {
    console.warn(`The sources are not bundled, so tests start slowly: ${(error as Error).message}`);
    return undefined;
  }
}
