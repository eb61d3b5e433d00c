/** Quotas by day and month, over real stores and through the app. */
import { afterAll, describe, expect, it } from 'vitest';
import { type KeyUsage, SearchRecord } from '../../../protocol/index.ts';
import { createQuotas } from '../../../src/access/usage/quotas.ts';
import { readConfig } from '../../../src/base/config.ts';
import { ConfigError } from '../../../src/base/settings/config-error.ts';
import { openStore } from '../../../src/store/store.ts';
import { goodModel, startModelServer } from '../../support/servers/model-server.ts';
import { hasPostgres, openPostgresServer } from '../../support/servers/postgres.ts';
import { startTestApp } from '../../support/start-app.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});
const caller = { account_id: 'a', plan: 'starter' } as const;
const fixed = {
  plan: 'starter',
  status: 'active',
  status_reason: null,
  created_at: '2026-01-01T00:00:00.000Z',
} as const;

const stores = [
  { name: 'SQLite', isThere: true, where: async () => ({ dataDir: `${folder}/sqlite` }) },
  {
    name: 'Postgres',
    isThere: hasPostgres,
    async where() {
      const postgres = await openPostgresServer();
      closers.push(() => postgres.stop());
      return { dataDir: '/nowhere', databaseUrl: await postgres.fresh() };
    },
  },
];

describe.each(stores.filter(({ isThere }) => isThere))('quotas over $name', ({ where }) => {
  it('hold exactly over several processes, begin again with the day and the month, and are not used up by what is refused', async () => {
    const at = await where();
    const open = async () => {
      const store = await openStore(at);
      closers.push(() => store.close());
      return store;
    };
    const [one, two] = [await open(), await open()];
    for (const id of ['a', 'b']) await one.access.addAccount({ id, name: id, ...fixed });
    let time = Date.parse('2026-01-30T23:59:00.000Z');
    const limits = { starter: { searches_per_day: 5, searches_per_month: 12, tokens_per_day: 1_000 } };
    const quotas = [one, two].map(({ access }) => createQuotas({ records: access, limits, now: () => time }));
    const takeMany = async () => {
      const taking = Array.from({ length: 20 }, (_, n) => quotas[n % 2]!.take(caller));
      return (await Promise.allSettled(taking)).filter(({ status }) => status === 'fulfilled').length;
    };
    expect(await takeMany()).toBe(5);
    await expect(quotas[0]!.take(caller)).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringContaining('searches_per_day: 5 searches'),
      details: { retry_after_ms: 60_000 },
    });
    // Another account, and a plan without quotas.
    await quotas[0]!.take({ ...caller, account_id: 'b' });
    await quotas[0]!.take({ ...caller, plan: 'pro' });
    time += 86_400_000;
    expect(await takeMany()).toBe(5);
    expect(await quotas[1]!.report(caller)).toMatchObject([
      { name: 'searches_per_day', used: 5, resets_at: '2026-02-01T00:00:00.000Z' },
      { name: 'searches_per_month', used: 10, resets_at: '2026-02-01T00:00:00.000Z' },
      { name: 'tokens_per_day', used: 0 },
    ]);
    time += 86_400_000;
    const untake = await quotas[0]!.take(caller);
    await untake();
    await quotas[1]!.addTokens(caller, 999);
    expect(await quotas[0]!.report(caller)).toMatchObject([{ used: 0 }, { used: 0 }, { used: 999 }]);
    await quotas[0]!.take(caller);
    await quotas[1]!.addTokens(caller, 1);
    await expect(quotas[0]!.take(caller)).rejects.toThrow('tokens_per_day: 1,000 tokens of models');
    expect(await quotas[0]!.hasTokens(caller)).toBe(false);
    expect(await quotas[0]!.hasTokens({ ...caller, account_id: 'b' })).toBe(true);
    expect(await quotas[0]!.report(caller)).toMatchObject([{ used: 1 }, { used: 1 }, { used: 1_000 }]);
    await one.access.forgetQuotas('2026-02-01');
    expect(await quotas[0]!.report(caller)).toMatchObject([{ used: 1 }, { used: 1 }, { used: 1_000 }]);
    const old = ['2026-01-30', '2026-01-31', '2026-01'].map((period) => ({ counter: 'searches', period }) as const);
    expect(await one.access.quotaCounts('a', old)).toEqual([0, 0, 0]);
    await one.access.forgetQuotas('2026-02-02');
    expect(await quotas[0]!.report(caller)).toMatchObject([{ used: 0 }, { used: 1 }, { used: 0 }]);
    for (const each of quotas) await each.close();
  });

  it('are refused by the one that begins again last, where several are used up', async () => {
    const store = await openStore(await where());
    closers.push(() => store.close());
    await store.access.addAccount({ id: 'd', name: 'd', ...fixed });
    const limits = { searches_per_day: 2, searches_per_month: 2, tokens_per_day: 9, tokens_per_month: 90 };
    const now = () => Date.parse('2026-03-02T12:00:00.000Z');
    const quotas = createQuotas({ records: store.access, limits: { starter: limits }, now });
    const other = { ...caller, account_id: 'd' };
    const until = (time: string) => ({ retry_after_ms: Date.parse(time) - now() });
    for (let n = 0; n < 2; n += 1) await quotas.take(other);
    await quotas.addTokens(other, 10);
    await expect(quotas.take(other)).rejects.toMatchObject({
      message: expect.stringContaining('searches_per_month: 2 searches. It resets at 2026-04-01T00:00:00.000Z'),
      details: until('2026-04-01T00:00:00.000Z'),
    });
    await store.access.addAccount({ id: 'e', name: 'e', ...fixed });
    const spender = { ...caller, account_id: 'e' };
    await quotas.addTokens(spender, 10);
    await expect(quotas.take(spender)).rejects.toMatchObject({ details: until('2026-03-03T00:00:00.000Z') });
    await quotas.addTokens(spender, 90);
    await expect(quotas.take(spender)).rejects.toMatchObject({ details: until('2026-04-01T00:00:00.000Z') });
    expect(await quotas.report(spender)).toMatchObject([{ used: 0 }, { used: 0 }, { used: 100 }, { used: 100 }]);
    await quotas.close();
  });

  it('count tokens later that could not be written, and remove old counts', async () => {
    const store = await openStore(await where());
    closers.push(() => store.close());
    await store.access.addAccount({ id: 'c', name: 'c', ...fixed });
    const forgotten: string[] = [];
    let isAway = true;
    const records = {
      ...store.access,
      async addToQuota(...added: Parameters<typeof store.access.addToQuota>) {
        if (isAway) throw new Error('away');
        await store.access.addToQuota(...added);
      },
      forgetQuotas: async (day: string) => void forgotten.push(day),
    };
    const times = { retryMs: 10, firstForgetMs: 10 };
    const now = () => Date.parse('2026-03-02T12:00:00.000Z');
    const quotas = createQuotas({ records, limits: { starter: { tokens_per_day: 1_000 } }, now, times });
    const other = { ...caller, account_id: 'c' };
    await quotas.addTokens(other, 3);
    await quotas.addTokens(other, 4);
    expect(await quotas.report(other)).toMatchObject([{ used: 0 }]);
    isAway = false;
    await expect.poll(() => quotas.report(other)).toMatchObject([{ used: 7 }]);
    isAway = true;
    await quotas.addTokens(other, 1);
    isAway = false;
    await quotas.close();
    expect(await quotas.report(other)).toMatchObject([{ used: 8 }]);
    await expect.poll(() => forgotten).toEqual(['2026-02-28']);
  });
});

describe('a server with quotas and prices', () => {
  it('refuses with a 429 that names the quota, and shows what is used and what it cost', async () => {
    const model = await startModelServer();
    closers.push(() => model.close());
    model.script = goodModel;
    await using app = await startTestApp({
      MODEL: 'scripted',
      OPENAI_BASE_URL: model.url,
      QUOTAS: '{"pro": {"searches_per_day": 1}}',
      MODEL_PRICES: '{"input": 1, "output": 2, "currency": "EUR"}',
    });
    const prompt = 'Who designed the Heron Point Lighthouse?';
    const first = await app.post('/v1/search', { prompt });
    expect(first.status).toBe(200);
    const { search_id, usage } = (await first.json()) as SearchRecord;
    const { tokens_in, tokens_out } = usage!;
    expect(tokens_in).toBeGreaterThan(0);
    const amount = (tokens_in + 2 * tokens_out) / 1_000_000;
    const record = SearchRecord.parse(await (await app.get(`/v1/search/${search_id}`)).json());
    expect(record.cost).toEqual({ amount, currency: 'EUR' });
    const second = await app.post('/v1/search', { prompt });
    expect(second.status).toBe(429);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await second.json()).toMatchObject({
      detail: expect.stringContaining('searches_per_day'),
      error: { code: 'quota_exceeded', retryable: false },
    });
    const shown = (await (await app.get('/v1/usage')).json()) as KeyUsage;
    expect(shown.quotas).toMatchObject([{ name: 'searches_per_day', limit: 1, used: 1 }]);
    expect(shown.cost!.today).toBeCloseTo(amount, 10);
    expect(shown.cost).toMatchObject({ currency: 'EUR', month: shown.cost!.today });
  });

  it('asks no model for titles and further questions of an account that has no tokens left', async () => {
    const model = await startModelServer();
    closers.push(() => model.close());
    await using app = await startTestApp({
      MODEL: 'scripted',
      OPENAI_BASE_URL: model.url,
      QUOTAS: '{"pro": {"tokens_per_day": 1}}',
    });
    const first = await app.post('/v1/search', { prompt: 'Who designed the Heron Point Lighthouse?' });
    const { search_id } = (await first.json()) as SearchRecord;
    await expect
      .poll(async () => ((await (await app.get('/v1/usage')).json()) as KeyUsage).quotas![0]!.used)
      .toBeGreaterThan(1);
    const asked = model.calls.length;
    const content = 'Provide a concise, 5-word-or-less title for the conversation about the lighthouse of Heron Point.';
    const title = await app.post('/v1/chat/completions', { model: 'citewire', messages: [{ role: 'user', content }] });
    expect(title.status).toBe(200);
    const followUps = await app.get(`/v1/search/${search_id}/follow-ups`);
    expect(followUps.status).toBe(200);
    expect(model.calls.length).toBe(asked);
  });

  it.each(['{', '[]', '{"gold": {}}', '{"pro": {"searches_per_day": 0}}', '{"pro": {"searches": 1}}'])(
    'does not start with bad quotas: %s',
    (QUOTAS) => {
      expect(() => readConfig({ QUOTAS })).toThrow(ConfigError);
    },
  );
});
