/** Traces as a collector receives them: from a real app with a model, a web, a receiver of webhooks and a collector, all on loopback. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SearchFrame } from '../../protocol/index.ts';
import { newWebhookSecret } from '../../src/webhooks/sign.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { connect } from '../support/clients/ws-client.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/servers/collector.ts';
import { goodModel } from '../support/servers/model-server.ts';
import { type ResearchApp, startResearchApp } from '../support/servers/research-app.ts';
import { article } from '../support/servers/web-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { startTestApp } from '../support/start-app.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';
const secretKey = 'sk-secret-of-the-operator';
const parent = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
const traceparent = `00-${parent.trace}-${parent.span}-01`;
const [internal, serverKind, client] = [1, 2, 3];

let collector: Collector;
let receiver: WebhookReceiver;
let research: ResearchApp;

beforeAll(async () => {
  [collector, receiver] = await Promise.all([startCollector(), startWebhookReceiver()]);
  research = await startResearchApp({
    env: {
      OPENAI_API_KEY: secretKey,
      SECRETS_KEY: 'a passphrase of the tests',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of%20the%20collector',
      OTEL_SERVICE_NAME: 'answers',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    },
    hosts: [receiver.host],
    pages: { '/heron': article('Heron Point', 'The Heron Point Lighthouse was designed by Ada Moreau in 1874.') },
  });
});
afterAll(async () => {
  await research[Symbol.asyncDispose]();
  await Promise.all([collector[Symbol.asyncDispose](), receiver[Symbol.asyncDispose]()]);
});
beforeEach(() => {
  collector.spans.length = 0;
  collector.requests.length = 0;
  research.model.calls.length = 0;
  research.model.script = goodModel;
  research.web.requests.length = 0;
});

const workflowName = 'invoke_workflow citewire.search';

/** The spans of the trace of a search, once it has the search itself and `also`. */
async function traceOf(search_id: string, also: (span: CollectedSpan) => boolean = () => true) {
  const find = () => collector.spans.find(({ attributes }) => attributes['citewire.search.id'] === search_id);
  await expect.poll(() => find()?.name).toBe(workflowName);
  const { traceId } = find()!;
  const all = () => collector.spans.filter((span) => span.traceId === traceId);
  await expect.poll(() => all().some(also)).toBe(true);
  return all();
}

const isServer = ({ kind }: CollectedSpan) => kind === serverKind;
const named = (spans: readonly CollectedSpan[], pattern: RegExp) => spans.filter(({ name }) => pattern.test(name));

describe('a trace', () => {
  it('has the call, the search, its steps, queries, pages and model calls, each under what made it', async () => {
    const response = await research.app.post('/v1/search', { prompt }, { traceparent });
    const { search_id } = (await response.json()) as { search_id: string };
    const spans = await traceOf(search_id, isServer);

    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const parentName = ({ parentSpanId = '' }: CollectedSpan) => byId.get(parentSpanId)?.name;
    const [call] = spans.filter(isServer);
    expect(call).toMatchObject({ name: 'POST /v1/search', traceId: parent.trace, parentSpanId: parent.span });
    expect(call!.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/search',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'server.address': '127.0.0.1',
    });
    const [search, ...others] = named(spans, /^invoke_workflow/);
    expect(others).toEqual([]);
    expect(parentName(search!)).toBe('POST /v1/search');
    expect(search).toMatchObject({ kind: internal });
    expect(search!.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.output.type': 'text',
      'citewire.search.state': 'completed',
      'citewire.search.door': 'native',
    });
    expect(search!.attributes['gen_ai.usage.input_tokens']).toBeGreaterThan(0);

    for (const step of ['plan citewire.search', 'search', 'fetch', 'rank', 'write', 'verify']) {
      const [span] = spans.filter(({ name }) => name === step);
      expect(span, step).toBeDefined();
      expect(parentName(span!), step).toBe(workflowName);
    }
    const chats = named(spans, /^chat scripted$/);
    expect(chats.length).toBe(research.model.calls.length);
    expect(chats.map(parentName)).toEqual(expect.arrayContaining(['plan citewire.search', 'write']));
    for (const { kind, attributes } of chats) {
      expect(kind).toBe(client);
      expect(attributes).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'scripted',
        'server.address': '127.0.0.1',
      });
      expect(attributes['gen_ai.usage.output_tokens']).toBeGreaterThan(0);
    }
    expect(named(spans, /^retrieval searxng$/).length).toBeGreaterThan(0);
    expect(named(spans, /^retrieval corpus$/).length).toBeGreaterThan(0);
    expect(named(spans, /^GET$/).map(parentName)).toContain('fetch');
    for (const span of spans) {
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
      if (span !== call) expect(byId.has(span.parentSpanId!), span.name).toBe(true);
    }
  });

  it('is named to models and providers, by the spans of their calls, and never to pages', async () => {
    // No page is in the cache.
    research.web.pages.clear();
    research.web.pages.set('/built', { body: article('Heron Point', 'Ada Moreau designed the lighthouse in 1874.') });
    const { search_id } = (await (await research.app.post('/v1/search', { prompt })).json()) as { search_id: string };
    const spans = await traceOf(search_id);
    const { traceId } = spans[0]!;
    const headersOf = (pattern: RegExp) =>
      named(spans, pattern)
        .map(({ spanId }) => `00-${traceId}-${spanId}-01`)
        .sort();
    expect(research.model.calls.map((call) => call.traceparent).sort()).toEqual(headersOf(/^chat/));
    const ofProvider = research.web.requests.filter(({ path }) => path === '/search');
    expect(ofProvider.map(({ headers }) => headers.traceparent).sort()).toEqual(headersOf(/^retrieval searxng/));
    const ofPages = research.web.requests.filter(({ path }) => path !== '/search');
    expect(ofPages.length).toBeGreaterThan(0);
    expect(ofPages.filter(({ headers }) => headers.traceparent !== undefined)).toEqual([]);
  });

  it('has each try of a webhook, which carries it', async () => {
    receiver.received.length = 0;
    const webhook = { url: `${receiver.url}?token=of-the-receiver`, secret: newWebhookSecret() };
    const body = { prompt, background: true, webhook };
    const response = await research.app.post('/v1/search', body, { traceparent });
    expect(response.status).toBe(202);
    const { search_id } = (await response.json()) as { search_id: string };
    const spans = await traceOf(search_id, ({ name }) => name === 'POST');
    const [search] = named(spans, /^invoke_workflow/);
    const [sent] = named(spans, /^POST$/);
    expect(sent).toMatchObject({ traceId: parent.trace, parentSpanId: search!.spanId, kind: client });
    expect(sent!.attributes).toMatchObject({
      'http.response.status_code': 204,
      'citewire.webhook.type': 'search.completed',
    });
    expect(receiver.received[0]!.headers.traceparent).toBe(`00-${parent.trace}-${sent!.spanId}-01`);
  });

  it('continues that of a start frame, or else of the upgrade', async () => {
    const ofUpgrade = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const socket = await connect(research.app.url, { 'x-api-key': research.app.key, traceparent: ofUpgrade });
    const own = await socket.start({ prompt }, { traceparent });
    const without = await socket.start({ prompt: `${prompt} Again.` });
    await Promise.all([socket.search(own), socket.search(without)]);
    socket.close();
    const [first] = named(await traceOf(own), /^invoke_workflow/);
    expect(first).toMatchObject({ traceId: parent.trace, parentSpanId: parent.span });
    const [second] = named(await traceOf(without), /^invoke_workflow/);
    expect(second).toMatchObject({ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) });
  });

  it('begins a new trace where the header is invalid', async () => {
    const { search_id } = (await (
      await research.app.post('/v1/search', { prompt }, { traceparent: `00-${'0'.repeat(32)}-${parent.span}-01` })
    ).json()) as { search_id: string };
    const [call] = (await traceOf(search_id, isServer)).filter(isServer);
    expect(call!.parentSpanId).toBeUndefined();
    expect(call!.traceId).not.toBe('0'.repeat(32));
  });

  it('is not recorded where its caller does not sample it, and is named all the same', async () => {
    const unsampled = traceparent.replace(/01$/, '00');
    const response = await research.app.post('/v1/search', { prompt }, { traceparent: unsampled });
    expect(response.status).toBe(200);
    for (const call of research.model.calls) expect(call.traceparent).toMatch(new RegExp(`^00-${parent.trace}-.*-00$`));
    const { search_id } = (await (await research.app.post('/v1/search', { prompt })).json()) as { search_id: string };
    await traceOf(search_id, isServer);
    expect(collector.spans.filter(({ traceId }) => traceId === parent.trace)).toEqual([]);
  });

  it('has what a search used that was cancelled within research', async () => {
    research.model.script = (call, count) => (call.kind === 'reflect' ? { stallAfter: '' } : goodModel(call, count));
    const socket = await connect(research.app.url, { 'x-api-key': research.app.key });
    const search_id = await socket.start({ prompt });
    await expect.poll(() => research.model.calls.map(({ kind }) => kind)).toContain('reflect');
    const headers = { 'x-api-key': research.app.key };
    await fetch(`${research.app.url}/v1/search/${search_id}`, { method: 'DELETE', headers });
    socket.close();
    const [search] = named(await traceOf(search_id), /^invoke_workflow/);
    expect(search!.attributes).toMatchObject({
      'citewire.search.state': 'cancelled',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
    });
  });

  it('says of what kind a failure is', async () => {
    research.model.script = () => ({ status: 500 });
    const { search_id } = (await (await research.app.post('/v1/search', { prompt })).json()) as { search_id: string };
    const spans = await traceOf(search_id);
    const chats = named(spans, /^chat/);
    expect(chats.length).toBeGreaterThan(0);
    for (const { status, attributes } of chats) {
      expect(status).toEqual({ code: 2 });
      expect(attributes['error.type']).toBe('ModelError');
    }
    const [search] = named(spans, /^invoke_workflow/);
    expect(search!.events?.map(({ name }) => name)).toContain('warning');
    expect(search!.status).toBeUndefined();
  });

  it('holds neither questions, answers, addresses of pages nor secrets', async () => {
    const response = await research.app.post('/v1/search', { prompt });
    const { search_id, answer } = (await response.json()) as { search_id: string; answer: string };
    await traceOf(search_id, isServer);
    expect(answer.length).toBeGreaterThan(20);
    const text = collector.requests.map(({ body }) => body).join('\n');
    for (const hidden of [prompt, 'Heron', answer.slice(0, 20), research.app.key, secretKey, 'of-the-receiver']) {
      expect(text).not.toContain(hidden);
    }
    expect(text).not.toContain(`${research.web.url}/`);
  });
});

describe('exports', () => {
  it('carry the headers and the resource of the settings', async () => {
    const { search_id } = (await (await research.app.post('/v1/search', { prompt })).json()) as { search_id: string };
    await traceOf(search_id);
    expect(collector.requests[0]!.headers['api-key']).toBe('of the collector');
    expect(collector.resource).toMatchObject({
      'service.name': 'answers',
      'deployment.environment.name': 'tests',
      'service.version': expect.any(String),
      'service.instance.id': expect.any(String),
    });
  });

  it('hold questions and answers where the setting of OpenTelemetry asks for them', async () => {
    await using app = await startTestApp({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    });
    const response = await app.post('/v1/search', { prompt });
    const { search_id, answer } = (await response.json()) as { search_id: string; answer: string };
    const [search] = named(await traceOf(search_id), /^invoke_workflow/);
    const messages = (name: string) => JSON.parse(String(search!.attributes[name]));
    expect(messages('gen_ai.input.messages')).toEqual([{ role: 'user', parts: [{ type: 'text', content: prompt }] }]);
    expect(messages('gen_ai.output.messages')[0].parts[0].content).toBe(answer);
    const [query] = named(collector.spans, /^retrieval corpus/);
    expect(query!.attributes['gen_ai.retrieval.query.text']).toEqual(expect.any(String));
  });

  it('are made as the server stops, for what is left', async () => {
    const app = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const response = await app.post('/v1/search', { prompt });
    const { search_id } = (await response.json()) as { search_id: string };
    expect(collector.spans).toEqual([]);
    await app[Symbol.asyncDispose]();
    await traceOf(search_id, isServer);
  });

  it.each([
    ['is not there', 'refused'],
    ['answers with errors', 'error'],
    ['hangs', 'hang'],
  ])('change nothing for callers when the collector %s', async (_, how) => {
    await using broken = await startCollector();
    broken.answer = (response) => void (how === 'error' && response.writeHead(400).end());
    const url = how === 'refused' ? 'http://127.0.0.1:9' : broken.url;
    await using app = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '1' });
    await using plain = await startTestApp();
    const [answers, expected] = await Promise.all(
      [app, plain].map(async (each) => {
        const response = await each.post('/v1/search', { prompt }, { accept: 'text/event-stream' });
        return readEvents(response);
      }),
    );
    const shape = (events: readonly SearchFrame[]) => events.map(({ type }) => type);
    expect(shape(answers!)).toEqual(shape(expected!));
    expect(app.faults).toEqual([]);
    if (how === 'error') {
      await expect
        .poll(async () => (await app.get('/metrics')).text())
        .toMatch(/citewire_spans_total\{outcome="dropped"\} [1-9]/);
    }
  });
});
