/**
 * Loads the pages: built ones from the folder that the package's build puts next to this one; run from the sources,
 * bundled from src/ui once per process.
 */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { assetsPath, fileName, pages } from './static.ts';
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
  const files = import.meta.url.endsWith('.ts') ? await bundleSources() : await readBuilt();
  const each = [...files].map(async ([path, bytes]) => [path, await createStaticFile(fileName(path), bytes)] as const);
  return new Map(await Promise.all(each));
}

/** The tool that builds the pages; only a checkout has it, so nothing that is built may follow this import. */
async function bundleSources(): Promise<Map<string, Uint8Array>> {
  const tool = new URL('../../tools/bundle-pages.ts', import.meta.url);
  return (await import(tool.href)).bundlePages();
}

async function readBuilt(): Promise<Map<string, Uint8Array>> {
  const named = Object.keys(pages).map((path) => [path, fileName(path)] as const);
  const assets = (await readdir(builtPages)).filter((name) => !name.endsWith('.html'));
  const all = [...named, ...assets.map((name) => [assetsPath + name, name] as const)];
  return new Map(
    await Promise.all(all.map(async ([path, name]) => [path, await readFile(builtPages + name)] as const)),
  );
}
