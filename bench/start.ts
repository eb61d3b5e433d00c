/**
 * How long a start takes, with the index already built: from the start of the process to listening, and to the first
 * answer; and its CPU time until it listens, which depends less on other load (from /proc: Linux only). Compared with the
 * sources loaded file by file, a Node that does nothing, and one that only loads TypeScript.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmStart } from './support/npm-start.ts';
import type { BenchOptions, BenchResult } from './support/report.ts';
import { median, spread } from './support/stats.ts';
import type { Row } from './support/table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'dist/src/app/citewire.js');
const ways = {
  'npm start': npmStart,
  'sources, by tsx': ['--import', 'tsx', 'src/cli.ts', 'serve'],
  'built (dist)': [built, 'serve'],
};
const controls = {
  'node, nothing': ['-e', '0'],
  'node with tsx, nothing': ['--import', 'tsx', '-e', '0'],
};

interface Times {
  readonly listening: number;
  readonly cpu: number;
  readonly answered: number;
}

/** Milliseconds, with a goal of at most 1,000 to listening. */
export default async function start({ quick, say }: BenchOptions): Promise<BenchResult> {
  const rounds = quick ? 3 : 9;
  const dataDir = mkdtempSync(join(tmpdir(), 'citewire-start-'));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info', MEDIAWIKI_URL: 'off' };
  const usable = Object.entries(ways).filter(([, args]) => args[0] !== built || existsSync(built));
  const found = new Map<string, Times[]>(usable.map(([name]) => [name, []]));
  const bare = new Map<string, number[]>(Object.keys(controls).map((name) => [name, []]));
  try {
    const key = await buildIndex(env);
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, args] of Object.entries(controls)) bare.get(name)!.push(await runToEnd(args));
      for (const [name, args] of usable) found.get(name)!.push(await startAndAsk(args, env, key));
      say(
        `round ${round + 1}: ${usable.map(([name]) => `${name} ${found.get(name)!.at(-1)!.listening.toFixed(0)}`)} ms`,
      );
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  const rows: Row[] = [
    ...[...bare].map(([name, times]) => ({ name, cells: [spread(times, 'ms'), '', ''] })),
    ...[...found].map(([name, times]) => ({
      name,
      own: true,
      cells: [
        spread(
          times.map(({ listening }) => listening),
          'ms',
        ),
        spread(
          times.map(({ cpu }) => cpu),
          'ms',
        ),
        spread(
          times.map(({ answered }) => answered),
          'ms',
        ),
      ],
    })),
  ];
  const goals = [...found]
    .filter(([name]) => name !== 'sources, by tsx')
    .map(([name, times]) => ({
      text: `${name}, ms to listening`,
      limit: 1_000,
      got: median(times.map(({ listening }) => listening)),
    }));
  const columns = ['', 'to listening (or the end)', 'CPU time until then', 'to the first answer'];
  return { tables: [{ title: 'Start of the process to listening', columns, rows, drawn: 1 }], goals };
}

type Env = NodeJS.ProcessEnv;

/** Starts the server once, which creates the bundle and the index; returns the key that it created. */
async function buildIndex(env: Env): Promise<string> {
  const child = spawn(process.execPath, [...npmStart], { cwd: root, env });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const hear = (data: Buffer) => {
      said += data;
      if (said.includes('installed packages is indexed')) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
  await end(child);
  return /key[^:]*: (cw_\S+)/.exec(said)![1]!;
}

function runToEnd(args: readonly string[]): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve) => {
    spawn(process.execPath, args, { cwd: root }).on('exit', () => resolve(performance.now() - begun));
  });
}

async function startAndAsk(args: readonly string[], env: Env, key: string): Promise<Times> {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, env });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (data) => {
      said += data;
    });
    child.stdout.on('data', (data) => {
      said += data;
      const address = /http:\/\/[\d.]+:\d+/.exec(said);
      if (address !== null) resolve(address[0]);
    });
    child.on('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
  const listening = performance.now() - begun;
  const cpu = cpuOf(child.pid!);
  const response = await fetch(`${url}/v1/search`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'How do I set a request timeout in undici?' }),
  });
  await response.text();
  if (response.status !== 200) throw new Error(`a search was answered with ${response.status}`);
  const answered = performance.now() - begun;
  await end(child);
  return { listening, cpu, answered };
}

/** CPU time of all threads, ms; NaN where there is no /proc. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return Number.NaN;
  }
}

async function end(child: ReturnType<typeof spawn>): Promise<void> {
  child.removeAllListeners('exit');
  const gone = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}
