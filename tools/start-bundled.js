/**
 * Runs the command from a bundle of the sources. The first command, and the first after a source or a package has changed,
 * bundles them: TypeScript loaded file by file takes three times as long to start. Where a bundle
 * cannot be written, the sources run as they are.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { nameSources } from './source-positions.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/citewire');
const madeFrom = ['package.json', 'node_modules/.package-lock.json', 'protocol', 'src', 'tools'];
/** Several, for a checkout that goes back and forth; the number is set by hand. */
const maxBundles = 12;
/** Begins the name of a file in a bundle, for each process that runs from it, and the process's id ends it. */
const runner = 'running.';

const folder = join(cache, stampOf(madeFrom));
if (existsSync(folder)) await runBundle();
else if (existsSync(join(root, 'node_modules/tsx'))) {
  await bundle();
  if (existsSync(folder)) await runBundle();
  else {
    (await import('tsx/esm/api')).register();
    await run(join(root, 'src/cli.ts'));
  }
} else {
  process.stderr.write('citewire: a checkout is built with its devDependencies: run `npm ci --include=dev`.\n');
  process.exitCode = 1;
}

/** A server starts processes and threads from its bundle for as long as it runs, so others must not remove it. */
function runBundle() {
  const path = join(folder, runner + process.pid);
  try {
    writeFileSync(path, '');
    process.once('exit', () => rmSync(path, { force: true }));
  } catch {
    // A checkout that cannot be written to has no bundle removed either.
  }
  nameSources();
  return run(join(folder, 'src/app/cli.js'));
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

/**
 * Never rejects. In a process of its own: what esbuild and its input take, a hundred megabytes, would stay with a server that began
 * by bundling for as long as it runs.
 */
async function bundle() {
  const unfinished = `${folder}.${process.pid}`;
  try {
    mkdirSync(cache, { recursive: true });
    const script = fileURLToPath(new URL('write-bundle.ts', import.meta.url));
    const options = { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] };
    const child = spawn(process.execPath, ['--import', 'tsx', script, unfinished], options);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(said.trim() || `its process ended with ${code}`);
    // Another process may have been faster: its bundle is the same.
    if (existsSync(folder)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, folder);
    removeOldest();
  } catch ({ message }) {
    process.stderr.write(`citewire: starts slowly, because its sources could not be bundled (${message})\n`);
  }
}

function removeOldest() {
  const kept = readdirSync(cache).map((name) => join(cache, name));
  const age = (path) => -statSync(path).mtimeMs;
  const oldest = kept.sort((a, b) => age(a) - age(b)).slice(maxBundles);
  for (const path of oldest.filter((each) => !isInUse(each))) rmSync(path, { recursive: true });
}

/** Whether another process that runs from this bundle lives. In a container, the one before may have had the id of this one. */
function isInUse(path) {
  const names = readdirSync(path).filter((name) => name.startsWith(runner));
  const pids = names.map((name) => Number(name.slice(runner.length)));
  return pids.some((pid) => pid !== process.pid && isAlive(pid));
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch ({ code }) {
    return code === 'EPERM';
  }
}
