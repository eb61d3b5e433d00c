/**
 * Loads the web pages: in a build from the folder that the build puts next to this one, in a checkout by bundling src/ui
 * once per process.
 */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { commandName } from '../base/own-package.ts';
import { assetsPath, commandMeta, fileName, pages } from './static.ts';
import { createStaticFile, type StaticFiles } from './static-file.ts';

/** The folder in the build: `<page>.html` for each page, assets under their own names. */
const builtPages = fileURLToPath(new URL('../ui/', import.meta.url));

let loading: Promise<StaticFiles> | undefined;

/** All pages and assets by path. Rejects when the sources do not compile; the next call tries again. */
export function loadPages(): Promise<StaticFiles> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<StaticFiles> {
  const files = import.meta.url.endsWith('.ts') ? await bundleSources() : await readBuilt();
  return new Map(
    [...files].map(([path, bytes]) => {
      const name = fileName(path);
      return [path, createStaticFile(name, name.endsWith('.html') ? withCommand(bytes) : bytes)];
    }),
  );
}

/** Only a checkout has the bundler, so the path is computed to hide this import from the build. */
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

/** The same page can be served from a clone, a local installation and an image, where the command has different names. */
function withCommand(page: Uint8Array): Uint8Array {
  const meta = (content: string) => `<meta name="${commandMeta}" content="${content}">`;
  return Buffer.from(Buffer.from(page).toString().replace(meta('citewire'), meta(commandName)));
}
