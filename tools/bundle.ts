/**
 * Bundles the server, so that a start reads a few files instead of a thousand. All modules end up in one folder, `src/app`,
 * next to the files that they read at run time (Lua scripts, word lists, worker files). It has the same depth as the folders
 * of the sources, so that `../../protocol` and `../ui` still lead to the documents and the pages.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { fileName } from '../src/pages/static.ts';
import { bundlePages } from './bundle-pages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Dependencies of many files that every start loads: inlined although they are installed, one for the types of the client, the
 * other for its documentation. The rest of the dependencies are loaded from where they are installed, and what the sources
 * import of the devDependencies is inlined too, so that a published package installs without it.
 */
const inlined = ['undici', 'zod'];

export interface BundleOptions {
  /** More files to bundle, as absolute paths. */
  readonly scripts?: readonly string[];
  /** For the published package, which has no sources that source maps could lead to. */
  readonly published?: boolean;
}

/**
 * Writes a bundle of the sources into `folder`, which it creates. Resolves with the paths of the files that went into it. Rejects
 * when the sources do not compile.
 */
export async function bundleServer(
  folder: string,
  { scripts = [], published = false }: BundleOptions = {},
): Promise<string[]> {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('ui/'));
  const { metafile } = await build({
    ...serverBuild(folder),
    metafile: true,
    entryPoints: [
      ...['cli.ts', ...sources.filter((path) => path.endsWith('-worker.ts'))].map((path) => `src/${path}`),
      ...scripts,
    ],
    sourcemap: !published,
  });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  for (const path of sources.filter((each) => /\.(?:lua|txt)$/.test(each))) {
    copyFileSync(join(root, 'src', path), join(folder, 'src/app', basename(path)));
  }
  mkdirSync(join(folder, 'protocol'), { recursive: true });
  for (const name of ['openapi.json', 'asyncapi.json']) {
    copyFileSync(join(root, 'protocol', name), join(folder, 'protocol', name));
  }
  mkdirSync(join(folder, 'src/ui'));
  const inputs = Object.keys(metafile.inputs);
  const pages = await bundlePages((paths) => inputs.push(...paths));
  for (const [path, bytes] of pages) writeFileSync(join(folder, 'src/ui', fileName(path)), bytes);
  return inputs;
}

/** How sources are bundled for Node into a folder: in files of their own, and what they share in others beside them. */
export function serverBuild(folder: string) {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    absWorkingDir: root,
    outdir: join(folder, 'src/app'),
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    // Names stay, for readable stack traces. Each thread keeps the text of what it loads, with two bytes a character if a comment has a dash.
    minifyWhitespace: true,
    plugins: [narrowText, englishOnly],
    // The notices are in a file of their own.
    legalComments: 'none',
    sourcesContent: false,
    logLevel: 'silent',
    external: Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !inlined.includes(name)),
    // For inlined packages that are CommonJS.
    banner: {
      js: "import { createRequire as requireAt } from 'node:module'; const require = requireAt(import.meta.url);",
    },
  } satisfies BuildOptions;
}

/** A UTF-16 code unit that has no single byte, and no backslash before it. */
const wide = /(?<=(?<!\\)(?:\\\\)*)[^\0-\xff]/g;

/**
 * Escapes what has no single byte. esbuild does so itself, except in regular expressions, and one such character makes a thread keep
 * the text of the whole file with two bytes a character.
 */
const narrowText: Plugin = {
  name: 'narrow-text',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replaceAll(wide, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
      if (contents === text) return undefined;
      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' };
    });
  },
};

/** Keeps only English of zod's locales: a library imports all of zod, and the other 450 KB are never used. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};
