/**
 * The real app in a separate process, with an index of the pages in test/support/pages and settings from the environment;
 * SIGTERM ends it gracefully.
 */
import type { ChildProcess } from 'node:child_process';
import { spawnScript } from './run-script.ts';

export interface AppProcess {
  readonly url: string;
  /** As many as were asked for, of as many accounts, and a link for each account that signs one browser in. */
  readonly keys: readonly string[];
  readonly links: readonly string[];
  readonly child: ChildProcess;
  /** The errors that it logged, as JSON lines. */
  log(): string;
  /** Resolves when it has ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const pages = new URL('../pages', import.meta.url).pathname;

/**
 * Resolves when it listens; rejects with its log when it ends before. `through` is a command that ends by executing its
 * last arguments, such as `nice`.
 */
export async function startAppProcess(
  env: Record<string, string>,
  keys = 0,
  through: readonly string[] = [],
): Promise<AppProcess> {
  const quiet = { PORT: '0', MEDIAWIKI_URL: 'off', LOG_LEVEL: 'error' };
  const child = spawnScript('app', [pages, String(keys)], { env: { ...process.env, ...quiet, ...env } }, through);
  let log = '';
  child.stderr!.on('data', (bytes) => {
    log += bytes;
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const said = new Promise<Pick<AppProcess, 'url' | 'keys' | 'links'>>((resolve) => {
    let line = '';
    child.stdout!.on('data', (bytes) => {
      line += bytes;
      if (line.endsWith('\n')) resolve(JSON.parse(line));
    });
  });
  const outcome = await Promise.race([said, ended]);
  if (!('url' in outcome)) throw new Error(`it ended before it listened: ${log}`);
  return { ...outcome, child, log: () => log, ended };
}
