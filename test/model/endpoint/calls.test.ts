/** Calls to an endpoint that answers 200 and yet not with what was asked for, over real sockets. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Brief, StageContext } from '../../../src/engine/ports/model.ts';
import type { Evidence } from '../../../src/engine/ports/snapshot.ts';
import { type OpenModel, openModel } from '../../../src/model/open-model.ts';
import { createTrustedFetch, type TrustedFetch } from '../../../src/web/fetch/trusted-fetch.ts';
import type { Reply } from '../../support/servers/model-reply.ts';
import { type ModelServer, startModelServer } from '../../support/servers/model-server.ts';

const brief: Brief = { prompt: 'Who?', question: 'Who built it?', previous: [], today: '2026-11-22' };
const evidence: Evidence[] = [
  {
    n: 1,
    snapshot: 's',
    url: 'https://example.org/',
    title: 'Lighthouse',
    headings: '',
    text: 'The lighthouse was built by Ingrid Solvay.',
    start: 0,
    end: 10,
    score: 1,
  },
];
const usage = { in: 100, out: 20 };

let server: ModelServer;
let trusted: TrustedFetch;
let model: OpenModel;
let failed: string[];
let recorded: object[];
beforeAll(async () => {
  server = await startModelServer();
  trusted = createTrustedFetch();
});
afterAll(async () => {
  await trusted.close();
  await server.close();
});
beforeEach(() => {
  server.calls.length = 0;
  failed = [];
  recorded = [];
  model = openModel({
    models: { writer: 'scripted' },
    provider: 'openai',
    baseUrl: server.url,
    fetchFor: () => trusted.fetch,
    retryMs: 1,
    watch: { failed: ({ message }) => failed.push(message) },
  });
});

const context = (): StageContext => ({
  signal: new AbortController().signal,
  meter: { admit: () => {}, left: () => 100_000, record: (tokens) => recorded.push(tokens) },
});
async function write(): Promise<string> {
  let text = '';
  for await (const piece of model.writer.write(brief, evidence, context()))
    if (typeof piece === 'string') text += piece;
  return text;
}
/** The first calls get these replies, all others `last`. */
function reply(replies: readonly Reply[], last: Reply): void {
  server.script = (_, count) => replies[count - 1] ?? last;
}
const sse = (...data: object[]) => data.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('');

/** As OpenRouter answers when the provider of a model is busy. */
const busy = { error: { code: 429, message: 'Rate limit exceeded: secret' }, user_id: 'u' };
const busyChoice = {
  choices: [{ delta: { content: '' }, finish_reason: 'error', error: { code: 502, message: 'x' } }],
};

describe('an error in an answer of status 200', () => {
  const plan: Reply = { text: '{"queries":["lighthouse builder"]}' };

  it.each([
    [
      'before the first word of a stream',
      { raw: sse({ ...busy, choices: [{ delta: { content: '' }, finish_reason: 'error' }] }) },
    ],
    ['of the only choice of a stream', { raw: sse(busyChoice) }],
    ['instead of a stream', { status: 200, body: busy }],
  ] as const)('%s is retried like any other, and costs nothing', async (_, first) => {
    reply([first, first], { text: 'Solvay.' });
    expect(await write()).toBe('Solvay.');
    expect(server.calls).toHaveLength(3);
    expect(recorded).toEqual([{ in: 200, out: 40 }]);
    expect(failed).toEqual([]);
  });

  it('is retried in a whole answer, too', async () => {
    reply([{ status: 200, body: busy }], plan);
    expect((await model.writer.plan(brief, context())).queries).toContain('lighthouse builder');
    expect(server.calls).toHaveLength(2);
    expect(recorded).toEqual([usage]);
  });

  it('is reported by its status after two retries, in which rejected requests count', async () => {
    reply([{ status: 503 }], { raw: sse(busy) });
    await expect(write()).rejects.toMatchObject({ status: 429, message: 'its endpoint returned status 429.' });
    expect(server.calls).toHaveLength(3);
    reply([], { status: 200, body: busy });
    await expect(model.writer.plan(brief, context())).rejects.toMatchObject({ status: 429 });
    expect(server.calls).toHaveLength(6);
    expect(failed).toEqual(Array(2).fill('its endpoint returned status 429.'));
    expect(recorded).toEqual([]);
  });

  it('is not retried if it names no status, or one that stays', async () => {
    reply([], { status: 200, body: { error: 'something secret' } });
    await expect(model.writer.plan(brief, context())).rejects.toThrow('it reported an error.');
    reply([], { raw: sse({ error: { code: '401', message: 'No auth credentials found' } }) });
    await expect(write()).rejects.toMatchObject({ permanent: true, status: 401 });
    expect(server.calls).toHaveLength(2);
  });

  it('ends a stream whose text has begun, although both came at once', async () => {
    const word = sse({ choices: [{ delta: { content: 'Ingrid Solvay built it. '.repeat(20) }, finish_reason: null }] });
    reply([], { raw: word + sse(busy) });
    let text = '';
    const read = async () => {
      for await (const piece of model.writer.write(brief, evidence, context()))
        if (typeof piece === 'string') text += piece;
    };
    await expect(read()).rejects.toMatchObject({
      status: 429,
      message: 'it reported an error in the middle of its answer.',
    });
    expect(text).toContain('Ingrid Solvay');
    expect(server.calls).toHaveLength(1);
    expect(recorded).toHaveLength(1);
  });
});
