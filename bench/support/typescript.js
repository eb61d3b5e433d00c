/**
 * Loads TypeScript as `npm start` and the built package run it: types taken off and nothing added. `tsx` keeps the names
 * of functions besides, which makes each closure 256 bytes larger.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { transform } from 'esbuild';

/** In the thread of the hooks, where this file is loaded once more. */
export async function load(url, context, next) {
  const [, loader] = /\.(ts|json)$/.exec(url) ?? [];
  if (loader === undefined) return next(url, context);
  const source = await readFile(new URL(url), 'utf8');
  const { code } = await transform(source, { loader, format: 'esm', target: 'node20', sourcefile: url });
  return { format: 'module', source: code, shortCircuit: true };
}

// Threads have their own way to load it, and the hooks need none.
if (isMainThread) register(import.meta.url);
