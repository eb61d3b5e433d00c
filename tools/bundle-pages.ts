/**
 * Bundles the pages from their sources in src/ui: a script, a style sheet and the HTML for each page, and shared chunks. Used
 * by the builds of the package and of a checkout, and by a server that runs from its sources.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, stop } from 'esbuild';
import { assetsPath, commandMeta, pages } from '../src/pages/static.ts';
import { hashOf } from '../src/pages/static-file.ts';

const ui = fileURLToPath(new URL('../src/ui/', import.meta.url));
/** The pages with their own texts in English only. */
const untranslated: readonly string[] = ['api-reference'];
/** Without scripts nothing knows the language of the browser, so that all are shown. */
const withoutScripts = [
  ['en', 'This page needs JavaScript. The API does not: see /openapi.json.'],
  ['de', 'Diese Seite braucht JavaScript. Die API braucht es nicht: siehe /openapi.json.'],
  ['fr', 'Cette page a besoin de JavaScript. L’API s’en passe : voir /openapi.json.'],
  ['es', 'Esta página necesita JavaScript. La API no: véase /openapi.json.'],
  ['zh-Hans', '此页面需要 JavaScript。API 则不需要：见 /openapi.json。'],
] as const;
const titles = {
  chat: 'Citewire',
  dashboard: 'Citewire dashboard',
  'api-reference': 'HTTP API – Citewire',
  'not-found': 'Page not found – Citewire',
  'shared-thread': 'Shared thread – Citewire',
} as const;

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
      files.set(path, Buffer.from(html(titles[page], parts)));
    }
    return files;
  } finally {
    await stop();
  }
}

function entryOf(page: string): string {
  return `${page}/${page}.tsx`;
}

interface Loaded {
  readonly icon: string;
  readonly first: string;
  /** The files of each language's messages. */
  readonly languages: Readonly<Record<string, readonly string[]>>;
  readonly root: string;
  readonly script: string;
  readonly style: string | undefined;
  /** The script's static imports, so that the browser can preload them. */
  readonly imports: readonly string[];
}

function loadedBy({ outputs }: Metafile, entry: string): Pick<Loaded, 'script' | 'style' | 'imports'> {
  const [script, output] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
  if (script === undefined || output === undefined) throw new Error(`expected an output for ${entry}; got none`);
  const asset = (path: string) => assetsPath + basename(path);
  const imports = output.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => asset(path));
  return { script: asset(script), style: output.cssBundle && asset(output.cssBundle), imports };
}

/** The messages that a page loads: those that it, or what it imports, imports dynamically. */
function languageFiles({ outputs }: Metafile, entry: string): Record<string, string[]> {
  const files: Record<string, string[]> = {};
  const seen = new Set<string>();
  const left = Object.keys(outputs).filter((path) => outputs[path]!.entryPoint === entry);
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { entryPoint = '', imports } = outputs[path]!;
    const language = /^language\/[\w-]+\/(\w+)\.ts$/.exec(entryPoint)?.[1];
    if (language !== undefined) (files[language] ??= []).push(assetsPath + basename(path));
    else left.push(...imports.filter(({ external }) => external !== true).map((each) => each.path));
  }
  return files;
}

function html(title: string, { icon, first, languages, root, script, style, imports }: Loaded): string {
  const named = Object.entries(languages).map(([language, paths]) => ` data-${language}="${paths.join(' ')}"`);
  return `<!doctype html>
${root}
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="${commandMeta}" content="citewire">
<title>${title}</title>
<link rel="icon" href="${icon}">
<link rel="search" type="application/opensearchdescription+xml" title="Citewire" href="/opensearch.xml">
<script src="${first}"${named.join('')}></script>
${style === undefined ? '' : `<link rel="stylesheet" href="${style}">\n`}${imports.map((path) => `<link rel="modulepreload" href="${path}">\n`).join('')}<script type="module" src="${script}"></script>
</head>
<body>
${withoutScripts.map(([language, text]) => `<noscript lang="${language}"><p>${text}</p></noscript>`).join('\n')}
</body>
</html>
`;
}
