/** Calls to an endpoint that answers 200 and yet not with what was asked for, over real sockets. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
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

  it.each([
    [{ type: 'invalid_request_error', code: 'rate_limit_exceeded' }, 429],
    [{ type: 'insufficient_quota', code: 'insufficient_quota' }, 429],
    [{ type: null, code: 'context_length_exceeded' }, 400],
    [{ type: 'overloaded_error' }, 529],
  ])('has the status that its code or else its type means: %j', async (error, status) => {
    reply([], { status: 200, body: { error } });
    await expect(model.writer.plan(brief, context())).rejects.toMatchObject({ status });
  });

  it.each([
    `error: ${JSON.stringify({ code: 400, message: 'the request exceeds the available context size', n_ctx: 4096 })}\n\n`,
    sse({
      error: 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
      error_type: 'validation',
    }),
  ])('of a prompt that is too long has the call sent again with less evidence: %s', async (raw) => {
    server.script = ({ prompt }) => (prompt.includes('evidence [2]') ? { raw } : { text: 'Solvay.' });
    const more = [...evidence, { ...evidence[0]!, n: 2, text: 'It burns oil. '.repeat(400) }];
    let text = '';
    for await (const piece of model.writer.write(brief, more, context())) text += piece;
    expect(text).toContain('Solvay.');
    expect(server.calls).toHaveLength(2);
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

describe('a search with few tokens left', () => {
  const spent = Object.assign(new Error('The search has used up its tokens.'), { name: 'BudgetSpent' });
  const poor = (tokens = 1_500): StageContext => ({
    signal: new AbortController().signal,
    meter: { admit: () => {}, left: () => tokens, record: () => {}, exhausted: () => spent },
  });
  async function writePoorly(): Promise<string> {
    let text = '';
    for await (const piece of model.writer.write(brief, evidence, poor())) if (typeof piece === 'string') text += piece;
    return text;
  }

  it('asks for no more than what its prompt leaves of them', async () => {
    reply([], { text: 'Solvay.' });
    expect(await writePoorly()).toBe('Solvay.');
    const [{ body }] = server.calls as [ModelServer['calls'][number]];
    expect(body.max_tokens! + JSON.stringify(body.messages).length / 4).toBeLessThan(1_500);
    expect(body.max_tokens).toBeGreaterThan(10);
  });

  it.each([
    ['in its middle', { text: 'Ingrid Solvay built', finish: 'length' }],
    ['before its first word', { text: '', finish: 'length' }],
  ] as const)('says that this is why an answer was cut off %s, and not that the model failed', async (_, cut) => {
    reply([], cut);
    await expect(writePoorly()).rejects.toBe(spent);
    await expect(model.writer.plan(brief, poor(1_000))).rejects.toBe(spent);
    expect(failed).toEqual([]);
  });
});

describe('an endpoint that answers in one piece although it was asked for a stream', () => {
  it('has the reasoning of its answer counted where it says nothing of what it used', async () => {
    const body = (reasoning_content: string) => ({
      choices: [
        { message: { content: 'STATUS: answered\n\nIt is old. [1]', reasoning_content }, finish_reason: 'stop' },
      ],
    });
    const out: number[] = [];
    for (const thoughts of ['', 'So it is. '.repeat(100)]) {
      reply([], { status: 200, body: body(thoughts) });
      expect(await write()).toBe('It is old. [1]');
      out.push((recorded.at(-1) as { out: number }).out);
    }
    expect(out[1]! - out[0]!).toBeGreaterThan(150);
    // The next call leaves room for as much.
    await write();
    const [first, , last] = server.calls.map(({ body: { max_tokens } }) => max_tokens!);
    expect(last!).toBeGreaterThan(first!);
  });
});

describe('an endpoint that streams although it was not asked to', () => {
  const [begin, end] = ['{"queries":["light', 'house builder"]}'];
  const streamed = (finish_reason: string) =>
    `${sse(
      { choices: [{ delta: { content: begin }, finish_reason: null }] },
      { choices: [{ delta: { content: end }, finish_reason }] },
      { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } },
    )}data: [DONE]\n\n`;

  it('is read like any other, and keeps no connection for each call', async () => {
    reply([], { raw: streamed('stop') });
    for (let n = 0; n < 8; n += 1)
      expect((await model.writer.plan(brief, context())).queries).toContain('lighthouse builder');
    expect(server.calls.map(({ body }) => body.stream)).toEqual(Array(8).fill(undefined));
    expect(recorded).toEqual(Array(8).fill({ in: 7, out: 2 }));
    await expect.poll(() => server.connections()).toBeLessThan(4);
  });

  it('is asked again with more room if the answer is cut off, and after an error', async () => {
    reply([{ raw: streamed('length') }, { raw: sse(busy) }], { raw: streamed('stop') });
    expect((await model.writer.plan(brief, context())).queries).toContain('lighthouse builder');
    expect(server.calls).toHaveLength(3);
    expect(server.calls[1]!.body.max_tokens).toBeGreaterThan(server.calls[0]!.body.max_tokens!);
  });

  it.each([
    ['has no list of models', false],
    ['streams its list of models, too', true],
  ])('keeps no connection after the question at startup whether it can be used, where it %s', async (_, isListed) => {
    const sockets = new Set<Socket>();
    const endless = createServer((request, response) => {
      if (request.url?.endsWith('/models') && !isListed) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(sse({ choices: [] }));
    }).listen(0, '127.0.0.1');
    endless.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    await once(endless, 'listening');
    const baseUrl = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/v1`;
    const unlisted = openModel({
      models: { writer: 'scripted' },
      provider: 'openai',
      baseUrl,
      fetchFor: () => trusted.fetch,
    });
    for (let n = 0; n < 6; n += 1) expect(await unlisted.check()).toEqual([]);
    await expect.poll(() => sockets.size).toBeLessThan(2);
    endless.closeAllConnections();
    endless.close();
  });
});

describe('a wrong key of Google', () => {
  const refusal = {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    status: 'INVALID_ARGUMENT',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
  };

  it.each([
    ['gemini', '/v1beta', { error: refusal }],
    ['openai', '/v1beta/openai', [{ error: refusal }]],
  ] as const)(
    'is reported at the start, and costs a search one call, over the API of %s',
    async (provider, path, body) => {
      const paths: string[] = [];
      const google = createServer((request, response) => {
        paths.push(request.url ?? '');
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }).listen(0, '127.0.0.1');
      await once(google, 'listening');
      const baseUrl = `http://127.0.0.1:${(google.address() as AddressInfo).port}${path}`;
      const writer = openModel({
        models: { writer: 'm' },
        provider,
        baseUrl,
        fetchFor: () => trusted.fetch,
        retryMs: 1,
      });
      const trouble = 'its endpoint refused the key (status 400).';
      expect(await writer.check()).toEqual([{ model: 'm', trouble }]);
      paths.length = 0;
      await expect(writer.writer.plan(brief, context())).rejects.toMatchObject({ message: trouble, permanent: true });
      expect(paths).toHaveLength(1);
      google.closeAllConnections();
      google.close();
    },
  );
});

describe('a stream of another content type', () => {
  it.each(['text/plain', undefined, 'Text/Event-Stream', 'application/octet-stream'])('is read: %s', async (type) => {
    const words = ['Ingrid ', 'Solvay.'].map((content) =>
      sse({ choices: [{ delta: { content }, finish_reason: null }] }),
    );
    const plain = createServer((_, response) => {
      response.writeHead(200, type === undefined ? {} : { 'content-type': type });
      for (const word of words) response.write(word);
      setTimeout(() => response.end('data: [DONE]\n\n'), 20);
    }).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const baseUrl = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/v1`;
    const fetchFor = () => trusted.fetch;
    const { writer } = openModel({ models: { writer: 'm' }, provider: 'openai', baseUrl, fetchFor, retryMs: 1 });
    let text = '';
    for await (const piece of writer.write(brief, evidence, context())) if (typeof piece === 'string') text += piece;
    expect(text).toBe('Ingrid Solvay.');
    plain.closeAllConnections();
    plain.close();
  });
});
