/**
 * Runs the command from a bundle of the sources. The first command, and the first after a source or a package has changed,
 * bundles them: TypeScript loaded file by file takes three times as long to start. Where a bundle
 * cannot be written, the sources run as they are.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/citewire');
const madeFrom = ['package.json', 'node_modules/.package-lock.json', 'protocol', 'src', 'tools'];
/** Several, because a running server may still read its own; the number is set by hand. */
const maxBundles = 12;

const folder = join(cache, stampOf(madeFrom));
if (existsSync(folder)) await run(join(folder, 'src/app/cli.js'));
else if (existsSync(join(root, 'node_modules/tsx'))) {
  await bundle();
  await run(existsSync(folder) ? join(folder, 'src/app/cli.js') : join(root, 'src/cli.ts'));
} else {
  process.stderr.write('citewire: a checkout is built with its devDependencies: run `npm ci --include=dev`.\n');
  process.exitCode = 1;
}

function run(path) {
  return import(pathToFileURL(path).href);
}

/** A stamp that changes whenever one of these files, or a file in one of these folders, does. */
function stampOf(paths) {
  const hash = createHash('sha256').update(root);
  const add = (path) => {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  };
  for (const path of paths.map((name) => join(root, name)).filter(existsSync)) {
    add(path);
    if (!statSync(path).isDirectory()) continue;
    for (const name of readdirSync(path, { recursive: true }).sort()) add(join(path, name));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Never rejects. From here on this process can load TypeScript. */
async function bundle() {
  const { register } = await import('tsx/esm/api');
  register();
  const unfinished = `${folder}.${process.pid}`;
  try {
    mkdirSync(cache, { recursive: true });
    const { bundleServer } = await import('./bundle.ts');
    await bundleServer(unfinished);
    // Another process may have been faster: its bundle is the same.
    if (existsSync(folder)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, folder);
    removeOldest();
  } catch (error) {
    process.stderr.write(`citewire: starts slowly, because its sources could not be bundled (${reasonOf(error)})\n`);
  }
}

/** After an update of the clone, packages may be missing that its sources import. */
function reasonOf({ message, errors = [] }) {
  const missing = errors.map(({ text }) => /^Could not resolve "([^"]+)"/.exec(text)?.[1]).find(Boolean);
  return missing === undefined ? message : `${missing} is not installed: run \`npm ci\``;
}

function removeOldest() {
  const kept = readdirSync(cache).map((name) => join(cache, name));
  const age = (path) => -statSync(path).mtimeMs;
  for (const path of kept.sort((a, b) => age(a) - age(b)).slice(maxBundles)) rmSync(path, { recursive: true });
}
