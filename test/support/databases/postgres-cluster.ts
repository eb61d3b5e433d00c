/**
 * The files of an empty Postgres. `initdb` takes more than a second of CPU time to make them, a copy a tenth of that: the first
 * server of a test run makes them for all.
 */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Names the folder that they are copied from, which need not exist yet; the workers of a test run inherit it. */
const clusterVariable = 'TEST_POSTGRES_CLUSTER';

/** The user that a process is started as, its folder and its environment. */
interface AsUser {
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** For vitest's `globalSetup`; returns the teardown. */
export default function shareCluster(): (() => void) | undefined {
  // Called for each project of the run.
  if (process.env[clusterVariable] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'citewire-cluster-'));
  const user = ordinaryUser();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  process.env[clusterVariable] = join(folder, 'data');
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Creates the folder `data`. `program` is the path of `postgres`. */
export function createCluster(program: string, data: string, asUser: AsUser): void {
  const shared = process.env[clusterVariable];
  if (shared === undefined) return initialise(program, data, asUser);
  if (!existsSync(shared)) {
    const own = `${shared}-${process.pid}`;
    initialise(program, own, asUser);
    try {
      renameSync(own, shared);
    } catch {
      // Another test file was faster: its files are the same.
      rmSync(own, { recursive: true });
    }
  }
  execFileSync('cp', ['-R', shared, data], { ...asUser, stdio: 'ignore' });
}

/** The user that root starts it as: Debian's `postgres`, else `nobody`. */
export function ordinaryUser(): { uid: number; gid: number } | { uid?: undefined } {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const user = ['postgres', 'nobody'].flatMap((name) => users.filter((line) => line.startsWith(`${name}:`)))[0];
  const [, , uid, gid] = user?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

function initialise(program: string, data: string, asUser: AsUser): void {
  const settings = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...collationArguments(program)];
  const initdb = join(dirname(realpathSync(program)), 'initdb');
  execFileSync(initdb, ['-D', data, ...settings], { ...asUser, stdio: 'ignore' });
}

/** A collation that differs from byte order, where this version has one on every machine. */
function collationArguments(program: string): string[] {
  const version = Number(/\d+/.exec(execFileSync(program, ['--version']).toString())?.[0]);
  return version >= 15 ? ['--locale-provider=icu', '--icu-locale=en-US'] : [];
}
