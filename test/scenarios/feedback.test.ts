/** Ratings of answers and citations: a labelled set that belongs to an account. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FeedbackList, TextResult } from '../../protocol/index.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';

describe('feedback', () => {
  let app: TestApp;
  let result: TextResult;
  beforeAll(async () => {
    app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    result = (await (await app.post('/v1/search', { prompt })).json()) as TextResult;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const rate = (body: object, search_id = result.search_id, headers = {}) =>
    app.post(`/v1/search/${search_id}/feedback`, body, headers);
  const list = async (query = '', headers = {}) =>
    (await (await app.get(`/v1/feedback${query}`, headers)).json()) as FeedbackList;

  it('is kept with what was rated', async () => {
    const [citation] = result.citations;
    const { id: citation_id, quote, url, snapshot, source_start, source_end, start, end } = citation!;
    expect((await rate({ rating: 'up' })).status).toBe(200);
    const given = await rate({ rating: 'down', citation_id, comment: 'It says otherwise.' });
    expect(await given.json()).toEqual({ search_id: result.search_id, citation_id, rating: 'down' });
    const about = { search_id: result.search_id, question: prompt, models: ['extractive'], status: 'answered' };
    const rated_at = expect.any(String);
    expect((await list()).items).toEqual([
      {
        ...about,
        rated_at,
        citation_id,
        rating: 'down',
        comment: 'It says otherwise.',
        text: result.answer.slice(start, end),
        ...{ quote, url, snapshot, source_start, source_end },
        ...(citation!.verdict === undefined ? {} : { verdict: citation!.verdict }),
      },
      { ...about, rated_at, rating: 'up', text: result.answer },
    ]);
  });

  it('is taken back with none', async () => {
    await rate({ rating: 'up' });
    await rate({ rating: 'none' });
    const { items } = await list(`?search_id=${result.search_id}`);
    expect(items.filter(({ citation_id }) => citation_id === undefined)).toEqual([]);
  });

  it('names the field of a structured answer, and its value', async () => {
    const output_format = { designer: 'string' };
    const search = await app.post('/v1/search', { prompt, output_format, include: ['evidence'] });
    const { search_id, citations } = (await search.json()) as TextResult;
    await rate({ rating: 'up', citation_id: citations[0]!.id }, search_id);
    expect((await list(`?search_id=${search_id}`)).items[0]?.text).toBe('/designer: "Ingrid Solvay"');
  });

  it('is refused for an unknown citation, and for a search of another account or none', async () => {
    const refused = await rate({ rating: 'up', citation_id: 'c_none' });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('expected a citation of this search');
    expect((await rate({ rating: 'maybe' })).status).toBe(422);
    expect((await rate({ rating: 'up' }, 's_none')).status).toBe(404);
    const stranger = { 'x-api-key': (await app.accounts.createKey({ name: 'stranger', plan: 'pro' })).plaintext };
    expect((await rate({ rating: 'up' }, result.search_id, stranger)).status).toBe(404);
    expect((await list('', stranger)).items).toEqual([]);
  });

  it('is refused while the search runs', async () => {
    const started = await app.post('/v1/search', { prompt, background: true });
    const { search_id } = (await started.json()) as { search_id: string };
    const early = await rate({ rating: 'up' }, search_id);
    // It may have ended already.
    expect([200, 422]).toContain(early.status);
    await expect.poll(async () => (await rate({ rating: 'up' }, search_id)).status).toBe(200);
  });

  it('is removed with its search', async () => {
    const { search_id } = (await (await app.post('/v1/search', { prompt })).json()) as TextResult;
    await rate({ rating: 'up' }, search_id);
    expect((await list(`?search_id=${search_id}`)).items).toHaveLength(1);
    await fetch(`${app.url}/v1/search/${search_id}/record`, { method: 'DELETE', headers: { 'x-api-key': app.key } });
    expect((await list(`?search_id=${search_id}`)).items).toEqual([]);
  });
});
