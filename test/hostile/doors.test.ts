/**
 * The doors of other protocols, attacked by a caller with a valid key: requests whose cost grows faster than their size, ids of
 * other accounts, and messages of odd forms. A request that costs too much would let its test time out.
 */
import { describe, expect, it } from 'vitest';
import { McpError, OpenAIError } from '../../protocol/index.ts';
import { useWatchedApp } from '../support/watched-app.ts';

const watched = useWatchedApp();
const question = 'Who designed the Heron Point Lighthouse?';

async function send(method: string, path: string, body?: unknown, key?: string): Promise<Response> {
  const headers = { 'x-api-key': key ?? (await watched.newKey()), 'content-type': 'application/json' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(watched.app.url + path, { method, headers, ...(text === undefined ? {} : { body: text }) });
}

/** Ten levels of objects, each of which has the next one eight times: 1.7 KB that stand for a billion fields. */
const levels = 10;
const bomb = {
  type: 'object',
  properties: { a: { $ref: '#/$defs/d0' } },
  $defs: Object.fromEntries(
    Array.from({ length: levels }, (_, at) => {
      const next = at === levels - 1 ? { type: 'string' } : { $ref: `#/$defs/d${at + 1}` };
      return [
        `d${at}`,
        { type: 'object', properties: Object.fromEntries([...'abcdefgh'].map((name) => [name, next])) },
      ];
    }),
  ),
};
const chat = { model: 'citewire', messages: [{ role: 'user', content: question }] };
const format = { type: 'json_schema', name: 'a', schema: bomb };

describe('a JSON Schema that refers to its own parts', () => {
  it.each<[string, string, object]>([
    ['a chat completion', '/v1/chat/completions', { ...chat, response_format: { ...format, json_schema: format } }],
    ['a response', '/v1/responses', { model: 'citewire', input: question, text: { format } }],
  ])('is refused once it has more fields than a template may, at %s', async (_, path, body) => {
    const response = await send('POST', path, body);
    expect(response.status).toBe(400);
    const { error } = OpenAIError.parse(await response.json());
    expect(error.message).toContain('expected at most 200 fields in total; got more');
  });
});

describe('a prompt of an application', () => {
  it.each([
    ['empty lines', '\n'],
    ['carriage returns', '\r'],
    ['separators of lines', '\u2028'],
    ['names of speakers', '\nuser '],
    ['tabs', '\t'],
  ])('is answered, however many %s it has', async (_, filler) => {
    const content = `### Task: title\n<chat_history>${filler.repeat(300_000 / filler.length)}x`;
    const response = await send('POST', '/v1/chat/completions', {
      ...chat,
      messages: [{ role: 'user', content }],
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'New conversation' } }] });
  });
});

describe('a message of MCP', () => {
  it.each(['0.5', 'true', '{}', '[1]', 'null', '1e400', '-1e300'])('is refused with the id %s', async (id) => {
    const response = await send('POST', '/mcp', `{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    expect(response.status).toBe(400);
    expect(McpError.parse(await response.json())).toMatchObject({ id: null });
  });

  it.each([0, -1, 'a', '', Number.MAX_SAFE_INTEGER])('is answered with its id %j', async (id) => {
    const response = await send('POST', '/mcp', { jsonrpc: '2.0', id, method: 'ping' });
    expect(await response.json()).toMatchObject({ id, result: {} });
  });
});

describe('another account', () => {
  it('can neither read, follow up on, cancel nor delete a response', async () => {
    const key = await watched.newKey();
    const made = await send('POST', '/v1/responses', { model: 'citewire', input: question }, key);
    const { id } = (await made.json()) as { id: string };
    const follow = { model: 'citewire', input: 'When?', previous_response_id: id };
    expect((await send('GET', `/v1/responses/${id}`, undefined, key)).status).toBe(200);
    for (const [method, path] of [
      ['GET', `/v1/responses/${id}`],
      ['GET', `/v1/responses/${id}?stream=true`],
      ['POST', `/v1/responses/${id}/cancel`],
      ['DELETE', `/v1/responses/${id}`],
    ] as const) {
      expect((await send(method, path)).status, `${method} ${path}`).toBe(404);
    }
    // As OpenAI answers it.
    const refused = await send('POST', '/v1/responses', follow);
    expect(refused.status).toBe(400);
    expect(OpenAIError.parse(await refused.json()).error.message).toContain(id.slice('resp_'.length));
    expect((await send('GET', `/v1/responses/${id}`, undefined, key)).status).toBe(200);
  });

  it('can neither resume nor stop a chat, nor follow up on its answer', async () => {
    const key = await watched.newKey();
    const turn = (id: string, text: string) => ({ id, role: 'user', parts: [{ type: 'text', text }] });
    const first = await send('POST', '/v1/ai/chat', { id: 'chat-of-one', messages: [turn('m', question)] }, key);
    const text = await first.text();
    const [, search_id = ''] = /"messageId":"(s_[\w-]+)"/.exec(text) ?? [];
    expect(search_id).not.toBe('');
    expect((await send('GET', '/v1/ai/chat/chat-of-one/stream')).status).toBe(204);
    expect((await send('POST', '/v1/ai/chat/chat-of-one/stop')).status).toBe(204);
    const answer = { id: search_id, role: 'assistant', parts: [] };
    const messages = [turn('m', 'Which mill pond is the oldest?'), answer, turn('n', 'And who designed it?')];
    const other = await (await send('POST', '/v1/ai/chat', { id: 'chat-of-two', messages })).text();
    expect(other).toContain('Which mill pond is the oldest?');
    expect(other).not.toContain(question);
    expect(other).not.toContain(search_id);
  });
});

describe('a page of the server', () => {
  it.each(['"><script>alert(1)</script>', "'-alert(1)-'", '%3C/title%3E<b>', '&lt;'.repeat(1_000)])(
    'repeats nothing of the question %s',
    async (asked) => {
      const page = await fetch(`${watched.app.url}/?q=${encodeURIComponent(asked)}`);
      expect(await page.text()).not.toContain(asked);
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    },
  );
});
