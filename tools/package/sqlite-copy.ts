/**
 * Copies the release of SQLite that carries its binaries into the built package. As a dependency it would take 27 MB, of which
 * 10 are the sources of SQLite, and an npm that runs install scripts would drop it where there is no compiler, although it
 * needs none. The older release, for Node 20, is an optional peer; see manifest.ts.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const name = 'better-sqlite3-next';
/** What runs: JavaScript, binaries for each platform, and the licence. */
const parts = ['lib', 'prebuilds', 'LICENSE'];

/**
 * Copies it to `<folder>/better-sqlite3-next`, where src/base/sqlite.ts looks for it. npm does not install it on Node 20: then it
 * comes from the registry, or from npm's cache. Throws when it cannot be had, or is not the one that the lock file names.
 */
export function copySqlite(root: string, folder: string): void {
  const installed = join(root, 'node_modules', name);
  if (existsSync(installed)) return copy(installed, join(folder, name));
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = lock.packages[`node_modules/${name}`];
  const downloaded = mkdtempSync(join(tmpdir(), 'citewire-sqlite-'));
  try {
    download(`better-sqlite3@${version}`, downloaded);
    const file = join(downloaded, `better-sqlite3-${version}.tgz`);
    const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    if (found !== integrity) throw new Error(`${name}: expected ${integrity}, as in package-lock.json; got ${found}`);
    execFileSync('tar', ['-xzf', file, '-C', downloaded]);
    copy(join(downloaded, 'package'), join(folder, name));
  } finally {
    rmSync(downloaded, { recursive: true });
  }
}

function download(spec: string, folder: string): void {
  const options = ['--prefer-offline', '--silent', '--pack-destination', folder];
  try {
    execFileSync('npm', ['pack', spec, ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const why = (error as { stderr?: Buffer }).stderr?.toString().trim().split('\n').at(-1) || (error as Error).message;
    throw new Error(`${spec} is needed in the package, and npm could not download it (${why})`);
  }
}

/** With a manifest of its own, for the one of npm's package is about more than what is copied. */
function copy(from: string, to: string): void {
  for (const part of parts) cpSync(join(from, part), join(to, part), { recursive: true });
  const { name, version, license, main } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  writeFileSync(join(to, 'package.json'), `${JSON.stringify({ name, version, license, main }, null, 2)}\n`);
}
