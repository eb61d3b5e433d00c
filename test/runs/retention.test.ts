/** Old searches go, and their pages with them: never the pages first. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Refusal } from '../../protocol/index.ts';
import { type OpenCorpus, openCorpus } from '../../src/corpus/corpus.ts';
import { createRetention } from '../../src/runs/retention.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { runRecord } from '../contracts/run-records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const keepDays = 10;
const day = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
let folders = 0;
let store: Store;
let corpus: OpenCorpus;

beforeEach(async () => {
  const dataDir = `${folder}/${++folders}`;
  store = await openStore({ dataDir });
  // Room for a few small pages; beyond twice as much no search under way is waited for.
  corpus = await openCorpus({ file: `${dataDir}/index.db`, bounds: { maxBytes: 100 } });
  const account = { plan: 'pro', status: 'active', status_reason: null, created_at: '2026' } as const;
  await store.access.addAccount({ id: 'a', name: 'a', ...account });
});
afterEach(async () => {
  await corpus.close();
  await store.close();
});

function open(changed: Partial<Parameters<typeof createRetention>[0]> = {}) {
  const onFault = (error: unknown) => {
    throw error;
  };
  return createRetention({
    keepDays,
    records: store.runs,
    threads: store.threads,
    refusals: store.access,
    cited: corpus,
    batchSize: 2,
    onFault,
    ...changed,
  });
}

/** A search that ended `days` days ago and cites these pages. */
async function keep(search_id: string, days: number, pages: readonly string[]): Promise<void> {
  const ended_at = daysAgo(days);
  await corpus.pin(search_id, pages, ended_at);
  await store.runs.save(runRecord(search_id, 'a', { ended_at }));
}

/** Retention with a clock that can be set, and what it doubted. */
function withClock(changed: Parameters<typeof open>[0] = {}) {
  const clock = { ahead: 0, elapsed: 0 };
  const doubted: [expected: number, waitMs: number][] = [];
  const retention = open({
    now: () => Date.now() + clock.ahead + clock.elapsed,
    elapsed: () => clock.elapsed,
    onDoubt: (...doubt) => doubted.push(doubt),
    ...changed,
  });
  return { clock, doubted, retention };
}

const put = (n: number, text = 'page') => corpus.putSnapshot({ url: `http://a.example/${n}`, title: 't', text });
const searches = async () =>
  (await store.runs.list('a', { cursor: undefined, limit: 100 })).items.map(({ search_id }) => search_id);

/** Which of these are still there once others have come: a page that nobody needs has gone by then. */
async function left(pages: readonly string[]): Promise<string[]> {
  for (let n = 100; n < 110; n++) await put(n, 'another page '.repeat(10));
  const found = await Promise.all(pages.map((id) => corpus.snapshot(id, new AbortController().signal)));
  return found.flatMap((page) => page?.id ?? []);
}

describe('retention', () => {
  it('removes no search without a number of days, but still what nothing needs', async () => {
    const pages = [await put(1), await put(2)];
    await keep('s_old', 10_000, pages);
    const asked: string[] = [];
    const unpinBefore = (ended_at: string, limit: number) => {
      asked.push(ended_at);
      return corpus.unpinBefore(ended_at, limit);
    };
    const retention = open({ keepDays: undefined, cited: { unpinBefore } });
    await retention.round();
    await retention.close();
    expect(asked).toEqual(['']);
    expect(await searches()).toEqual(['s_old']);
    expect(await left(pages)).toEqual(pages);
  });

  it('removes old searches in small steps, with the pages that no newer search cites', async () => {
    const [only, shared, young] = await Promise.all([put(1), put(2), put(3)]);
    for (const n of [1, 2, 3, 4, 5]) await keep(`old${n}`, keepDays + n, [only, shared]);
    await keep('young', keepDays - 1, [shared, young]);
    const retention = open();
    await retention.round();
    expect(await searches()).toEqual(['young']);
    expect(await left([only, shared, young])).toEqual([shared, young]);
    await retention.close();
  });

  it('keeps every page of a remaining search when the process dies between removing records and pins', async () => {
    const page = await put(1);
    await keep('old', keepDays + 1, [page]);
    const dying = open({ cited: { unpinBefore: () => Promise.reject(new Error('killed')) } });
    await expect(dying.round()).rejects.toThrow('killed');
    await dying.close();
    expect(await searches()).toEqual([]);
    expect(await left([page])).toEqual([page]);
    const next = open();
    await next.round();
    expect(await left([page])).toEqual([]);
    await next.close();
  });

  it('keeps the pages of old searches while the store cannot remove their records', async () => {
    const page = await put(1);
    await keep('old', keepDays + 1, [page]);
    const retention = open({ records: { ...store.runs, removeBefore: () => Promise.reject(new Error('away')) } });
    await expect(retention.round()).rejects.toThrow('away');
    expect(await searches()).toEqual(['old']);
    expect(await left([page])).toEqual([page]);
    await retention.close();
  });

  it('removes old refusals', async () => {
    const row = { id: 'k', account_id: 'a', name: 'k', scopes: [], secret_hash: 'h', created_at: '2026' };
    await store.access.addKey({ ...row, last_used_at: null, revoked_at: null }, { max: 10, except: '' });
    const refusal = { key_id: 'k', method: 'GET', path: '/', status: 403, code: 'forbidden', message: 'No.' };
    const refused = [keepDays + 1, keepDays + 2, keepDays + 3, keepDays - 1].map((days) => ({
      ...refusal,
      at: daysAgo(days),
      request_id: `r${days}`,
    }));
    await store.access.addRefusals(refused as Refusal[], 500);
    const retention = open();
    await retention.round();
    const { items } = await store.access.refusals('a', { cursor: undefined, limit: 10 });
    expect(items.map(({ request_id }) => request_id)).toEqual([`r${keepDays - 1}`]);
    await retention.close();
  });

  it('removes nothing for a day where the clock leaps while it runs', async () => {
    await keep('yesterday', 1, []);
    const { clock, doubted, retention } = withClock();
    await retention.cautiousRound();
    clock.ahead = 300 * day;
    await retention.cautiousRound();
    clock.elapsed += day / 2;
    await retention.cautiousRound();
    expect(await searches()).toEqual(['yesterday']);
    // It is corrected, and is wrong again later.
    clock.ahead = 0;
    await retention.cautiousRound();
    clock.ahead = 300 * day;
    await retention.cautiousRound();
    expect(await searches()).toEqual(['yesterday']);
    expect(doubted.map(([, wait]) => wait)).toEqual([day, day]);
    clock.elapsed += day;
    await retention.cautiousRound();
    expect(await searches()).toEqual([]);
    await retention.close();
  });

  it('waits for the next round where it starts with a clock that may be far ahead', async () => {
    await keep('yesterday', 1, []);
    const { clock, doubted, retention } = withClock();
    clock.ahead = 300 * day;
    await retention.cautiousRound();
    expect(await searches()).toEqual(['yesterday']);
    expect(doubted).toEqual([[Date.parse((await store.runs.newestEnd())!), 1_800_000]]);
    // Corrected in time, it is believed; the next start with it is doubted for no longer than until its second round.
    clock.ahead = 0;
    await retention.cautiousRound();
    expect(await searches()).toEqual(['yesterday']);
    await retention.close();
    const next = withClock();
    next.clock.ahead = 300 * day;
    await next.retention.cautiousRound();
    expect(await searches()).toEqual(['yesterday']);
    next.clock.elapsed += day / 24;
    await next.retention.cautiousRound();
    expect(await searches()).toEqual([]);
    await next.retention.close();
  });

  it.each([1, 10, 90])(
    'keeps searches for %i day(s) on a machine that nobody asks and that is off each night',
    async (days) => {
      await keep('only', 0, []);
      const warned: unknown[] = [];
      let removedAfter: number | undefined;
      for (let n = 0; n <= days + 1; n++) {
        const { clock, doubted, retention } = withClock({ keepDays: days });
        clock.ahead = n * day;
        for (let hour = 0; hour < 12; hour += 4, clock.elapsed += day / 6) {
          await retention.cautiousRound();
          if ((await searches()).length === 0) removedAfter ??= n + hour / 24;
        }
        warned.push(...doubted);
        await retention.close();
      }
      expect(removedAfter).toBeGreaterThanOrEqual(days);
      expect(removedAfter).toBeLessThan(days + 1);
      expect(warned).toEqual([]);
    },
  );

  it('removes what became old while the machine was off for months, on the day when it starts', async () => {
    await keep('only', 200, []);
    const { clock, retention } = withClock();
    await retention.cautiousRound();
    expect(await searches()).toEqual(['only']);
    clock.elapsed += day / 24;
    await retention.cautiousRound();
    expect(await searches()).toEqual([]);
    await retention.close();
  });

  it('stops in the middle of a round when the server shuts down', async () => {
    let steps = 0;
    const endless = async () => {
      steps += 1;
      return true;
    };
    const retention = open({ records: { ...store.runs, removeBefore: endless } });
    const going = retention.round();
    await retention.close();
    await going;
    expect(steps).toBeLessThan(5);
  });
});
