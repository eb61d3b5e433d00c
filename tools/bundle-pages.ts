/**
 * Bundles the pages from their sources in src/ui: a script, a style sheet and the HTML for each page, and shared chunks. Used
 * by the builds of the package and of a checkout, and by a server that runs from its sources.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, stop } from 'esbuild';
import { assetsPath, pages } from '../src/pages/static.ts';
import { hashOf } from '../src/pages/static-file.ts';
import { type PageParts, pageHtml } from './page-html.ts';

const ui = fileURLToPath(new URL('../src/ui/', import.meta.url));
/** The pages with their own texts in English only. */
const untranslated: readonly string[] = ['api-reference'];
/**
 * The contents of every file by its URL path; `/` is the HTML of the chat. `onInputs` is called with the paths of the files that
 * they are made from. Rejects when the sources do not compile.
 */
export async function bundlePages(
  onInputs: (paths: readonly string[]) => void = () => {},
): Promise<Map<string, Uint8Array>> {
  const shared = {
    absWorkingDir: ui,
    bundle: true,
    entryNames: '[name]-[hash]',
    chunkNames: 'shared-[hash]',
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
    minify: true,
    outdir: '.',
    target: 'es2022',
    write: false,
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'preact' } },
  } satisfies BuildOptions;
  try {
    const [modules, first, icon] = await Promise.all([
      build({
        ...shared,
        format: 'esm',
        splitting: true,
        entryPoints: [...new Set(Object.values(pages))].map(entryOf),
      }),
      // Runs before the first paint, which a module cannot.
      build({ ...shared, format: 'iife', entryPoints: ['theme/before-first-paint.ts'] }),
      readFile(`${ui}components/icon.svg`),
    ]);
    onInputs(Object.keys(modules.metafile.inputs));
    const iconPath = `${assetsPath}icon-${hashOf(icon)}.svg`;
    const files = new Map<string, Uint8Array>([[iconPath, icon]]);
    for (const { path, contents } of [...modules.outputFiles, ...first.outputFiles]) {
      files.set(assetsPath + basename(path), contents);
    }
    const firstPath = assetsPath + basename(Object.keys(first.metafile.outputs)[0] ?? '');
    for (const [path, page] of Object.entries(pages)) {
      const loaded = loadedBy(modules.metafile, entryOf(page));
      const root = untranslated.includes(page) ? '<html lang="en" data-translated="no">' : '<html lang="en">';
      const parts = {
        icon: iconPath,
        first: firstPath,
        languages: languageFiles(modules.metafile, entryOf(page)),
        root,
        ...loaded,
      };
      files.set(path, Buffer.from(pageHtml(page, parts)));
    }
    return files;
  } finally {
    await stop();
  }
}

function entryOf(page: string): string {
  return `${page}/${page}.tsx`;
}

function loadedBy({ outputs }: Metafile, entry: string): Pick<PageParts, 'script' | 'style' | 'imports'> {
  const [script, output] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
  if (script === undefined || output === undefined) throw new Error(`expected an output for ${entry}; got none`);
  const asset = (path: string) => assetsPath + basename(path);
  const imports = output.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => asset(path));
  return { script: asset(script), style: output.cssBundle && asset(output.cssBundle), imports };
}

/** The messages that a page loads before its first paint: not those of what it imports dynamically, which is loaded later. */
function languageFiles({ outputs }: Metafile, entry: string): Record<string, string[]> {
  const files: Record<string, string[]> = {};
  const seen = new Set<string>();
  const left = Object.keys(outputs).filter((path) => outputs[path]!.entryPoint === entry);
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const { kind, path: imported } of outputs[path]!.imports.filter(({ external }) => external !== true)) {
      const language = /^language\/[\w-]+\/(\w+)\.ts$/.exec(outputs[imported]!.entryPoint ?? '')?.[1];
      if (language === undefined) {
        if (kind !== 'dynamic-import') left.push(imported);
      } else if (!seen.has(imported)) {
        seen.add(imported);
        (files[language] ??= []).push(assetsPath + basename(imported));
      }
    }
  }
  return files;
}
