/**
 * The real app in a process of its own, over an index of the pages in test/support/pages, settings from the environment:
 * it says where it listens, and SIGTERM ends it well.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface AppProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** The faults that it logged, JSON lines. */
  log(): string;
  /** Resolves when it has ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const self = fileURLToPath(import.meta.url);

export async function startAppProcess(env: Record<string, string>): Promise<AppProcess> {
  const quiet = { PORT: '0', MEDIAWIKI_URL: 'off', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, ['--import', 'tsx', self], { env: { ...process.env, ...quiet, ...env } });
  let log = '';
  child.stderr.on('data', (bytes) => {
    log += bytes;
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const said = new Promise<{ url: string }>((resolve) => {
    child.stdout.once('data', (line) => resolve(JSON.parse(String(line))));
  });
  const outcome = await Promise.race([said, ended]);
  if (!('url' in outcome)) throw new Error(`it ended before it listened: ${log}`);
  return { url: outcome.url, child, log: () => log, ended };
}

async function run(): Promise<void> {
  const [{ startApp }, { readConfig }, { createLog }] = await Promise.all([
    import('../../../src/app/app.ts'),
    import('../../../src/base/config.ts'),
    import('../../../src/base/log.ts'),
  ]);
  const config = readConfig();
  const app = await startApp(config, createLog(config.logLevel));
  await app.corpus.index({ kind: 'folder', path: fileURLToPath(new URL('../pages', import.meta.url)) });
  process.once('SIGTERM', () => app.close());
  process.stdout.write(`${JSON.stringify({ url: app.url })}\n`);
}

if (process.argv[1] === self) await run();
