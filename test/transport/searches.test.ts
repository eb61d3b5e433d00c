/** Searches after their start: idempotency keys, reading on, cancelling, the list; always within one account. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchFrame, SearchList, SearchRecord, TextResult } from '../../protocol/index.ts';
import { plans } from '../../src/access/plans.ts';
import { expectDense, expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { connect } from '../support/clients/ws-client.ts';
import { expectDocumented } from '../support/documented-answers.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
let otherKey: string;
beforeAll(async () => {
  app = await startTestApp();
  otherKey = (await app.accounts.createKey({ plan: 'pro', name: 'other' })).plaintext;
});
afterAll(() => app[Symbol.asyncDispose]());

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
const remaining = (response: Response) => Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);

async function ask(body: unknown, headers: Record<string, string> = {}): Promise<TextResult> {
  const response = await app.post('/v1/search', body, headers);
  expect(response.status).toBe(200);
  return (await response.json()) as TextResult;
}

it('is streamed to the end to a client that sends its request in chunks', async () => {
  const body = new Blob([JSON.stringify(question)]).stream();
  const headers = { 'x-api-key': app.key, 'content-type': 'application/json', accept: 'text/event-stream' };
  const sent = { method: 'POST', headers, body, duplex: 'half' };
  expectLawful(await readEvents(await fetch(`${app.url}/v1/search`, sent as RequestInit)));
});

describe('an idempotency key', () => {
  it('returns the finished search to a request with the same idempotency key, and charges nothing', async () => {
    const first = await app.post('/v1/search', question, { 'idempotency-key': 'one' });
    const again = await app.post('/v1/search', question, { 'idempotency-key': 'one' });
    expect(await again.json()).toEqual(await first.json());
    expect(again.headers.get('ratelimit')).toBeNull();
    const other = await app.post('/v1/search', question);
    expect(remaining(other)).toBe(remaining(first) - 1);
  });

  it('makes one search of two simultaneous requests with the same idempotency key', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => ask(question, { 'idempotency-key': 'at-once' })));
    expect(new Set(results.map(({ search_id }) => search_id)).size).toBe(1);
  });

  it('refuses another body under the same idempotency key', async () => {
    await ask(question, { 'idempotency-key': 'two' });
    const response = await app.post('/v1/search', { prompt: 'Another question?' }, { 'idempotency-key': 'two' });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'idempotency_mismatch' } });
  });

  it('keeps idempotency keys of different accounts apart', async () => {
    const mine = await ask(question, { 'idempotency-key': 'three' });
    const theirs = await ask(
      { prompt: 'How high is the tower?' },
      { 'idempotency-key': 'three', 'x-api-key': otherKey },
    );
    expect(theirs.search_id).not.toBe(mine.search_id);
  });

  it('reports over the WebSocket that an idempotency key was used before', async () => {
    const { search_id } = await ask(question, { 'idempotency-key': 'four' });
    const client = await connect(app.url, { 'x-api-key': app.key });
    client.send({ type: 'search.start', ref: 'a', request: question, idempotency_key: 'four' });
    expect(await client.next(({ type }) => type === 'search.attached')).toMatchObject({
      search_id,
      deduplicated: true,
    });
    expectLawful(await client.search(search_id));
    client.close();
  });

  it('subscribes a connection once that sends the same idempotency key twice', async () => {
    const client = await connect(app.url, { 'x-api-key': app.key });
    for (const ref of ['a', 'b']) {
      client.send({ type: 'search.start', ref, request: question, idempotency_key: 'five' });
    }
    const { search_id = '' } = await client.next(({ ref }) => ref === 'a');
    const again = await client.next(({ ref }) => ref === 'b');
    await client.search(search_id);
    client.send({ type: 'ping', ref: 'c' });
    await client.next(({ ref }) => ref === 'c');
    const since = client.received.slice(client.received.indexOf(again));
    expectLawful(since.filter(({ seq }) => seq !== undefined) as unknown as SearchFrame[]);
    client.close();
  });

  it('charges for invalid requests with an idempotency key', async () => {
    const key = (await app.accounts.createKey({ plan: 'starter', name: 'starter' })).plaintext;
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) {
      const headers = { 'x-api-key': key, 'idempotency-key': `none-${n}` };
      statuses.push((await app.post('/v1/search', { prompt: '' }, headers)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
  });

  it('refuses an idempotency key with invalid characters or of invalid length', async () => {
    const response = await app.post('/v1/search', question, { 'idempotency-key': 'x'.repeat(256) });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['header', 'idempotency-key'] }] });
  });
});

describe('an earlier search', () => {
  it('returns an earlier search by its id, with the fields of the terminal event', async () => {
    const result = await ask(question);
    const record = (await (await app.get(`/v1/search/${result.search_id}`)).json()) as SearchRecord;
    expect(record).toMatchObject({ state: 'completed', status: 'answered', prompt: question.prompt, result });
    expect(record.citations).toEqual(result.citations);
  });

  it('sends the events of an earlier search after any seq, by query or Last-Event-ID', async () => {
    const whole = await readEvents(await app.post('/v1/search', question, { accept: 'text/event-stream' }));
    const { search_id } = whole[0]!;
    for (const after of [0, 1, 5, whole.at(-1)!.seq - 1]) {
      const byQuery = await readEvents(await app.get(`/v1/search/${search_id}/events?after=${after}`));
      const byHeader = await readEvents(
        await app.get(`/v1/search/${search_id}/events`, { 'last-event-id': `${search_id}:${after}` }),
      );
      expectDense(byQuery, after);
      expect(byHeader).toEqual(byQuery);
      expect(stateAfter([...whole.filter(({ seq }) => seq <= after), ...byQuery])).toEqual(stateAfter(whole));
    }
  });

  it('continues after the Last-Event-ID of an EventSource, which repeats the `after` of its URL when it reconnects', async () => {
    const { search_id } = await ask(question);
    const read = async (lastId: string) =>
      readEvents(await app.get(`/v1/search/${search_id}/events?after=2`, { 'last-event-id': lastId }));
    expectDense(await read(`${search_id}:5`), 5);
    expectDense(await read('s_another:5'), 2);
    expectDense(await read(''), 2);
  });

  it('answers 204 once nothing is left of an ended search, on which an EventSource stops', async () => {
    const { search_id } = await ask(question);
    const path = `/v1/search/${search_id}/events`;
    const last = (await readEvents(await app.get(path))).at(-1)!;
    for (const response of [
      await app.get(path, { 'last-event-id': `${search_id}:${last.seq}` }),
      await app.get(`${path}?after=1`, { 'last-event-id': `${search_id}:${last.seq}` }),
      await app.get(`${path}?after=${last.seq}`),
    ]) {
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
    }
  });

  it.each([
    ['?after=x', {}, ['query', 'after']],
    ['?after=99999', {}, ['query', 'after']],
    ['', { 'last-event-id': 'x' }, ['header', 'last-event-id']],
    ['', { 'last-event-id': '99999' }, ['header', 'last-event-id']],
  ])('refuses to send events after an invalid seq: %s', async (query, headers, loc) => {
    const { search_id } = await ask(question);
    const response = await app.get(`/v1/search/${search_id}/events${query}`, headers as Record<string, string>);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc }] });
  });

  it('lists the ended searches, newest first, page by page', async () => {
    const ids: string[] = [];
    for (const prompt of ['First?', 'Second?', 'Third?'])
      ids.unshift((await ask({ prompt }, { 'x-api-key': otherKey })).search_id);
    const headers = { 'x-api-key': otherKey };
    const page = (await (await app.get('/v1/search?limit=2', headers)).json()) as SearchList;
    expect(page.items.map(({ search_id }) => search_id)).toEqual(ids.slice(0, 2));
    expect(page.items[0]).toMatchObject({ prompt: 'Third?', state: 'completed', mode: 'text' });
    const next = (await (await app.get(`/v1/search?limit=100&cursor=${page.cursor}`, headers)).json()) as SearchList;
    expect(next.items[0]!.search_id).toBe(ids[2]);
    expect(next.cursor).toBeUndefined();
  });

  it('lists what the query selects, with the door, key and outcome of each search', async () => {
    const { plaintext, key } = await app.accounts.createKey({ plan: 'starter', name: 'filters' });
    const headers = { 'x-api-key': plaintext };
    const listed = async (query = '') =>
      ((await (await app.get(`/v1/search${query}`, headers)).json()) as SearchList).items;
    await ask({ prompt: 'Who wrote the ÜBER tall tale?' }, headers);
    await (await app.post('/v1/search', { prompt: 'Streamed?' }, { ...headers, accept: 'text/event-stream' })).text();
    const messages = [{ role: 'user', content: 'By a door?' }];
    await (await app.post('/v1/chat/completions', { model: 'citewire', messages }, headers)).text();
    await expect.poll(async () => (await listed()).length).toBe(3);
    const all = await listed();
    expect(all.map(({ channel }) => channel)).toEqual(['openai', 'sse', 'http']);
    for (const { key_id, status } of all) {
      expect(key_id).toBe(key.id);
      expect(['answered', 'partial', 'not_found', 'conflicting']).toContain(status);
    }
    const at = all[1]!.ended_at!;
    const ids = async (query: string) => (await listed(query)).map(({ search_id }) => search_id);
    const [door, stream, plain] = all.map(({ search_id }) => search_id);
    expect(await ids('?channel=sse')).toEqual([stream]);
    expect(await ids('?q=tale%20%C3%BCber')).toEqual([plain]);
    expect(await ids(`?since=${at}`)).toEqual([door, stream]);
    const elsewhere = new Date(Date.parse(at) + 7_200_000).toISOString().replace('Z', '%2B02:00');
    expect(await ids(`?since=${elsewhere}`)).toEqual([door, stream]);
    expect(await ids(`?until=${at}&channel=openai`)).toEqual([]);
    expect(await ids('?outcome=failed')).toEqual([]);
    expect(await ids(`?key_id=${key.id}&limit=1`)).toEqual([door]);
    expect(await ids('?key_id=browser')).toEqual([]);
    expect((await app.get('/v1/search?outcome=lost', headers)).status).toBe(422);
    expect((await app.get('/v1/search?since=yesterday', headers)).status).toBe(422);
  });

  it('answers 429 once the reads of a minute are used up by lists, and charges no calls for them', async () => {
    const { plaintext } = await app.accounts.createKey({ plan: 'starter', name: 'reader' });
    const headers = { 'x-api-key': plaintext };
    const list = (query = '') => app.get(`/v1/search${query}`, headers);
    for (let n = 0; n < plans.starter.reads.limit; n += 1)
      expect((await list(n % 2 === 0 ? '' : '?state=running')).status).toBe(200);
    const refused = await list();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    await expectDocumented('GET /v1/search', refused);
    expect(await (await app.get('/v1/usage', headers)).json()).toMatchObject({ used: 0 });
  });

  it('answers 404 for the search of another account', async () => {
    const { search_id } = await ask(question);
    const headers = { 'x-api-key': otherKey };
    for (const path of [`/v1/search/${search_id}`, `/v1/search/${search_id}/events`]) {
      expect((await app.get(path, headers)).status).toBe(404);
    }
    const cancelled = await fetch(`${app.url}/v1/search/${search_id}`, { method: 'DELETE', headers });
    expect(cancelled.status).toBe(404);
    const client = await connect(app.url, headers);
    client.send({ type: 'search.resume', ref: 'r', search_id, after_seq: 0 });
    expect(await client.next(({ ref }) => ref === 'r')).toMatchObject({ type: 'resume.failed', reason: 'not_found' });
    client.close();
  });

  it('accepts a follow-up to an earlier search', async () => {
    const { search_id } = await ask(question);
    const { status } = await ask({ prompt: 'And how high is it?', previous_search_id: search_id });
    expect(['answered', 'not_found', 'partial']).toContain(status);
    const refused = await app.post('/v1/search', { prompt: 'And?', previous_search_id: 's_unknown' });
    expect(await refused.json()).toMatchObject({ detail: [{ loc: ['body', 'previous_search_id'] }] });
  });

  it('resumes a search on another connection while the first still reads', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => connect(app.url, { 'x-api-key': app.key })));
    const search_id = await one!.start(question);
    two!.send({ type: 'search.resume', ref: 'r', search_id, after_seq: 0 });
    const [first, second] = await Promise.all([one!.search(search_id), two!.search(search_id)]);
    expectLawful(first as SearchFrame[]);
    expect(stateAfter(second)).toEqual(stateAfter(first));
    one!.close();
    two!.close();
  });

  it('cancels a search over HTTP, and changes nothing once it has ended', async () => {
    const { search_id } = await ask(question);
    const headers = { 'x-api-key': app.key };
    const response = await fetch(`${app.url}/v1/search/${search_id}`, { method: 'DELETE', headers });
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ search_id, state: 'completed' });
  });
});
