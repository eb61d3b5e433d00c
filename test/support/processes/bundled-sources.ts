/**
 * The sources as the tests of a run import them: bundled once, as a server runs them, instead of transformed by Vite and loaded file by
 * file in the process of each test file, which takes a second of CPU time in each that starts the app. What tests import of
 * `src` and `protocol` leads to the bundle; the pages alone, of which tests import single functions, are loaded as they are.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { ViteUserConfig } from 'vitest/config';
import { serverBuild } from '../../../tools/bundle.ts';
import { readImports } from '../read-imports.ts';
import { bundleVariable } from './run-script.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The folders with files that import the sources in a test run. */
const importing = ['bench', 'src/ui', 'test', 'tools'];

/** Bundles what these folders import of the sources into the folder that `bundleServer` has written to. */
export async function bundleSources(folder: string): Promise<void> {
  const entries = new Set<string>();
  for (const path of importing.flatMap(filesIn)) {
    for (const [specifier, typeOnly] of readImports(readFileSync(path, 'utf8'))) {
      const imported = resolve(dirname(path), specifier);
      if (!typeOnly && specifier.startsWith('.') && isBundled(imported)) entries.add(imported);
    }
  }
  const asServed = serverBuild(folder);
  await build({
    ...asServed,
    entryPoints: [...entries].map((path) => ({ in: path, out: nameOf(path) })),
    plugins: [...asServed.plugins, bundledWorkers],
  });
}

/** Leads imports of the sources to the bundle of the run. */
export const bundledSources: NonNullable<ViteUserConfig['plugins']>[number] = {
  name: 'bundled-sources',
  enforce: 'pre',
  resolveId(specifier, importer) {
    const bundle = process.env[bundleVariable];
    if (bundle === undefined || importer === undefined || !specifier.startsWith('.')) return undefined;
    const path = resolve(dirname(importer), specifier);
    return isBundled(path) ? { id: join(bundle, `${nameOf(path)}.js`), external: true } : undefined;
  },
};

const workerFile = join(root, 'src/base/worker-file.ts');

/** Workers start from the bundle, too. */
const bundledWorkers: Plugin = {
  name: 'bundled-workers',
  setup({ onResolve }) {
    onResolve({ filter: /\/worker-file\.ts$/ }, ({ path, importer, resolveDir }) => {
      const standIn = fileURLToPath(new URL('./bundled-worker-file.ts', import.meta.url));
      return resolve(resolveDir, path) === workerFile && importer !== standIn ? { path: standIn } : undefined;
    });
  },
};

function isBundled(path: string): boolean {
  const place = relative(root, path).replaceAll('\\', '/');
  return /^(?:protocol|src(?!\/ui\/))\/.*\.ts$/.test(place);
}

/** Of its file in the bundle, where all are in one folder. */
function nameOf(path: string): string {
  return relative(root, path).replace(/\.ts$/, '').replaceAll(/[\\/]/g, '__');
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(root, folder, name));
}
