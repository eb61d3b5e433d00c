/** What the usage counts is what the list of searches has for the same day, in the real app, however the searches end. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { KeyUsage, SearchList, SearchRecord } from '../../../protocol/index.ts';
import { goodModel, startModelServer } from '../../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';

async function searchesOf(app: TestApp): Promise<SearchRecord[]> {
  const { items } = (await (await app.get('/v1/search?limit=100')).json()) as SearchList;
  return Promise.all(
    items.map(async ({ search_id }) => (await (await app.get(`/v1/search/${search_id}`)).json()) as SearchRecord),
  );
}

/** Searches and tokens by the day on which each search is listed. */
async function listed(app: TestApp) {
  const days: Record<string, { searches: number; input_tokens: number; output_tokens: number }> = {};
  for (const { created_at, usage } of await searchesOf(app)) {
    const day = (days[created_at.slice(0, 10)] ??= { searches: 0, input_tokens: 0, output_tokens: 0 });
    day.searches += 1;
    day.input_tokens += usage?.tokens_in ?? 0;
    day.output_tokens += usage?.tokens_out ?? 0;
  }
  return days;
}

/** Resolves when the search is listed among those that have ended. */
async function ended(app: TestApp, search_id: string): Promise<void> {
  const ids = async () => (await searchesOf(app)).map((each) => each.search_id);
  await expect.poll(ids).toContain(search_id);
}

async function counted(app: TestApp) {
  const { days } = (await (await app.get('/v1/usage')).json()) as KeyUsage;
  return Object.fromEntries(
    days
      .filter(({ searches, input_tokens }) => searches + input_tokens > 0)
      .map(({ day, searches, input_tokens, output_tokens }) => [day, { searches, input_tokens, output_tokens }]),
  );
}

describe('usage', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is that of the listed searches, whether they were answered, found nothing, were stopped or ran in the background', async () => {
    await using model = await startModelServer();
    await using app = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: model.url, MEDIAWIKI_URL: 'off' });
    await app.post('/v1/search', { prompt });
    await app.post('/v1/search', { prompt: 'What is the airspeed of an unladen swallow?' });
    await app.post('/v1/search', { prompt, output_format: { designer: 'string' } });
    await app.post('/v1/chat/completions', { model: 'citewire', messages: [{ role: 'user', content: prompt }] });
    const { search_id } = (await (await app.post('/v1/search', { prompt, background: true })).json()) as SearchRecord;
    await ended(app, search_id);
    model.script = () => new Promise(() => {});
    const waiting = (await (await app.post('/v1/search', { prompt, background: true })).json()) as SearchRecord;
    await fetch(`${app.url}/v1/search/${waiting.search_id}`, { method: 'DELETE', headers: { 'x-api-key': app.key } });
    await ended(app, waiting.search_id);
    const found = await listed(app);
    expect(Object.values(found).reduce((sum, { searches }) => sum + searches, 0)).toBe(6);
    await expect.poll(() => counted(app)).toEqual(found);
  });

  it('counts the tokens of a search on the day on which it is listed, although it ended on the next one', async () => {
    await using model = await startModelServer();
    await using app = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: model.url, MEDIAWIKI_URL: 'off' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-03-01T23:59:58Z') });
    model.script = (call, count) => {
      vi.setSystemTime(Date.parse('2030-03-02T00:00:03Z'));
      return goodModel(call, count);
    };
    expect((await app.post('/v1/search', { prompt })).status).toBe(200);
    const found = await listed(app);
    expect(Object.keys(found)).toEqual(['2030-03-01']);
    expect(found['2030-03-01']!.input_tokens).toBeGreaterThan(0);
    await expect.poll(() => counted(app)).toEqual(found);
  });
});
