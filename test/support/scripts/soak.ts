/**
 * The real transport and runs with an engine that only writes: every search writes a little ten times a second until it is
 * ended, and one whose prompt is "large" starts with more than any socket buffers. Answers the parent's "memory" with bytes of
 * resident memory; its "end" ends all searches.
 */
import type { SearchEvent } from '../../../protocol/index.ts';
import type { Caller } from '../../../src/access/identity.ts';
import { createLog } from '../../../src/base/log.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import { createMemoryRunRecords } from '../../../src/runs/records/memory-run-records.ts';
import { createRegistry } from '../../../src/runs/registry.ts';
import { createConnection } from '../../../src/service/connection.ts';
import type { Service } from '../../../src/service/service.ts';
import { chooseServer } from '../../../src/transport/choose-server.ts';
import type { Exchange } from '../../../src/transport/exchange.ts';
import { createContext } from '../../../src/transport/http/context.ts';
import { answerWithEvents } from '../../../src/transport/http/sse.ts';
import { createSocketSessions } from '../../../src/transport/websocket/upgrade.ts';

const largeText = 'x'.repeat(20_000);
const largeEvents = 600;
const noUsage = { searches: 0, pages: 0, tokens_in: 0, tokens_out: 0 } as never;

const onFault = (error: unknown) => process.stderr.write(`${(error as Error).stack}\n`);
const ending = new AbortController();
const runs = createRegistry({ retentionMs: 600_000, records: createMemoryRunRecords(), onFault });
const caller: Caller = { key_id: 'k', account_id: 'a', plan: 'pro', name: 'soak', scopes: [] } as never;
const rate_limit = { policy: 'pro', limit: 100, remaining: 100, reset_s: 0, window_s: 60 };

async function* write(isLarge: boolean): AsyncGenerator<SearchEvent> {
  yield { type: 'step.started', step_id: 't', kind: 'write', title: 'Writing' };
  for (let n = 0; isLarge && n < largeEvents; n += 1) {
    yield { type: 'step.progress', step_id: 't', message: largeText, done: n };
  }
  let from = 0;
  for (let n = 0; !ending.signal.aborted; n += 1) {
    const text = `word ${n} of an answer `;
    yield { type: 'answer.delta', block: 'b1', from, text };
    from += text.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  yield { type: 'step.finished', step_id: 't', status: 'ok', duration_ms: 1 };
  const error = { code: 'internal', message: 'It was only a test.', retryable: false, request_id: 'r' } as const;
  yield { type: 'search.failed', error, usage: noUsage };
}

const service = {
  connect: async ({ request_id }: { request_id: string }) => ({
    connection: createConnection(request_id, { caller }, true),
    rate_limit,
    leave: () => {},
  }),
  async search({ body }: { body: () => Promise<unknown> }) {
    const { prompt } = (await body()) as { prompt: string };
    const about = { account_id: 'a', request_id: 'r', prompts: [prompt], mode: 'text', engine: 'soak' } as const;
    const rules = { deadline_ms: 600_000, onDisconnect: 'continue', grace_ms: 0, idempotency: undefined } as const;
    return { run: await runs.start({ ...about, ...rules }, () => write(prompt === 'large')), deduplicated: false };
  },
  find: (_: unknown, search_id: string) => runs.find('a', search_id),
  resume: (_: unknown, search_id: string) => runs.find('a', search_id),
  attach: runs.attach,
  rateLimit: async () => rate_limit,
  watchCaller: () => () => {},
  recheck: async () => {},
} as unknown as Service;

const { upgrade } = createSocketSessions({
  service,
  originAllowed: () => true,
  metrics: createMetrics(),
  onFault,
  isDraining: () => false,
  onClosed: () => {},
});
/** /healthz, and the events of any search. */
async function request(exchange: Exchange): Promise<void> {
  if (exchange.path === '/healthz') return exchange.respond(200, {}, 'ok');
  const query = new URLSearchParams(exchange.query);
  const { run } = await runs.find('a', query.get('search_id') ?? '');
  return answerWithEvents(createContext(exchange), run!, { after: Number(query.get('after')) });
}
const log = createLog('error');
const createServer = await chooseServer({
  transport: process.env.TEST_TRANSPORT === 'node' ? 'node' : 'auto',
  socketPath: '/v1/ws/search',
  log,
  onFault,
});
const { port } = await createServer({ request, upgrade }).listen('127.0.0.1', 0);
process.on('message', (asked) => {
  if (asked === 'end') return ending.abort();
  (globalThis as { gc?: () => void }).gc?.();
  process.send!({ memory: process.memoryUsage().rss });
});
process.send!({ url: `http://127.0.0.1:${port}` });
