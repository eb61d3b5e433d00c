/** The AI SDK's own chat and transport over both servers: turns, cuts and resumes, stops, and who may see what. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SearchList, SearchRecord } from '../../../protocol/index.ts';
import { type ChatServer, slowly, startChatServer } from '../../support/browser/chat.ts';
import { type Message, openWire, TestChat, textOf } from '../../support/clients/use-chat.ts';
import { goodModel } from '../../support/servers/model-server.ts';
import type { TestApp } from '../../support/start-app.ts';

let server: ChatServer;
let app: TestApp;
let otherKey: string;
beforeAll(async () => {
  server = await startChatServer();
  app = server.app;
  otherKey = (await app.accounts.createKey({ plan: 'pro', name: 'other' })).plaintext;
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.model.script = slowly(1);
  server.model.calls.length = 0;
});

const question = 'Who designed the Heron Point Lighthouse?';
const record = async (search_id: string) => (await app.get(`/v1/search/${search_id}`)).json() as Promise<SearchRecord>;
const written = () => server.model.calls.filter(({ kind }) => kind === 'write').map(({ prompt }) => prompt);

/** A model that writes nothing before it is released. */
function heldModel(): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.model.script = async (call, count) => {
    if (call.kind === 'write') await released;
    return slowly(1)(call, count);
  };
  return release;
}

/** How many bytes of a stream have come when it has this text. */
async function bytesUntil(path: string, text: string): Promise<number> {
  const reader = (await app.get(path)).body!.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  for (let all = ''; !all.includes(text); ) {
    const { value } = await reader.read();
    bytes += value!.length;
    all += decoder.decode(value);
  }
  await reader.cancel();
  return bytes;
}

async function untilEnded(search_id: string): Promise<SearchRecord> {
  await expect.poll(async () => (await record(search_id)).state).not.toBe('running');
  return record(search_id);
}

describe('a chat', () => {
  it('shows steps, sources, the cited text and its citations in one message, which has the id of the search', async () => {
    const chat = new TestChat('whole', openWire(app.url, app.key).transport);
    await chat.sendMessage({ text: question });
    expect(chat.errors).toEqual([]);
    expect(chat.status).toBe('ready');
    const { id, parts, metadata } = chat.lastMessage!;
    const { result, citations = [], sources = [] } = await record(id);
    expect(chat.text()).toBe((result as { answer: string }).answer);
    expect(metadata).toMatchObject({ search_id: id, status: 'answered', usage: { model_calls: expect.any(Number) } });
    const of = (type: string) => parts.filter((part) => part.type === type) as unknown as { id: string; data: never }[];
    expect(of('data-citation').map(({ data }) => data)).toEqual(citations);
    expect(of('source-url')).toHaveLength(sources.length);
    expect(parts.findIndex(({ type }) => type === 'text')).toBeGreaterThan(
      parts.findLastIndex(({ type }) => type === 'source-url'),
    );
    const steps = of('data-step');
    expect(new Set(steps.map(({ id: step }) => step)).size).toBe(steps.length);
    expect(steps.map(({ data }) => (data as { status: string }).status)).toEqual(steps.map(() => 'ok'));
  });

  it('is answered with the headers that clients look for', async () => {
    const message = { role: 'user', parts: [{ type: 'text', text: question }] };
    const response = await app.post('/v1/ai/chat', { id: 'headers', message });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-vercel-ai-ui-message-stream': 'v1',
      'x-accel-buffering': 'no',
      'x-should-retry': 'false',
      'x-search-id': expect.stringMatching(/^s_/),
    });
    expect((await response.text()).endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
  });

  it('follows up on the search of the answer before', async () => {
    const chat = new TestChat('turns', openWire(app.url, app.key).transport);
    await chat.sendMessage({ text: question });
    await chat.sendMessage({ text: 'How high is it?' });
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(written()[1]).toContain(question);
    expect(written()[1]).toContain('How high is it?');
    // Without markers, as only the search itself remembers it.
    expect(written()[1]).not.toContain(textOf(chat.messages[1]));
  });

  it('follows up on what the client repeats, where the answer came from elsewhere', async () => {
    const said = (id: string, role: 'user' | 'assistant', text: string): Message => ({
      ...{ id, role },
      parts: [{ type: 'text', text }],
    });
    const before = [said('u1', 'user', question), said('a1', 'assistant', 'Ingrid Solvay, of course.')];
    const chat = new TestChat('elsewhere', openWire(app.url, app.key).transport, before);
    await chat.sendMessage({ text: 'How high is it?' });
    expect(chat.errors).toEqual([]);
    expect(written()[0]).toContain(question);
    expect(written()[0]).toContain('Ingrid Solvay, of course.');
  });

  it('does not follow up on the search of another account', async () => {
    const theirs = new TestChat('theirs', openWire(app.url, otherKey).transport);
    await theirs.sendMessage({ text: 'Who was Ingrid Solvay, of all people?' });
    const { id } = theirs.lastMessage!;
    server.model.calls.length = 0;
    const faked: Message[] = [
      { id: 'u1', role: 'user', parts: [{ type: 'text', text: question }] },
      { id, role: 'assistant', parts: [{ type: 'text', text: 'Mine.' }] },
    ];
    const chat = new TestChat('mine', openWire(app.url, app.key).transport, faked);
    await chat.sendMessage({ text: 'How high is it?' });
    expect(chat.errors).toEqual([]);
    expect(written()[0]).not.toContain('of all people');
    expect(written()[0]).toContain(question);
  });

  it('answers clients that send only their newest message, and knows the turns before', async () => {
    const send = async (text: string, more: object = {}) => {
      const message = { id: 'm', role: 'user', parts: [{ type: 'text', text }] };
      const response = await app.post('/v1/ai/chat', { id: 'alone', message, ...more });
      await response.text();
      return response.headers.get('x-search-id')!;
    };
    await send(question);
    const second = await send('How high is it?');
    const again = await send('How high is it?', { trigger: 'regenerate-message', messageId: second });
    expect(again).not.toBe(second);
    const [, follow, repeat] = written();
    for (const prompt of [follow, repeat]) {
      expect(prompt).toContain(question);
      expect(prompt!.split('How high is it?')).toHaveLength(follow!.split('How high is it?').length);
    }
  });

  it('answers the last question again, as if it had not been answered', async () => {
    const chat = new TestChat('again', openWire(app.url, app.key).transport);
    await chat.sendMessage({ text: question });
    const first = chat.lastMessage!.id;
    await chat.regenerate();
    expect(chat.messages).toHaveLength(2);
    expect(chat.lastMessage!.id).not.toBe(first);
    expect(written()[1]!.split(question)).toHaveLength(written()[0]!.split(question).length);
  });

  it('reads an image of the message, however large the conversation has become', async () => {
    const url = `data:image/gif;base64,${'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'}`;
    const image = { type: 'file', mediaType: 'image/gif', url } as const;
    const old = { ...image, url: `data:image/gif;base64,${'A'.repeat(900_000)}` };
    const data = Array.from({ length: 40 }, (_, n) => ({
      type: 'data-step',
      id: `${n}`,
      data: { a: 1, b: [1, 2], n },
    }));
    const before = Array.from({ length: 20 }, (_, n) => [
      { id: `u${n}`, role: 'user', parts: [{ type: 'text', text: 'Earlier?' }, ...(n < 2 ? [old] : [])] },
      { id: `a${n}`, role: 'assistant', parts: [...data, { type: 'text', text: 'Earlier.' }] },
    ]).flat() as Message[];
    const chat = new TestChat('image', openWire(app.url, app.key).transport, before);
    await chat.sendMessage({ text: 'What is written on it?', files: [image] });
    expect(chat.errors).toEqual([]);
    expect(server.model.calls.map(({ kind }) => kind)).toContain('describe');
  });

  it('takes fields of a search from the body of the transport', async () => {
    const wire = openWire(app.url, app.key, { output_format: { designer: 'string' }, effort: 'fast', temperature: 1 });
    const chat = new TestChat('structured', wire.transport);
    await chat.sendMessage({ text: question });
    expect(chat.errors).toEqual([]);
    expect(chat.lastMessage!.parts).toContainEqual(
      expect.objectContaining({ type: 'data-output', data: { designer: 'Ingrid Solvay' } }),
    );
  });

  it.each([
    ['no id', { messages: [] }, 'id'],
    ['no message', { id: 'x' }, 'message'],
    ['no message of the user', { id: 'x', messages: [{ role: 'assistant', parts: [] }] }, 'messages'],
    ['an empty message', { id: 'x', message: { role: 'user', parts: [] } }, 'prompt'],
    ['an unknown effort', { id: 'x', message: { role: 'user', parts: [] }, effort: 'max' }, 'effort'],
  ])('refuses a request with %s', async (_, body, field) => {
    const response = await app.post('/v1/ai/chat', body);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['body', field] }] });
  });

  it('shows the client that a key is not valid', async () => {
    const chat = new TestChat('nobody', openWire(app.url, 'cw_none').transport);
    await chat.sendMessage({ text: question });
    expect(JSON.parse(chat.errors[0]!.message)).toMatchObject({ error: { code: 'unauthorized' } });
  });

  it('is listed with its door', async () => {
    const { items } = (await (await app.get('/v1/search')).json()) as SearchList;
    expect(items[0]).toMatchObject({ door: 'ai-sdk' });
  });
});

describe('a chat whose connection breaks', () => {
  it('has the same message after it was resumed, wherever it broke', async () => {
    let release = () => {};
    const restAfter = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.model.script = async (call, count) => ({ ...(await slowly(1)(call, count)), restAfter }) as never;
    const whole = new TestChat('cuts', openWire(app.url, app.key).transport);
    const asked = whole.sendMessage({ text: question });
    await expect.poll(() => whole.text()).not.toBe('');
    const there = await bytesUntil('/v1/ai/chat/cuts/stream', '"text-delta"');
    const cuts = Array.from({ length: 16 }, (_, n) => 1 + Math.floor((n * (there - 1)) / 16));
    const broken = cuts.map((bytes) => {
      const wire = openWire(app.url, app.key);
      wire.cutAfter(bytes);
      return { wire, bytes, chat: new TestChat('cuts', wire.transport, [whole.messages[0]!]) };
    });
    for (const { chat, bytes } of broken) {
      await chat.resumeStream();
      expect(chat.status, `${bytes}`).toBe('error');
    }
    const resumed = broken.map(({ wire, chat }) => {
      wire.cutAfter(Number.POSITIVE_INFINITY);
      return chat.resumeStream();
    });
    release();
    await Promise.all([asked, ...resumed]);
    expect(whole.status).toBe('ready');
    for (const { chat, bytes } of broken)
      expect([chat.status, chat.messages], `${bytes}`).toEqual(['ready', whole.messages]);
  });

  it('goes on without its reader, and sends its message to a reader who comes back after its end', async () => {
    const release = heldModel();
    const wire = openWire(app.url, app.key);
    wire.cutAfter(100);
    const chat = new TestChat('left', wire.transport);
    await chat.sendMessage({ text: question });
    expect(chat.status).toBe('error');
    release();
    const { items } = (await (await app.get('/v1/search?limit=1')).json()) as SearchList;
    const id = chat.lastMessage?.role === 'assistant' ? chat.lastMessage.id : items[0]!.search_id;
    const ended = await untilEnded(id);
    expect(ended.state).toBe('completed');
    wire.cutAfter(Number.POSITIVE_INFINITY);
    await chat.resumeStream();
    expect(chat.text()).toBe((ended.result as { answer: string }).answer);
    expect(chat.messages).toHaveLength(2);
  });

  it('has its message again for one reader who left, also when another has read it to its end', async () => {
    const release = heldModel();
    const wire = openWire(app.url, app.key);
    const whole = new TestChat('two', openWire(app.url, app.key).transport);
    const asked = whole.sendMessage({ text: question });
    await expect.poll(() => whole.lastMessage?.role).toBe('assistant');
    wire.cutAfter(50);
    const broken = new TestChat('two', wire.transport, [whole.messages[0]!]);
    await broken.resumeStream();
    expect(broken.status).toBe('error');
    release();
    await asked;
    wire.cutAfter(Number.POSITIVE_INFINITY);
    await broken.resumeStream();
    expect(broken.messages).toEqual(whole.messages);
    await broken.resumeStream();
    expect(wire.statuses).toEqual([200, 200, 204]);
  });

  it('has nothing to resume when nothing runs, and for other accounts', async () => {
    const idle = openWire(app.url, app.key);
    expect(await idle.transport.reconnectToStream({ chatId: 'never' })).toBeNull();
    const chat = new TestChat('ended', idle.transport);
    await chat.sendMessage({ text: question });
    expect(await idle.transport.reconnectToStream({ chatId: 'ended' })).toBeNull();

    const release = heldModel();
    const running = new TestChat('running', idle.transport);
    const asked = running.sendMessage({ text: question });
    await expect.poll(() => running.lastMessage?.role).toBe('assistant');
    const other = openWire(app.url, otherKey);
    expect(await other.transport.reconnectToStream({ chatId: 'running' })).toBeNull();
    const theirs = await fetch(`${app.url}/v1/ai/chat/running/stop`, {
      method: 'POST',
      headers: { 'x-api-key': otherKey },
    });
    expect(theirs.status).toBe(204);
    release();
    await asked;
    expect(running.status).toBe('ready');
    expect(running.text()).not.toBe('');
  });

  it('refuses an id that no chat has', async () => {
    const response = await app.get(`/v1/ai/chat/${'x'.repeat(201)}/stream`);
    expect(response.status).toBe(422);
  });
});

describe('stopping a chat', () => {
  it('cancels its search, and ends the message as it is', async () => {
    const release = heldModel();
    const chat = new TestChat('stopped', openWire(app.url, app.key).transport);
    const asked = chat.sendMessage({ text: question });
    await expect.poll(() => chat.lastMessage?.role).toBe('assistant');
    const response = await app.post('/v1/ai/chat/stopped/stop', '');
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ search_id: chat.lastMessage!.id });
    await asked;
    release();
    expect(chat.status).toBe('ready');
    expect((await record(chat.lastMessage!.id)).state).toBe('cancelled');
    expect((await app.post('/v1/ai/chat/stopped/stop', '')).status).toBe(204);
  });
});

describe('a search of a chat that fails', () => {
  it('shows its error, and keeps what was written', async () => {
    server.model.script = (call, count) => (call.kind === 'plan' ? { text: '{}', ms: 1 } : goodModel(call, count));
    const wire = openWire(app.url, app.key, { max: { seconds: 0.001 } });
    const chat = new TestChat('failed', wire.transport);
    await chat.sendMessage({ text: question });
    expect(chat.status).toBe('error');
    expect(chat.errors[0]!.message).toMatch(/did not finish within/);
  });
});
