/** `citewire serve` in a separate process, started as by `npm start`. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface ServeProcess {
  readonly child: ChildProcess;
  /** Resolves with the address and the key once it listens; rejects if it ends before. The key is empty if the store had one. */
  readonly listening: Promise<{ url: string; key: string }>;
  /** Resolves when it has ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; out: string; err: string }>;
}

const root = new URL('../../../', import.meta.url);

/** `env` overrides this process's environment; MEDIAWIKI_URL is off, so that nothing leaves this machine. */
export function startServe(env: Record<string, string>, args: readonly string[] = []): ServeProcess {
  const all = { ...process.env, MEDIAWIKI_URL: 'off', PORT: '0', ...env };
  const child = spawn(process.execPath, ['tools/start.js', 'serve', ...args], { cwd: root, env: all });
  let out = '';
  let err = '';
  child.stderr.on('data', (bytes) => {
    err += bytes;
  });
  const listening = new Promise<{ url: string; key: string }>((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      out += bytes;
      const url = /listening on (\S+)/.exec(out)?.[1];
      const key = /(cw_\w+)/.exec(out)?.[1] ?? '';
      if (url !== undefined && out.includes('Try it:')) resolve({ url, key });
    });
    child.on('close', () => reject(new Error(`it ended before it listened: ${err}`)));
  });
  listening.catch(() => {});
  const ended = new Promise<Awaited<ServeProcess['ended']>>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, out, err }));
  });
  return { child, listening, ended };
}
