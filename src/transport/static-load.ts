/**
 * Where the pages come from: the folder that the build of the package puts beside this code, or, run from the sources,
 * the sources, bundled once a process.
 */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { assetsPath, pages } from './static.ts';
import { bundlePages } from './static-bundle.ts';
import { createStaticFile, type StaticFiles } from './static-file.ts';

/** The folder within the package's build; `<page>.html` for each page, the rest under its own name. */
const builtPages = fileURLToPath(new URL('../ui/', import.meta.url));

let loading: Promise<StaticFiles> | undefined;

/** All of them, in memory. Rejects when the sources do not compile; the next call tries again. */
export function loadPages(): Promise<StaticFiles> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<StaticFiles> {
  const isSource = import.meta.url.endsWith('.ts');
  const files = isSource ? await bundlePages() : await readBuilt();
  const each = [...files].map(async ([path, bytes]) => [path, await createStaticFile(fileName(path), bytes)] as const);
  return new Map(await Promise.all(each));
}

async function readBuilt(): Promise<Map<string, Uint8Array>> {
  const named = Object.keys(pages).map((path) => [path, fileName(path)] as const);
  const assets = (await readdir(builtPages)).filter((name) => !name.endsWith('.html'));
  const all = [...named, ...assets.map((name) => [assetsPath + name, name] as const)];
  return new Map(
    await Promise.all(all.map(async ([path, name]) => [path, await readFile(builtPages + name)] as const)),
  );
}

/** What the file of a path is called on disk. */
export function fileName(path: string): string {
  const page = (pages as Record<string, string>)[path];
  return page === undefined ? path.slice(assetsPath.length) : `${page}.html`;
}
