/** The whole app, as it is; read over the WebSocket, or as BENCH_DOOR says: `sse`, `chat` or `responses`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import { question, type Relay, request, type StartRelay } from '../support/relay.ts';

const pages = new URL('../../test/support/pages', import.meta.url).pathname;
/** Connections and searches of one key: fewer than its plan allows, so that none is refused in short rounds. */
const streamsPerKey = 5;

/** A real search through each door; OpenAI's clients name a model that they know. */
const doors: Record<string, (url: string) => Pick<Relay, 'url' | 'protocol' | 'body'>> = {
  ws: (url) => ({ url: `${url.replace('http', 'ws')}/v1/ws/search`, protocol: 'ws' }),
  sse: (url) => ({ url: `${url}/v1/search`, protocol: 'sse', body: JSON.stringify({ prompt: question.prompt }) }),
  chat: (url) => ({
    url: `${url}/v1/chat/completions`,
    protocol: 'sse',
    body: JSON.stringify({ ...request, model: 'citewire' }),
  }),
  responses: (url) => ({
    url: `${url}/v1/responses`,
    protocol: 'sse',
    body: JSON.stringify({ model: 'citewire', stream: true, input: question.prompt }),
  }),
};

const startCitewire: StartRelay = async (upstream, streams) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'citewire-bench-'));
  const settings = { PORT: '0', DATA_DIR: dataDir, MODEL: 'paced', OPENAI_BASE_URL: upstream, MEDIAWIKI_URL: 'off' };
  const { TRANSPORT, OTEL_EXPORTER_OTLP_ENDPOINT, REDIS_URL } = process.env;
  const config = readConfig({ ...settings, TRANSPORT, OTEL_EXPORTER_OTLP_ENDPOINT, REDIS_URL });
  const app = await startApp(config, createLog('error'));
  await app.corpus.index({ kind: 'folder', path: pages });
  const keys: string[] = [];
  for (let i = 0; i * streamsPerKey < streams; i += 1) {
    keys.push((await app.accounts.createKey({ plan: 'pro', name: `bench ${i}` })).plaintext);
  }
  return {
    ...doors[process.env.BENCH_DOOR ?? 'ws']!(app.url),
    keys,
    async close() {
      await app.close(0);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
export default startCitewire;
