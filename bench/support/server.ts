/**
 * The app in a separate process, with an index of the installed packages' documentation, or of a folder, or a copy of
 * another server's. It sends its address and keys to the bench that forked it when it is ready, answers "delay" with the
 * delay of its event loop since the previous "delay", "cpu" with the CPU time of all its threads so far, and "resident"
 * with its resident memory in bytes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startApp } from '../../src/app/app.ts';
import { installedPackages } from '../../src/app/installed-packages.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { createReader } from '../../src/web/reader.ts';

/** A key may make 100 calls a minute. */
const keyCount = 200;

const dataDir = mkdtempSync(join(tmpdir(), 'citewire-bench-'));
const settings = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>;
const [folder = '', copied = ''] = process.argv.slice(3);
// The copy of a database in use is complete with its log.
if (copied !== '') await new (loadSqlite())(copied, { readonly: true }).backup(join(dataDir, 'index.db'));
const app = await startApp(readConfig({ PORT: '0', DATA_DIR: dataDir, ...settings }), createLog('warn'));
if (copied === '') {
  const reader = createReader({});
  await app.corpus.index(
    folder === '' ? { kind: 'packages', path: installedPackages()! } : { kind: 'folder', path: folder },
    { extract: (bytes, about, signal) => reader.extractFile(bytes, about, signal) },
  );
  await reader.close();
}
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
  } else if (message === 'resident') {
    process.send?.(process.memoryUsage.rss());
  } else {
    await app.close(0);
    rmSync(dataDir, { recursive: true, force: true });
    process.disconnect();
  }
});
process.send?.({ url: app.url, keys, index: join(dataDir, 'index.db'), ...(await app.corpus.stats()) });
