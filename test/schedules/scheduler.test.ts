/** When the runs of schedules begin, over a real store and with time under the test's control. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/base/errors.ts';
import { nextTime } from '../../src/schedules/cron.ts';
import { createScheduler } from '../../src/schedules/scheduler.ts';
import { openStore } from '../../src/store/store.ts';
import { backgroundRun } from '../contracts/background-records.ts';
import { scheduleRecord } from '../contracts/schedule-records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
let folders = 0;
const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/** A schedule for Mondays at 8 in Prague; `begun` has when and for which time each run began. */
async function start(begin: (count: number) => string = (count) => `s${count}`) {
  const store = await openStore({ dataDir: `${folder}/${++folders}` });
  closers.push(() => store.close());
  const fixed = { plan: 'pro', status: 'active', status_reason: null, created_at: '2026-01-01T00:00:00.000Z' } as const;
  await store.access.addAccount({ id: 'a', name: 'a', ...fixed });
  await store.schedules.add(scheduleRecord('s', 'a'), 10);
  const clock = { time: Date.parse('2026-01-05T06:59:59.000Z') };
  const begun: string[] = [];
  const faults: unknown[] = [];
  const open = () => {
    const scheduler = createScheduler({
      records: store.schedules,
      begin: async ({ next_at }) => {
        begun.push(next_at);
        return begin(begun.length);
      },
      onFault: (error) => faults.push(error),
      now: () => clock.time,
    });
    closers.push(() => scheduler.close());
    return scheduler;
  };
  const schedule = async () => (await store.schedules.get('a', 's'))!;
  const goTo = (time: string) => {
    clock.time = Date.parse(time);
  };
  return { store, scheduler: open(), open, begun, faults, schedule, goTo };
}

describe('the scheduler', () => {
  it('begins a run when it is due, once among all processes', async () => {
    const { scheduler, open, begun, schedule, goTo } = await start();
    const all = [scheduler, open(), open()];
    await Promise.all(all.map((each) => each.run()));
    expect(begun).toEqual([]);
    goTo('2026-01-05T07:00:00.000Z');
    await Promise.all(all.map((each) => each.run()));
    expect(begun).toEqual(['2026-01-05T07:00:00.000Z']);
    expect(await schedule()).toMatchObject({
      next_at: '2026-01-12T07:00:00.000Z',
      last_at: '2026-01-05T07:00:00.000Z',
      last_search_id: 's1',
    });
  });

  it('makes up once what was missed', async () => {
    const { scheduler, begun, schedule, goTo } = await start();
    goTo('2026-02-04T12:00:00.000Z');
    await scheduler.run();
    await scheduler.run();
    expect(begun).toEqual(['2026-01-05T07:00:00.000Z']);
    expect((await schedule()).next_at).toBe('2026-02-09T07:00:00.000Z');
  });

  it('begins no run while the one before it goes on, and makes it up once that has ended', async () => {
    const { store, scheduler, begun, goTo } = await start();
    await store.background.add(backgroundRun('s1', 'a'), 'p', 60_000);
    goTo('2026-01-05T07:00:00.000Z');
    await scheduler.run();
    goTo('2026-01-12T07:00:00.000Z');
    await scheduler.run();
    expect(begun).toHaveLength(1);
    await store.background.remove('a', 's1');
    await scheduler.run();
    expect(begun).toEqual(['2026-01-05T07:00:00.000Z', '2026-01-12T07:00:00.000Z']);
  });

  it('passes over the times at which its account is suspended', async () => {
    let isSuspended = true;
    const { scheduler, begun, schedule, goTo } = await start((count) => {
      if (isSuspended) throw new AppError('forbidden', 'This account is suspended.');
      return `s${count}`;
    });
    goTo('2026-01-05T07:00:00.000Z');
    await scheduler.run();
    expect(await schedule()).toMatchObject({
      last_error: 'This account is suspended.',
      last_search_id: null,
      next_at: '2026-01-12T07:00:00.000Z',
      disabled_at: null,
    });
    isSuspended = false;
    goTo('2026-01-08T00:00:00.000Z');
    await scheduler.run();
    expect(begun).toHaveLength(1);
    goTo('2026-01-12T07:00:00.000Z');
    await scheduler.run();
    expect(await schedule()).toMatchObject({ last_error: null, last_search_id: 's2' });
  });

  it('ends with the key that made it', async () => {
    const { scheduler, schedule, goTo } = await start(() => {
      throw new AppError('unauthorized', 'The key is invalid.');
    });
    goTo('2026-01-05T07:00:00.000Z');
    await scheduler.run();
    expect(await schedule()).toMatchObject({ next_at: null, disabled_reason: 'The key that made it was revoked.' });
  });

  it('tries again soon where the server had no room, and reports faults', async () => {
    const failures: Error[] = [new AppError('too_many_searches', 'Busy.'), new TypeError('a fault')];
    const { scheduler, begun, faults, schedule, goTo } = await start(() => {
      throw failures.shift();
    });
    goTo('2026-01-05T07:00:00.000Z');
    await scheduler.run();
    await scheduler.run();
    expect(begun).toHaveLength(1);
    expect(await schedule()).toMatchObject({ next_at: '2026-01-05T07:00:00.000Z', last_error: 'Busy.' });
    goTo('2026-01-05T07:00:16.000Z');
    await scheduler.run();
    expect(await schedule()).toMatchObject({
      next_at: '2026-01-12T07:00:00.000Z',
      last_error: 'Internal error; see the server log.',
    });
    expect(faults).toEqual([new TypeError('a fault')]);
  });
});

describe('a cron expression', () => {
  const next = (cron: string, zone: string, from: string) => {
    const time = nextTime(cron, zone, Date.parse(from));
    return time === undefined ? undefined : new Date(time).toISOString();
  };

  it.each([
    ['0 8 * * MON', 'Europe/Prague', '2026-03-23T12:00:00Z', '2026-03-30T06:00:00.000Z'],
    ['0 8 * * MON', 'Europe/Prague', '2026-10-20T12:00:00Z', '2026-10-26T07:00:00.000Z'],
    ['0 9 1 * *', 'America/New_York', '2026-02-01T20:00:00Z', '2026-03-01T14:00:00.000Z'],
    ['*/15 * * * *', 'UTC', '2026-01-01T00:07:00Z', '2026-01-01T00:15:00.000Z'],
    ['@daily', 'Asia/Kolkata', '2026-01-01T00:00:00Z', '2026-01-01T18:30:00.000Z'],
    ['0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('follows the clocks of its zone: %s in %s', (cron, zone, from, expected) => {
    expect(next(cron, zone, from)).toBe(expected);
  });

  it('happens once on the day on which an hour is skipped, and on the one on which it is repeated', () => {
    expect(next('30 2 * * *', 'Europe/Prague', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    const first = next('30 2 * * *', 'Europe/Prague', '2026-10-24T12:00:00Z')!;
    expect(first).toBe('2026-10-25T00:30:00.000Z');
    expect(next('30 2 * * *', 'Europe/Prague', first)).toBe('2026-10-26T01:30:00.000Z');
  });

  it('is never due on a day that does not come', () => {
    expect(next('0 0 30 2 *', 'UTC', '2026-01-01T00:00:00Z')).toBeUndefined();
  });

  it('is due on the rarest of days', () => {
    // 2100 has no 29 February, so 40 years lie between.
    expect(next('0 0 29 2 +MON', 'UTC', '2072-03-01T00:00:00Z')).toBe('2112-02-29T00:00:00.000Z');
  });

  it.each(['0 0 30 2 *', '0 0 31W 2 *', '0 0 30 2 +MON', '0 0 31 2,4,6,9,11 *', '0 0 29 2 +MON'])(
    'is looked for in decades, not in thousands of years: %s',
    (cron) => {
      const dates = vi.spyOn(Date, 'UTC');
      try {
        next(cron, 'Europe/Prague', '2026-01-01T00:00:00Z');
        // Each day that is looked at is a date or two; until the year 10,000 these lines take up to 37,000.
        expect(dates.mock.calls.length).toBeLessThan(5_000);
      } finally {
        dates.mockRestore();
      }
    },
  );

  it.each([
    ['* * * * * *', 'UTC', 'five fields'],
    ['2026-12-01T00:00:00', 'UTC', 'five fields'],
    ['61 * * * *', 'UTC', 'a cron expression'],
    ['@reboot', 'UTC', 'five fields'],
    ['', 'UTC', 'five fields'],
    ['0 8 * * MON', 'Mars/Olympus', 'an IANA time zone'],
  ])('is refused if it is invalid: %s in %s', (cron, zone, message) => {
    expect(() => nextTime(cron, zone, 0)).toThrow(message);
  });
});
