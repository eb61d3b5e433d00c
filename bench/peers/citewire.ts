/** The whole app, as it is. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import type { StartRelay } from '../support/relay.ts';

const pages = new URL('../../test/support/pages', import.meta.url).pathname;
/** Connections and searches of one key: fewer than its plan allows, so that none is refused in short rounds. */
const streamsPerKey = 5;

const startCitewire: StartRelay = async (upstream, streams) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'citewire-bench-'));
  const settings = { PORT: '0', DATA_DIR: dataDir, MODEL: 'paced', OPENAI_BASE_URL: upstream, MEDIAWIKI_URL: 'off' };
  const app = await startApp(readConfig({ ...settings, TRANSPORT: process.env.TRANSPORT }), createLog('error'));
  await app.corpus.index({ kind: 'folder', path: pages });
  const keys: string[] = [];
  for (let i = 0; i * streamsPerKey < streams; i += 1) {
    keys.push((await app.accounts.createKey({ plan: 'pro', name: `bench ${i}` })).plaintext);
  }
  return {
    url: `${app.url.replace('http', 'ws')}/v1/ws/search`,
    protocol: 'ws',
    keys,
    async close() {
      await app.close(0);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
export default startCitewire;
