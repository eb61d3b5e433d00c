/**
 * The real app on a free port, with its own data folder and an index of the pages in test/support/pages. The caller disposes
 * of it: `await using app = await startTestApp()`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { type App, startApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import { createExtractivePool } from '../../src/model/extractive/extractive.ts';
import { isNative } from './servers/native-server.ts';

export interface TestApp extends App {
  /** A key on plan pro. */
  readonly key: string;
  readonly dataDir: string;
  /** What the server logged as errors; one JSON line each. */
  readonly faults: readonly string[];
  /** POST with the key; `headers` override it. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const testPages = new URL('./pages', import.meta.url).pathname;

/**
 * Shared by the apps of a test file, because each would spend most of a second of CPU time on starting such a thread and on
 * its first answer; a thread keeps nothing of its tasks. Servers in processes of their own have their own. It ends with the process.
 */
const extractivePool = createExtractivePool();

/** `env` overrides the settings of the tests. */
export async function startTestApp(env: Record<string, string> = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'citewire-'));
  // Named, so that nothing is logged where the native one does not load.
  const TRANSPORT = isNative ? 'uws' : 'node';
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', TRANSPORT, ...env });
  const faults: string[] = [];
  const app = await startApp(config, createLog(config.logLevel, { out: collect(faults) }), { extractivePool });
  await app.corpus.index({ kind: 'folder', path: testPages });
  const key = app.developmentKey!.plaintext;
  return {
    ...app,
    key,
    dataDir,
    faults,
    post: (path, body, headers = {}) =>
      fetch(app.url + path, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path, headers = {}) => fetch(app.url + path, { headers: { 'x-api-key': key, ...headers } }),
    async [Symbol.asyncDispose]() {
      await app.close(0);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function collect(lines: string[]): NodeJS.WriteStream {
  const write = (line: Buffer, _: string, done: () => void) => {
    lines.push(line.toString());
    done();
  };
  return new Writable({ write }) as NodeJS.WriteStream;
}
