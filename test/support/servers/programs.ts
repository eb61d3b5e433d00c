/**
 * The programs that tests start. Found on the PATH, or installed if possible (as root on Debian), or skipped with a warning:
 * a suite that was skipped must not look like one that passed.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Program {
  readonly names: readonly string[];
  /** Debian's packages; the first that can be installed is. */
  readonly packages: readonly string[];
  /** A variable with an address to use instead, except for the tests that stop and start the program. */
  readonly instead?: { readonly variable: string; readonly exceptFor: string };
  readonly tests: string;
}

const programs = {
  redis: {
    names: ['redis-server', 'valkey-server'],
    packages: ['redis-server'],
    tests: 'what several processes share',
  },
  chromium: {
    // The shell renders the same and takes half of the CPU time, since it draws no windows.
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    packages: ['chromium-headless-shell', 'chromium'],
    tests: 'the pages, in a browser',
  },
  caddy: {
    names: ['caddy'],
    packages: ['caddy'],
    tests: 'several servers behind a proxy',
  },
  postgres: {
    names: ['postgres'],
    packages: ['postgresql'],
    instead: { variable: 'TEST_DATABASE_URL', exceptFor: 'a Postgres that restarts or hangs' },
    tests: 'the store over Postgres',
  },
} as const satisfies Record<string, Program>;
export type ProgramName = keyof typeof programs;

/** The program's path; undefined if it is not installed. */
export function findProgram(name: ProgramName): string | undefined {
  const usual = ['/usr/bin', '/usr/local/bin', '/usr/sbin', ...postgresFolders()];
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...usual];
  return programs[name].names
    .flatMap((file) => folders.map((folder) => join(folder, file)))
    .find((path) => isExecutable(path));
}

/** For vitest's `globalSetup`: installs what is missing, and warns about what cannot be installed. */
export default function ensurePrograms(): void {
  for (const [name, program] of Object.entries<Program>(programs)) {
    if (findProgram(name as ProgramName) !== undefined) continue;
    const { instead } = program;
    const isGiven = instead !== undefined && process.env[instead.variable] !== undefined;
    if (!isGiven && canInstall()) program.packages.some(install);
    if (findProgram(name as ProgramName) !== undefined) continue;
    const tests = isGiven ? instead.exceptFor : program.tests;
    const orSet = isGiven || instead === undefined ? '' : ` or set ${instead.variable}`;
    console.warn(`\n*** NOT TESTED: ${tests}. Install ${program.names[0]}${orSet} to test it. ***\n`);
  }
}

/** Debian installs each version in its own folder, outside the PATH. Newest first. */
function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, 'bin'));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/** Whether it is installed now. */
function install(name: string): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const get = (...args: string[]) =>
    spawnSync('apt-get', args, { env, stdio: 'ignore', timeout: 180_000 }).status === 0;
  const isInstalled = () => get('install', '-y', '--no-install-recommends', name);
  if (isInstalled()) return true;
  get('update');
  return isInstalled();
}
