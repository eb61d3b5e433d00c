/**
 * Does what a new user does with the packed package: installs it in an empty folder without install scripts, starts the server,
 * asks it a question and stops it, then asks in the terminal. Used by the test of the package on the Node that runs it, and by
 * the matrix on each.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './checkout-manifest.ts';

const run = promisify(execFile);
const question = 'How do I check a citation?';
/** In what a first start prints. */
const addressAndKey = /listening on (http\S+)[\s\S]*?(cw_\w+)/;

export interface Installed {
  readonly folder: string;
  /** The environment with this Node first in PATH, and settings that need no network. */
  readonly env: Record<string, string | undefined>;
  /** What its files and those of its dependencies take on the disk, as `du` counts; without the SQLite of Node 20. */
  readonly bytes: number;
  remove(): void;
}

export interface Answer {
  readonly status: string;
  readonly answer: string;
  readonly citations: readonly { readonly quote: string }[];
}

export interface InstallOptions {
  /** Whether the SQLite for Node 20 may be built by its install script; off unless said otherwise. */
  readonly scripts?: boolean;
}

/**
 * Installs the file that `npm pack` made, on the Node with the path `node`, and on Node 20 its SQLite. Packages come from npm's cache
 * or the registry: rejects with one sentence when neither has them. Without install scripts, Node 20 is given the binary that the
 * checkout has, if that is of the same Node.
 */
export async function install(
  tarball: string,
  node: string,
  { scripts = false }: InstallOptions = {},
): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'citewire-install-'));
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const env = { ...inherited, PATH, DATA_DIR: join(folder, 'data'), PORT: '0', MEDIAWIKI_URL: 'off' };
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = [
    ...(scripts ? [] : ['--ignore-scripts']),
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npmInstall = async (wanted: string) => {
    try {
      await run('npm', ['install', wanted, ...options], { cwd: folder, env });
    } catch (error) {
      rmSync(folder, { recursive: true });
      const why = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
      throw new Error(`npm could not install ${wanted}: dependencies come from npm's cache or the registry. ${why}`);
    }
  };
  await npmInstall(tarball);
  const bytes = sizeOf(join(folder, 'node_modules'));
  const { stdout } = await run(node, ['-p', 'process.versions.node.split(".")[0]']);
  if (Number(stdout) < 22) {
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    await npmInstall(`better-sqlite3@${optionalDependencies['better-sqlite3']}`);
    const binary = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';
    if (!scripts && process.version.startsWith(`v${stdout.trim()}.`) && existsSync(join(root, binary))) {
      mkdirSync(dirname(join(folder, binary)), { recursive: true });
      cpSync(join(root, binary), join(folder, binary));
    }
  }
  return {
    folder,
    env,
    bytes,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/**
 * Starts `npx citewire serve` with further `settings`, asks it by HTTP until the question is answered, and stops it. Rejects when a
 * part fails.
 */
export async function searchOnServer(
  { folder, env }: Installed,
  settings: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const all = { ...env, ...settings };
  const server = spawn('npx', ['--no-install', 'citewire', 'serve'], { cwd: folder, env: all, detached: true });
  try {
    return await searchAt(server);
  } finally {
    await stop(server);
  }
}

/** Asks a starting server, by the address and key that it prints, until the question is answered. Rejects when it ends before. */
export async function searchAt(server: ChildProcess): Promise<Answer> {
  const printed = await outputUntil(server, addressAndKey);
  const [, url, key] = addressAndKey.exec(printed)!;
  for (;;) {
    const response = await fetch(`${url}/v1/search`, {
      method: 'POST',
      headers: { 'x-api-key': key!, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: question }),
    });
    if (!response.ok) throw new Error(`expected an answer; got ${response.status}: ${await response.text()}`);
    const answer = (await response.json()) as Answer;
    // The index of a new server is still being built.
    if (answer.status === 'answered') return answer;
  }
}

/** The output of `npx citewire ask`. */
export async function askInTerminal({ folder, env }: Installed): Promise<string> {
  return (await run('npx', ['--no-install', 'citewire', 'ask', question], { cwd: folder, env })).stdout;
}

function outputUntil(child: ChildProcess, pattern: RegExp): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (pattern.test(printed)) resolve(printed);
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`expected a server; it ended with code ${code}: ${printed}`)));
  });
}

/** npx and the server are one group of processes. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid!, 'SIGTERM');
  await ended;
}

function sizeOf(path: string): number {
  const stat = lstatSync(path);
  // Windows does not count blocks, of 512 bytes each.
  const own = stat.blocks === 0 ? stat.size : stat.blocks * 512;
  if (!stat.isDirectory()) return own;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), own);
}
