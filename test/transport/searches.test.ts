/** Searches looked at again: idempotency keys, reading on, cancelling, the list; always within one account. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchFrame, SearchList, SearchRecord, TextResult } from '../../protocol/index.ts';
import { expectDense, expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { connect } from '../support/clients/ws-client.ts';
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

describe('an idempotency key', () => {
  it('gives the finished search again and costs nothing', async () => {
    const first = await app.post('/v1/search', question, { 'idempotency-key': 'one' });
    const again = await app.post('/v1/search', question, { 'idempotency-key': 'one' });
    expect(await again.json()).toEqual(await first.json());
    expect(again.headers.get('ratelimit')).toBeNull();
    const other = await app.post('/v1/search', question);
    expect(remaining(other)).toBe(remaining(first) - 1);
  });

  it('makes two requests at once one search', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => ask(question, { 'idempotency-key': 'at-once' })));
    expect(new Set(results.map(({ search_id }) => search_id)).size).toBe(1);
  });

  it('refuses another body', async () => {
    await ask(question, { 'idempotency-key': 'two' });
    const response = await app.post('/v1/search', { prompt: 'Another question?' }, { 'idempotency-key': 'two' });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'idempotency_mismatch' } });
  });

  it('means nothing to another account', async () => {
    const mine = await ask(question, { 'idempotency-key': 'three' });
    const theirs = await ask(
      { prompt: 'How high is the tower?' },
      { 'idempotency-key': 'three', 'x-api-key': otherKey },
    );
    expect(theirs.search_id).not.toBe(mine.search_id);
  });

  it('works over the WebSocket, which says so', async () => {
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

  it('is read once by a connection that asks twice with it', async () => {
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

  it('makes nothing free that cannot be answered', async () => {
    const key = (await app.accounts.createKey({ plan: 'starter', name: 'starter' })).plaintext;
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) {
      const headers = { 'x-api-key': key, 'idempotency-key': `none-${n}` };
      statuses.push((await app.post('/v1/search', { prompt: '' }, headers)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
  });

  it('is refused when it could not be a header', async () => {
    const response = await app.post('/v1/search', question, { 'idempotency-key': 'x'.repeat(256) });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['header', 'idempotency-key'] }] });
  });
});

describe('a search that was begun before', () => {
  it('can be read by its id, with what the terminal event said', async () => {
    const result = await ask(question);
    const record = (await (await app.get(`/v1/search/${result.search_id}`)).json()) as SearchRecord;
    expect(record).toMatchObject({ state: 'completed', status: 'answered', prompt: question.prompt, result });
    expect(record.citations).toEqual(result.citations);
  });

  it('gives its events from any seq on, by query or Last-Event-ID', async () => {
    const whole = await readEvents(await app.post('/v1/search', question, { accept: 'text/event-stream' }));
    const { search_id } = whole[0]!;
    for (const after of [0, 1, 5, whole.at(-1)!.seq]) {
      const byQuery = await readEvents(await app.get(`/v1/search/${search_id}/events?after=${after}`));
      const byHeader = await readEvents(
        await app.get(`/v1/search/${search_id}/events`, { 'last-event-id': `${search_id}:${after}` }),
      );
      expectDense(byQuery, after);
      expect(byHeader).toEqual(byQuery);
      expect(stateAfter([...whole.filter(({ seq }) => seq <= after), ...byQuery])).toEqual(stateAfter(whole));
    }
  });

  it.each([
    ['?after=x', {}, ['query', 'after']],
    ['?after=99999', {}, ['query', 'after']],
    ['', { 'last-event-id': 'x' }, ['header', 'last-event-id']],
  ])('refuses a place that is none: %s', async (query, headers, loc) => {
    const { search_id } = await ask(question);
    const response = await app.get(`/v1/search/${search_id}/events${query}`, headers as Record<string, string>);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc }] });
  });

  it('is listed, newest first, page by page', async () => {
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

  it('does not exist for another account', async () => {
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

  it('may be followed up', async () => {
    const { search_id } = await ask(question);
    const { status } = await ask({ prompt: 'And how high is it?', previous_search_id: search_id });
    expect(['answered', 'not_found', 'partial']).toContain(status);
    const refused = await app.post('/v1/search', { prompt: 'And?', previous_search_id: 's_unknown' });
    expect(await refused.json()).toMatchObject({ detail: [{ loc: ['body', 'previous_search_id'] }] });
  });

  it('can be resumed on another connection while the first reads on', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => connect(app.url, { 'x-api-key': app.key })));
    const search_id = await one!.start(question);
    two!.send({ type: 'search.resume', ref: 'r', search_id, after_seq: 0 });
    const [first, second] = await Promise.all([one!.search(search_id), two!.search(search_id)]);
    expectLawful(first as SearchFrame[]);
    expect(stateAfter(second)).toEqual(stateAfter(first));
    one!.close();
    two!.close();
  });

  it('can be cancelled over HTTP; one that has ended stays as it was', async () => {
    const { search_id } = await ask(question);
    const headers = { 'x-api-key': app.key };
    const response = await fetch(`${app.url}/v1/search/${search_id}`, { method: 'DELETE', headers });
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ search_id, state: 'completed' });
  });
});
