/**
 * Searches by meaning from end to end, over a real endpoint whose model knows the synonyms and translations of embedding-server.ts:
 * what is shown without a language model, what one gets to read, what is counted, and what a failing endpoint costs.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { IndexedSourceList, SearchFrame, TextResult } from '../../protocol/index.ts';
import { expectLawful } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { type EmbeddingFault, type EmbeddingServer, startEmbeddingServer } from '../support/models/embedding-server.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const pages: Record<string, string> = {
  garage: 'The garage in Mill Lane\n\nHere one can mend an automobile that has broken down.',
  clinic: 'The clinic at the bridge\n\nA physician sees patients every morning from eight until noon.',
  kennel: 'The kennel\n\nThe hound was bought in 1931. It sleeps in its basket by the door.',
  harbour: 'The harbour of Storvik\n\nThe harbour was opened in 1874. Its pier is 310 metres long.',
};

const docs = temporaryFolder();
mkdirSync(docs, { recursive: true });
for (const [name, text] of Object.entries(pages)) writeFileSync(join(docs, `${name}.md`), `# ${text}\n`);
for (let n = 0; n < 15; n += 1)
  writeFileSync(
    join(docs, `note-${n}.md`),
    `# Note ${n}\n\nLedger entry ${n} about parchment and ink of year ${1600 + n}.\n`,
  );

let server: EmbeddingServer;
let model: ModelServer;
let alone: TestApp;
let withModel: TestApp;

async function start(settings: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp({
    MEDIAWIKI_URL: 'off',
    EMBEDDINGS_MODEL: 'small',
    EMBEDDINGS_BASE_URL: server.baseUrl,
    EMBEDDINGS_BUDGET_MS: '5000',
    ...settings,
  });
  await app.corpus.index({ kind: 'folder', path: docs });
  const { passages } = await app.corpus.stats();
  const { vectors } = app.corpus;
  if (vectors !== undefined) await vi.waitFor(() => expect(vectors.state().done).toBe(passages), { timeout: 60_000 });
  return app;
}

beforeAll(async () => {
  [server, model] = [await startEmbeddingServer(), await startModelServer()];
  alone = await start({});
  withModel = await start({ MODEL: 'scripted', OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'k' });
});
afterAll(async () => {
  await Promise.all([alone?.[Symbol.asyncDispose](), withModel?.[Symbol.asyncDispose]()]);
  await Promise.all([server.close(), model.close()]);
});
afterEach(() => {
  server.fault = undefined;
});

async function ask(app: TestApp, prompt: string) {
  const frames: SearchFrame[] = await readEvents(
    await app.post('/v1/search', { prompt }, { accept: 'text/event-stream' }),
  );
  expectLawful(frames);
  const last = frames.at(-1);
  if (last?.type !== 'search.completed') throw new Error(`The search did not complete: ${JSON.stringify(last)}`);
  const warnings = frames.flatMap((frame) => (frame.type === 'warning' ? [frame] : []));
  return { result: last.result as TextResult, usage: last.usage, warnings };
}

describe('a search by meaning', () => {
  it.each([
    ['Who is the doctor?', 'clinic', 'A physician sees patients'],
    ['Wo kann ich einen Wagen reparieren?', 'garage', 'mend an automobile'],
    ['Qui est le médecin ?', 'clinic', 'A physician sees patients'],
    ['¿Dónde está el perro?', 'kennel', 'The hound was bought in 1931'],
  ])('quotes what comes nearest without a model, and claims no answer: %s', async (prompt, page, quote) => {
    const { result } = await ask(alone, prompt);
    expect(result).toMatchObject({ status: 'not_found', answer: '', citations: [] });
    expect(result.nearest?.[0]?.url).toContain(page);
    expect(result.nearest?.[0]?.quote).toContain(quote);
    expect(result.message).toBe(
      'Not answered by these sources. You could try: using a language model (none was used here); adding a source that covers it.',
    );
  });

  it.each([
    ['When was the port opened?', 'The harbour was opened in 1874.'],
    ['When does the doctor see patients?', 'A physician sees patients every morning from eight until noon.'],
  ])('answers without a model what shares words with the question: %s', async (prompt, answer) => {
    const { result } = await ask(alone, prompt);
    expect(result.status).toBe('answered');
    expect(result.answer).toContain(answer);
  });

  it.each(['What does a doctor earn?', 'How much is the dog?', 'Who owns the wagen?', 'Who invented the coche?'])(
    'does not answer what is close but does not say it: %s',
    async (prompt) => {
      const { result } = await ask(alone, prompt);
      expect(result).toMatchObject({ status: 'not_found', answer: '' });
    },
  );

  it('lets a language model read what was found by meaning alone, and cite it', async () => {
    const { result } = await ask(withModel, 'Qui est le médecin ?');
    expect(result.status).toBe('answered');
    expect(result.citations.map(({ quote }) => quote).join(' ')).toContain('physician');
  });

  it('is refused when the language model finds no answer in what is close', async () => {
    model.script = (call, count) => (call.kind === 'write' ? { text: 'STATUS: not_found' } : goodModel(call, count));
    const { result } = await ask(withModel, 'What does a médecin earn?');
    model.script = goodModel;
    expect(result).toMatchObject({ status: 'not_found', answer: '' });
    expect(result.message).toBe('Not answered by these sources. You could try: adding a source that covers it.');
  });

  it('counts the calls and tokens of its endpoint, once for the same question', async () => {
    const { usage } = await ask(alone, 'Where does the hound of the doctor sleep?');
    expect(usage).toMatchObject({ embedding_calls: 1, embedding_tokens: 7 });
    const again = await ask(alone, 'Where does the hound of the doctor sleep?');
    expect(again.usage.embedding_calls).toBeUndefined();
    expect(await (await alone.get('/metrics')).text()).toMatch(/citewire_tokens_total\{direction="embedded"\} \d+/);
  });
});

describe('a search whose endpoint fails', () => {
  const faults: EmbeddingFault[] = [
    { kind: 'status', status: 500 },
    { kind: 'status', status: 429, retryAfter: '60' },
    { kind: 'html' },
    { kind: 'nan' },
    { kind: 'fewer' },
    { kind: 'hang' },
    { kind: 'reset' },
  ];
  it.each(faults)('answers by words, with one warning and one line in the log: $kind $status', async (fault) => {
    const app = await start({ EMBEDDINGS_BUDGET_MS: '300', LOG_LEVEL: 'warn' });
    server.fault = fault;
    for (const prompt of [
      'When was the harbour opened?',
      'How long is the pier?',
      'When was the hound bought?',
      'What is in note 7?',
    ]) {
      const { result, warnings } = await ask(app, prompt);
      expect(result.status).toBe('answered');
      expect(warnings.map(({ code }) => code)).toEqual(['embeddings_failed']);
      expect(warnings[0]!.message).toMatch(
        /^The index was searched by words alone, because the embedding model failed: \S/,
      );
    }
    const lines = app.faults.filter((line) => line.includes('the model failed'));
    expect(lines).toHaveLength(1);
    await app[Symbol.asyncDispose]();
  });
});

describe('a search with a rerank model', () => {
  const reranked = (settings: Record<string, string> = {}) =>
    start({ RERANK_MODEL: 'rank', RERANK_BASE_URL: server.baseUrl, RERANK_BUDGET_MS: '5000', ...settings });

  it('counts its calls and tokens', async () => {
    const app = await reranked();
    const { result, usage, warnings } = await ask(app, 'When was the harbour opened?');
    expect(result.status).toBe('answered');
    expect(usage.rerank_calls).toBe(1);
    expect(usage.rerank_tokens).toBeGreaterThan(0);
    expect(warnings).toEqual([]);
    await app[Symbol.asyncDispose]();
  });

  it.each<EmbeddingFault>([{ kind: 'status', status: 500 }, { kind: 'html' }, { kind: 'hang' }, { kind: 'reset' }])(
    'answers in the order of the index when that fails, with a warning: $kind',
    async (fault) => {
      const app = await reranked({ EMBEDDINGS_MODEL: '', RERANK_BUDGET_MS: '300', LOG_LEVEL: 'warn' });
      server.fault = fault;
      const { result, warnings } = await ask(app, 'What is in note 7?');
      expect(result.answer).toContain('Ledger entry 7');
      expect(warnings.map(({ code }) => code)).toEqual(['rerank_failed']);
      expect(warnings[0]!.message).toMatch(
        /^The passages keep the order of the index, because the rerank model failed: \S/,
      );
      expect(app.faults.filter((line) => line.includes('the model failed'))).toHaveLength(1);
      await app[Symbol.asyncDispose]();
    },
  );
});

describe('a model that has vectors of another length from now on', () => {
  it('is searched by words with a warning, until all passages have new ones', async () => {
    const own = await startEmbeddingServer();
    const app = await start({ EMBEDDINGS_BASE_URL: own.baseUrl, LOG_LEVEL: 'warn' });
    own.dimensions = 128;
    const { warnings } = await ask(app, 'Qui est le médecin ?');
    expect(warnings.map(({ code }) => code)).toEqual(['embeddings_failed']);
    expect(warnings[0]!.message).toContain('a vector of 128 dimensions; those of the index have 256');
    const { passages } = await app.corpus.stats();
    await expect
      .poll(() => app.corpus.vectors!.state())
      .toMatchObject({ done: passages, total: passages, dimensions: 128 });
    const { result, warnings: none } = await ask(app, 'Wer ist der Arzt?');
    expect(none).toEqual([]);
    expect(result.nearest?.[0]?.url).toContain('clinic');
    expect(app.faults.filter((line) => line.includes('the model failed'))).toHaveLength(1);
    // One that changes back and forth is not paid for again and again.
    const calls = own.calls.length;
    own.dimensions = 256;
    await ask(app, 'Où est le chien ?');
    await expect.poll(() => app.corpus.vectors!.state().failure?.reason).toContain('those of the index have 128');
    expect(own.calls.length - calls).toBeLessThan(5);
    await app[Symbol.asyncDispose]();
    await own.close();
  });
});

describe('the list of sources', () => {
  it('says how many passages have a vector, of which model, and what failed last', async () => {
    const list = async () => ((await (await alone.get('/v1/sources')).json()) as IndexedSourceList).vectors;
    const { passages } = await alone.corpus.stats();
    await ask(alone, 'When was the harbour opened?');
    expect(await list()).toEqual({ model: 'small', done: passages, total: passages, dimensions: 256 });
    server.fault = { kind: 'status', status: 503 };
    await ask(alone, 'How long is the pier of the harbour?');
    const { last_error } = (await list())!;
    expect(last_error).toEqual({ reason: 'its endpoint returned status 503.', at: expect.stringMatching(/^\d{4}-/) });
    expect(((await (await withModel.get('/v1/sources')).json()) as IndexedSourceList).vectors?.total).toBe(passages);
  });
});

describe('a search at a terminal without a server', () => {
  it('uses the vectors of the index', async () => {
    const env = {
      DATA_DIR: join(temporaryFolder(), 'data'),
      MEDIAWIKI_URL: 'off',
      EMBEDDINGS_MODEL: 'small',
      EMBEDDINGS_BASE_URL: server.baseUrl,
      EMBEDDINGS_BUDGET_MS: '10000',
    };
    const indexed = await runCli(['index', docs], env);
    expect(indexed.stderr).toContain('19 of 19 passages have a vector');
    const { stdout } = await runCli(['ask', '--json', 'Qui est le médecin ?'], env);
    expect(stdout).toContain('A physician sees patients');
    const plain = await runCli(['ask', '--json', 'Qui est le médecin ?'], { ...env, EMBEDDINGS_MODEL: '' });
    expect(plain.stdout).not.toContain('A physician sees patients');
  });
});
