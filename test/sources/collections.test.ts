/** What a caller tries who may search some sources only: by every door, and with what other keys of the account left. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Collection, CollectionList, IndexedSource, IndexedSourceList, TextResult } from '../../protocol/index.ts';
import { connectMcp } from '../support/clients/mcp-clients.ts';
import { connect } from '../support/clients/ws-client.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const secret = 'The Petrel vault opens with the word marzipan.';
const open = 'The Dunlin gate is painted green by Odile Fenn.';
const question = 'With which word does the Petrel vault open?';
const webPages = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(`<title>Web</title><p>The web page of ${request.url} says that the Petrel vault is far away.</p>`);
});

let app: TestApp;
let webUrl: string;
/** The account with both files and its keys: one that is free, and one restricted to the collection of the open file. */
let free: string;
let bound: string;
let boundTwin: string;
let stranger: string;
let secretFile: IndexedSource;
let openFile: IndexedSource;
let vault: Collection;
let garden: Collection;

const call = (method: string, path: string, body?: unknown, key = free) =>
  fetch(app.url + path, {
    method,
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
async function json<T>(response: Response | Promise<Response>): Promise<T> {
  const answered = await response;
  const text = await answered.text();
  expect([200, 201], text).toContain(answered.status);
  return JSON.parse(text) as T;
}
const ask = (body: object, key = free) => json<TextResult>(call('POST', '/v1/search', body, key));
async function statusOf(response: Promise<Response>): Promise<number> {
  const { status } = await response;
  return status;
}

async function upload(name: string, content: string, key: string): Promise<IndexedSource> {
  const added = await json<IndexedSource>(
    fetch(`${app.url}/v1/sources/files?name=${name}`, { method: 'POST', headers: { 'x-api-key': key }, body: content }),
  );
  const stateOf = async () => {
    const { items } = await json<IndexedSourceList>(call('GET', '/v1/sources', undefined, key));
    return items.find(({ source_id }) => source_id === added.source_id)!.state;
  };
  while ((await stateOf()) !== 'ready') await new Promise((resolve) => setTimeout(resolve, 50));
  return added;
}

beforeAll(async () => {
  await new Promise<void>((resolve) => webPages.listen(0, '127.0.0.1', resolve));
  const { port } = webPages.address() as AddressInfo;
  webUrl = `http://127.0.0.1:${port}/page`;
  app = await startTestApp({ FETCH_ALLOW_HOSTS: `127.0.0.1:${port}` });
  const { account, plaintext } = await app.accounts.createKey({ name: 'free', plan: 'pro' });
  free = plaintext;
  stranger = (await app.accounts.createKey({ name: 'stranger', plan: 'pro' })).plaintext;
  secretFile = await upload('vault.md', `# Petrel\n\n${secret}\n`, free);
  openFile = await upload('gate.md', `# Dunlin\n\n${open}\n`, free);
  vault = await json(call('POST', '/v1/collections', { name: 'Vault', sources: [secretFile.source_id] }));
  garden = await json(call('POST', '/v1/collections', { name: 'Garden', sources: [openFile.source_id] }));
  const collections = [garden.collection_id];
  bound = (await app.accounts.createKey({ name: 'bound', account: account.id, collections })).plaintext;
  boundTwin = (await app.accounts.createKey({ name: 'twin', account: account.id, collections })).plaintext;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  webPages.close();
});

describe('collections', () => {
  it('are made, filled, renamed and removed, by their account alone', async () => {
    const made = await json<Collection>(call('POST', '/v1/collections', { name: '  Reef ' }));
    expect(made).toMatchObject({ name: 'Reef', sources: [] });
    const path = `/v1/collections/${made.collection_id}`;
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      expect(await statusOf(call(method, path, body, stranger))).toBe(404);
    }
    const add = { name: 'REEF', add: [openFile.source_id, secretFile.source_id] };
    expect((await json<Collection>(call('PATCH', path, add))).sources).toHaveLength(2);
    const remove = { remove: [openFile.source_id, 'src_gone'] };
    expect((await json<Collection>(call('PATCH', path, remove))).sources).toEqual([secretFile.source_id]);
    expect((await json<Collection>(call('PATCH', path, { sources: [] }))).sources).toEqual([]);
    expect(await json(call('DELETE', path))).toEqual({ collection_id: made.collection_id, deleted: true });
    expect(await statusOf(call('GET', path))).toBe(404);
    expect((await json<CollectionList>(call('GET', '/v1/collections', undefined, stranger))).items).toEqual([]);
  });

  it.each([
    ['a name that is taken, in another case', { name: 'VAULT' }, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a name like an id', { name: 'col_1' }, 'name'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['an unknown source', { name: 'New', sources: ['src_000000000000000000000000'] }, 'sources'],
  ])('refuses %s, and says where', async (_, body, field) => {
    const response = await call('POST', '/v1/collections', body);
    expect(response.status).toBe(422);
    const { error } = (await response.json()) as { error: { details: { issues: { loc: string[] }[] } } };
    expect(JSON.stringify(error)).toContain(`"${field}"`);
  });

  it("never hold another account's sources, by id or by name", async () => {
    const { items } = await json<IndexedSourceList>(call('GET', '/v1/sources'));
    const ids = items.filter(({ shared }) => !shared).map(({ source_id }) => source_id);
    for (const id of [...ids, 'acc_x/file:0', 'file:0']) {
      expect(await statusOf(call('POST', '/v1/collections', { name: 'Theirs', sources: [id] }, stranger))).toBe(422);
    }
  });

  it('lose a source that is removed', async () => {
    const gone = await upload('gone.md', 'The Knot rope is frayed.', free);
    const made = await json<Collection>(call('POST', '/v1/collections', { name: 'Brief', sources: [gone.source_id] }));
    await json(call('DELETE', `/v1/sources/${gone.source_id}`));
    const after = await json<Collection>(call('GET', `/v1/collections/${made.collection_id}`));
    expect(after.sources).toEqual([]);
    await json(call('DELETE', `/v1/collections/${made.collection_id}`));
  });
});

describe('a search of collections', () => {
  it('finds what they hold by name, whatever the case, and by id, and nothing else', async () => {
    for (const name of ['vault', 'VAULT', vault.collection_id]) {
      expect((await ask({ prompt: question, collections: [name] })).answer).toContain('marzipan');
    }
    const other = await ask({ prompt: question, collections: ['Garden'] });
    expect(JSON.stringify(other)).not.toContain('marzipan');
    expect((await ask({ prompt: question, collections: ['Garden', 'Vault'] })).answer).toContain('marzipan');
    expect((await ask({ prompt: question, collections: [] })).answer).toContain('marzipan');
  });

  it('reads no page of the web, even one that the prompt names', async () => {
    const prompt = `What does ${webUrl} say of the Petrel vault?`;
    const { sources } = await ask({ prompt, collections: ['Garden'] });
    expect(sources.filter(({ url }) => url.startsWith('http'))).toEqual([]);
  });

  it('is refused with a name that the account does not have, also over a stream and a connection', async () => {
    const body = { prompt: question, collections: ['Vault', 'Nest'] };
    const plain = await call('POST', '/v1/search', body);
    expect(plain.status).toBe(422);
    expect(await plain.text()).toContain('expected the name or id of one of your collections');
    const headers = { 'x-api-key': free, 'content-type': 'application/json', accept: 'text/event-stream' };
    const streamed = await fetch(`${app.url}/v1/search`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(streamed.status).toBe(422);
    const socket = await connect(app.url, { 'x-api-key': free });
    await expect(socket.start(body)).rejects.toThrow('one of your collections');
    const search_id = await socket.start({ prompt: question, collections: ['Vault'] });
    expect(JSON.stringify(await socket.search(search_id))).toContain('marzipan');
    socket.close();
  });

  it("cannot name another account's collection, by name or id", async () => {
    for (const name of ['Vault', vault.collection_id]) {
      const body = { prompt: question, collections: [name] };
      expect(await statusOf(call('POST', '/v1/search', body, stranger))).toBe(422);
    }
  });

  it('stays within them when a ticket fixed them', async () => {
    const fixed = { ttl_s: 60, locked: { collections: ['Garden'] } };
    const { ticket } = await json<{ ticket: string }>(call('POST', '/v1/ws/tickets', fixed));
    const socket = await connect(app.url, {}, ['citewire.v1', `ticket.${ticket}`]);
    const search_id = await socket.start({ prompt: question });
    expect(JSON.stringify(await socket.search(search_id))).not.toContain('marzipan');
    socket.close();
  });
});

describe('a key that is restricted to collections', () => {
  it('finds what they hold without naming them, and nothing else', async () => {
    expect((await ask({ prompt: 'Who painted the Dunlin gate green?' }, bound)).answer).toContain('Odile Fenn');
    expect(JSON.stringify(await ask({ prompt: question }, bound))).not.toContain('marzipan');
    const pages = await ask({ prompt: 'What is the Heron lighthouse?' }, bound);
    expect(pages.sources.every(({ url }) => url.startsWith('file:///uploads/'))).toBe(true);
  });

  it('cannot ask for another collection, over any transport or door', async () => {
    for (const collections of [['Vault'], [vault.collection_id], ['Garden', 'Vault']]) {
      expect(await statusOf(call('POST', '/v1/search', { prompt: question, collections }, bound))).toBe(422);
    }
    const socket = await connect(app.url, { 'x-api-key': bound });
    await expect(socket.start({ prompt: question, collections: ['Vault'] })).rejects.toThrow('collections');
    const search_id = await socket.start({ prompt: question });
    expect(JSON.stringify(await socket.search(search_id))).not.toContain('marzipan');
    socket.close();
    const messages = [{ role: 'user', content: question }];
    const doors = [
      ['/v1/chat/completions', { model: 'citewire', messages }],
      ['/v1/responses', { model: 'citewire', input: question }],
      ['/tavily/search', { query: question, include_answer: true }],
      ['/exa/search', { query: question, contents: { text: true, highlights: true } }],
      ['/exa/answer', { query: question, text: true }],
    ] as const;
    for (const [path, body] of doors) {
      expect(await (await call('POST', path, body, bound)).text(), path).not.toContain('marzipan');
      expect(await (await call('POST', path, body)).text(), path).toContain('marzipan');
    }
    const chat = {
      id: 'c',
      collections: ['Vault'],
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: question }] }],
    };
    expect(await statusOf(call('POST', '/v1/ai/chat', chat, bound))).toBe(422);
    const mcp = await connectMcp('legacy', { url: `${app.url}/mcp`, headers: { 'x-api-key': bound } });
    expect(JSON.stringify(await mcp.callTool('answer', { prompt: question }))).not.toContain('marzipan');
    expect((await mcp.callTool('answer', { prompt: question, collections: ['Vault'] })).isError).toBe(true);
    expect((await mcp.callTool('read_page', { url: webUrl })).isError).toBe(true);
    await mcp.close();
  });

  it('sees its collections and their sources alone, changes none, and manages nothing of the account', async () => {
    const { items } = await json<CollectionList>(call('GET', '/v1/collections', undefined, bound));
    expect(items.map(({ name }) => name)).toEqual(['Garden']);
    expect(await statusOf(call('GET', `/v1/collections/${vault.collection_id}`, undefined, bound))).toBe(404);
    const list = await json<IndexedSourceList>(call('GET', '/v1/sources', undefined, bound));
    expect(list.items.map(({ source_id }) => source_id)).toEqual([openFile.source_id]);
    expect(list).toMatchObject({ may_share: false, may_add_folders: false });
    expect(await statusOf(call('GET', `/v1/sources/${secretFile.source_id}`, undefined, bound))).toBe(404);
    const changes = [
      ['POST', '/v1/collections', { name: 'Mine' }],
      ['PATCH', `/v1/collections/${garden.collection_id}`, { add: [secretFile.source_id] }],
      ['DELETE', `/v1/collections/${garden.collection_id}`],
      ['POST', '/v1/sources', { url: webUrl }],
      ['POST', `/v1/sources/${openFile.source_id}/index`],
      ['DELETE', `/v1/sources/${openFile.source_id}`],
      ['POST', '/v1/webhooks', { url: webUrl, events: ['search.completed'] }],
      ['GET', '/v1/design-api'],
      ['POST', '/v1/design-api', { name: 'Vault', prompt: question, collections: ['Vault'] }],
      ['GET', '/v1/schedules'],
      ['POST', '/v1/schedules', { api_stub: 'vault', cron: '0 7 * * *', inputs: {} }],
      ['POST', '/v1/contents', { url: webUrl }],
      ['POST', '/tavily/extract', { urls: [webUrl] }],
      ['POST', '/exa/contents', { urls: [webUrl] }],
    ] as const;
    for (const [method, path, body] of changes) {
      const response = await call(method, path, body, bound);
      expect([method, path, response.status]).toEqual([method, path, 403]);
    }
  });

  it('streams its own sources alone', async () => {
    const response = await call('GET', '/v1/sources/events', undefined, bound);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes(openFile.source_id)) text += (await reader.read()).value ?? '';
    expect(text).not.toContain(secretFile.source_id);
    await reader.cancel();
  });

  it('opens the pages of its sources, and no other snapshot', async () => {
    const mine = await ask({ prompt: 'Who painted the Dunlin gate green?' }, bound);
    expect(await statusOf(call('GET', `/v1/contents/${mine.citations[0]!.snapshot}`, undefined, bound))).toBe(200);
    const other = await ask({ prompt: question });
    const { snapshot } = other.citations[0]!;
    expect(await statusOf(call('GET', `/v1/contents/${snapshot}`))).toBe(200);
    expect(await statusOf(call('GET', `/v1/contents/${snapshot}`, undefined, bound))).toBe(404);
    const read = await json<{ info: { snapshot: string } }>(call('POST', '/v1/contents', { url: webUrl }));
    expect(await statusOf(call('GET', `/v1/contents/${read.info.snapshot}`, undefined, bound))).toBe(404);
  });

  it('neither reads, follows, cancels, rates nor removes the searches of other keys', async () => {
    const { search_id } = await ask({ prompt: question });
    const twin = await ask({ prompt: question }, boundTwin);
    for (const id of [search_id, twin.search_id]) {
      const path = `/v1/search/${id}`;
      const feedback = { rating: 'up' };
      for (const [method, at, body] of [
        ['GET', path],
        ['GET', `${path}/events`],
        ['DELETE', path],
        ['DELETE', `${path}/record`],
        ['POST', `${path}/feedback`, feedback],
      ] as const) {
        const status = await statusOf(call(method, at, body, bound));
        expect([method, at, status]).toEqual([method, at, 404]);
      }
      const followUp = { prompt: 'And then?', previous_search_id: id };
      expect(await statusOf(call('POST', '/v1/search', followUp, bound))).toBe(422);
      const socket = await connect(app.url, { 'x-api-key': bound });
      socket.send({ type: 'search.resume', ref: 'r', search_id: id, after: 0 });
      expect(JSON.stringify(await socket.next(({ ref }) => ref === 'r'))).not.toContain('search.attached');
      socket.close();
    }
    expect(await statusOf(call('GET', `/v1/search/${search_id}`))).toBe(200);
    const own = await ask({ prompt: 'Who painted the Dunlin gate green?' }, bound);
    expect(await statusOf(call('GET', `/v1/search/${own.search_id}`, undefined, bound))).toBe(200);
    expect(await statusOf(call('GET', `/v1/search/${own.search_id}`))).toBe(200);
    const followUp = { prompt: 'And who painted it?', previous_search_id: own.search_id };
    expect(await statusOf(call('POST', '/v1/search', followUp, bound))).toBe(200);
    await expect
      .poll(async () => {
        const { items } = await json<{ items: { search_id: string }[] }>(call('GET', '/v1/search', undefined, bound));
        return items.map((each) => each.search_id);
      })
      .toContain(own.search_id);
    const listed = await json<{ items: { search_id: string }[] }>(call('GET', '/v1/search', undefined, bound));
    expect(listed.items.map((each) => each.search_id)).not.toContain(search_id);
    expect(listed.items.map((each) => each.search_id)).not.toContain(twin.search_id);
    await json(call('POST', `/v1/search/${search_id}/feedback`, { rating: 'down' }));
    expect(await json(call('GET', '/v1/feedback', undefined, bound))).toEqual({ items: [] });
  });

  it('has idempotency keys, chats and threads of its own', async () => {
    const headers = (key: string) => ({
      'x-api-key': key,
      'content-type': 'application/json',
      'idempotency-key': 'same',
    });
    const body = JSON.stringify({ prompt: question });
    const first = await fetch(`${app.url}/v1/search`, { method: 'POST', headers: headers(free), body });
    expect(await first.text()).toContain('marzipan');
    const again = await fetch(`${app.url}/v1/search`, { method: 'POST', headers: headers(bound), body });
    expect(again.status).toBe(200);
    expect(await again.text()).not.toContain('marzipan');

    const theirs = (await ask({ prompt: question, thread: true })).search_id;
    const own = (await ask({ prompt: 'Who painted the Dunlin gate green?', thread: true }, bound)).search_id;
    for (const [method, path, change] of [
      ['GET', `/v1/threads/${theirs}`],
      ['PATCH', `/v1/threads/${theirs}`, { title: 'x' }],
      ['POST', `/v1/threads/${theirs}/share`, {}],
      ['DELETE', `/v1/threads/${theirs}`],
    ] as const) {
      expect([method, await statusOf(call(method, path, change, bound))]).toEqual([method, 404]);
    }
    expect(await statusOf(call('POST', '/v1/search', { prompt: 'x y z', thread: theirs }, bound))).toBe(422);
    // What others ask never gets into its thread either.
    expect(await statusOf(call('POST', '/v1/search', { prompt: question, thread: own }))).toBe(422);
    const more = { prompt: 'And who painted it?', thread: own, previous_search_id: own };
    expect(await statusOf(call('POST', '/v1/search', more, bound))).toBe(200);
    const { items } = await json<{ items: { thread_id: string }[] }>(call('GET', '/v1/threads', undefined, bound));
    expect(items.map(({ thread_id }) => thread_id)).toEqual([own]);
    const all = await json<{ items: { thread_id: string }[] }>(call('GET', '/v1/threads'));
    expect(all.items.map(({ thread_id }) => thread_id)).toEqual(expect.arrayContaining([own, theirs]));
  });

  it('is told no questions that other sources answer', async () => {
    expect(await json(call('GET', '/v1/suggestions', undefined, bound))).toMatchObject({ questions: [] });
  });

  it('sees nothing once its collections are gone', async () => {
    const { items } = await json<IndexedSourceList>(call('GET', '/v1/sources'));
    expect(items.length).toBeGreaterThan(2);
    const made = await json<Collection>(
      call('POST', '/v1/collections', { name: 'Fleeting', sources: [openFile.source_id] }),
    );
    const owner = (await app.accounts.listKeys()).find(({ name }) => name === 'free')!.account_id;
    const key = await app.accounts.createKey({ name: 'f', account: owner, collections: [made.collection_id] });
    await json(call('DELETE', `/v1/collections/${made.collection_id}`));
    const result = await ask({ prompt: 'Who painted the Dunlin gate green?' }, key.plaintext);
    expect(result).toMatchObject({ status: 'not_found', sources: [] });
  });
});

describe('a published API', () => {
  it("searches only its collections of its owner's account, for whoever runs it", async () => {
    const design = {
      name: 'Vaults',
      api_stub: 'vaults',
      prompt: 'With which word does the {{what}} open?',
      inputs: { what: { type: 'string' } },
      collections: ['vault'],
    };
    const made = await json<{ api_id: string; collections: string[] }>(call('POST', '/v1/design-api', design));
    expect(made.collections).toEqual([vault.collection_id]);
    const path = `/v1/design-api/${made.api_id}`;
    await json(call('POST', `${path}/publish`));
    const run = (key: string) => call('POST', '/v1/published-service/vaults', { what: 'Petrel vault' }, key);
    expect(await (await run(stranger)).text()).toContain('marzipan');
    expect(await statusOf(run(bound))).toBe(200);
    expect(await (await run(bound)).text()).not.toContain('marzipan');
    const strangers = (await app.accounts.listKeys()).find(({ name }) => name === 'stranger')!.account_id;
    const theirs = await app.accounts.createKey({ name: 'b', account: strangers, collections: ['col_any'] });
    expect(await statusOf(run(theirs.plaintext))).toBe(403);
    // Elsewhere it stays theirs: the caller may not name it.
    const named = await call('PATCH', path, { collections: ['Nest'] });
    expect(named.status).toBe(422);
    await json(call('PATCH', `/v1/collections/${vault.collection_id}`, { name: 'Renamed' }));
    expect(await (await run(stranger)).text()).toContain('marzipan');
    await json(call('PATCH', `/v1/collections/${vault.collection_id}`, { name: 'Vault' }));
  });
});
