/**
 * The doors of other protocols, attacked by a caller with a valid key: requests whose cost grows faster than their size, ids of
 * other accounts, and messages of odd forms. A request that costs too much would let its test time out.
 */
import { describe, expect, it } from 'vitest';
import { McpError, OpenAIError } from '../../protocol/index.ts';
import { connectRaw, statusesIn } from '../support/clients/raw-client.ts';
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

describe('a body without a valid key', () => {
  const doors = [
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/ai/chat',
    '/mcp',
    '/exa/search',
    '/exa/contents',
    '/exa/answer',
    '/open-webui/search',
    '/open-webui/load',
  ];
  // Their older clients send the key in the body, of which 64 KiB are read of anybody.
  const tavily = ['search', 'extract', 'crawl', 'map', 'research'].map((call) => `/tavily/${call}`);
  const megabyte = 1024 * 1024;
  /** The second after many of the first from one address. */
  const refusals = [401, 429];

  /** Announces 13 MB, sends some of them, and no more. */
  async function answerToPart(path: string, key: string, sent: number): Promise<number[]> {
    const client = await connectRaw(watched.app.url);
    const { host } = new URL(watched.app.url);
    client.send(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${13 * megabyte}\r\n\r\n`,
      Buffer.alloc(sent, '{'),
    );
    const text = await client.ended;
    return statusesIn(text);
  }

  it.each([...doors, ...tavily])('is refused by its key alone, whatever is in it: %s', async (path) => {
    for (const body of ['{"model"', '['.repeat(500_000), 'x'.repeat(2 * megabyte)]) {
      const response = await send('POST', path, body, 'cw_nobody');
      expect(refusals).toContain(response.status);
      await response.text();
    }
  });

  // At the same time, because each waits until the server gives up the rest of a body.
  it.concurrent.each([...doors, ...tavily])(
    'is not waited for, and its connection is closed: %s',
    async (path) => {
      const answered = await Promise.all([0, 1, megabyte].map((sent) => answerToPart(path, 'cw_nobody', sent)));
      // Nothing, or the refusal: the rest of the body never comes.
      for (const statuses of answered) expect([[], [401], [429]]).toContainEqual(statuses);
    },
    60_000,
  );

  it.each(tavily)('is small where the key may be in it: %s', async (path) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ api_key: await watched.newKey(), query: 'x', urls: ['y'.repeat(65 * 1024)] });
    const response = await fetch(watched.app.url + path, { method: 'POST', headers, body });
    expect(response.status).toBe(413);
  });
});

describe('an image', () => {
  const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  const doors: [string, string, (url: string) => object][] = [
    [
      'a chat completion',
      '/v1/chat/completions',
      (url) => ({
        ...chat,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: question },
              { type: 'image_url', image_url: { url } },
            ],
          },
        ],
      }),
    ],
    [
      'a response',
      '/v1/responses',
      (image_url) => ({
        model: 'citewire',
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: question },
              { type: 'input_image', image_url },
            ],
          },
        ],
      }),
    ],
    [
      'a chat of the AI SDK',
      '/v1/ai/chat',
      (url) => ({
        id: 'images',
        messages: [
          {
            id: 'm',
            role: 'user',
            parts: [
              { type: 'text', text: question },
              { type: 'file', mediaType: 'image/gif', url },
            ],
          },
        ],
      }),
    ],
    ['a search', '/v1/search', (image) => ({ prompt: question, image })],
  ];
  const refused = [
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:1/',
    'http://[::1]/a.png',
    'http://2130706433/a.png',
    'http://user:secret@example.com/a.png',
    'http://example.com:22/a.png',
    'file:///etc/passwd',
    'ftp://example.com/a.png',
    'javascript:alert(1)',
    'data:text/html;base64,PHNjcmlwdD4=',
    'data:image/svg+xml;base64,PHN2Zz4=',
    `data:image/gif;base64,${gif.slice(0, 8)}!${gif.slice(8)}`,
    `data:image/gif,${gif}`,
    'data:image/gif;base64,',
    '',
  ];

  it.each(doors)('of %s is refused unless it is an image, or at a public address', async (_, path, bodyOf) => {
    const key = await watched.newKey();
    for (const url of refused) {
      const response = await send('POST', path, bodyOf(url), key);
      const text = await response.text();
      expect([400, 422], `${url.slice(0, 60)}: ${response.status} ${text.slice(0, 300)}`).toContain(response.status);
      expect(text).not.toContain('secret');
    }
    const accepted = await send('POST', path, bodyOf(`data:image/gif;base64,${gif}`), key);
    expect(accepted.status).toBe(200);
    await accepted.text();
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
