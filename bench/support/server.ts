/**
 * The app in a separate process, with an index of the installed packages' documentation, or of a folder. It sends its
 * address and keys to the bench that forked it when it is ready, answers "delay" with the delay of its event loop since the
 * previous "delay", and "cpu" with the CPU time of all its threads so far.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startApp } from '../../src/app/app.ts';
import { installedPackages } from '../../src/app/installed-packages.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import { createReader } from '../../src/web/reader.ts';

const keyCount = 100;

const dataDir = mkdtempSync(join(tmpdir(), 'citewire-bench-'));
const settings = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>;
const app = await startApp(readConfig({ PORT: '0', DATA_DIR: dataDir, ...settings }), createLog('warn'));
const folder = process.argv[3] ?? '';
const reader = createReader({});
await app.corpus.index(
  folder === '' ? { kind: 'packages', path: installedPackages()! } : { kind: 'folder', path: folder },
  { extract: (bytes, about, signal) => reader.extractFile(bytes, about, signal) },
);
await reader.close();
const keys: string[] = [];
for (let i = 0; i < keyCount; i += 1) {
  keys.push((await app.accounts.createKey({ plan: 'pro', name: `bench ${i}` })).plaintext);
}
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

process.on('message', async (message) => {
  if (message === 'delay') {
    process.send?.({ p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 });
    delay.reset();
  } else if (message === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1000);
  } else {
    await app.close(0);
    rmSync(dataDir, { recursive: true, force: true });
    process.disconnect();
  }
});
process.send?.({ url: app.url, keys, index: join(dataDir, 'index.db'), ...(await app.corpus.stats()) });
