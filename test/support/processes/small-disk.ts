/**
 * Disks that a test can fill under a running server, for ordinary users and root alike: a small file system in a mount
 * namespace of the server's own, where the machine allows that, and a limit on the size of its files, where it does not.
 */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk {
  readonly name: string;
  /** Whether this machine allows it. */
  readonly isPossible: boolean;
  /** The command that starts a server whose DATA_DIR, an empty folder, is on the disk. */
  through(dataDir: string): string[];
  fill(server: ChildProcess, dataDir: string): void;
  free(server: ChildProcess, dataDir: string): void;
}

/** A map of users makes an ordinary user root within the namespace. */
const unshare = ['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])];
const filler = (server: ChildProcess, dataDir: string) => join(`/proc/${server.pid}/root`, dataDir, 'filler');

const ownFileSystem: SmallDisk = {
  name: 'a full file system',
  get isPossible() {
    return existsSync('/proc/self/ns/mnt') && spawnSync(...command([...mountOn('/mnt'), 'true'])).status === 0;
  },
  through: mountOn,
  fill(server, dataDir) {
    const file = openSync(filler(server, dataDir), 'w');
    try {
      // Smaller and smaller pieces, so that nothing fits any more.
      for (let size = 1024 * 1024; size > 0; size = Math.floor(size / 2)) writeUntilFull(file, Buffer.alloc(size));
    } finally {
      closeSync(file);
    }
  },
  free: (server, dataDir) => rmSync(filler(server, dataDir)),
};

const sizeLimit: SmallDisk = {
  name: 'a disk that refuses to let files grow',
  get isPossible() {
    return spawnSync('prlimit', ['--version']).status === 0;
  },
  through: () => [],
  fill: ({ pid }) => limitFiles(pid!, '4096:'),
  free: ({ pid }) => limitFiles(pid!, 'unlimited:'),
};

export const smallDisks: readonly SmallDisk[] = [ownFileSystem, sizeLimit];

function mountOn(folder: string): string[] {
  return [...unshare, 'sh', '-c', `mount -t tmpfs -o size=64m tmpfs '${folder}' && exec "$@"`, 'sh'];
}

function command([name = '', ...args]: readonly string[]): [string, string[]] {
  return [name, args];
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** Only the soft limit, which an ordinary user may raise again. */
function limitFiles(pid: number, limit: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${limit}`]);
}
