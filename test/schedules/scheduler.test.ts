/** When the runs of schedules begin, over a real store and with time under the test's control. */
import { afterAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.ts';
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

  it('runs again at the next time of its cron once a clock that was ahead is right', async () => {
    const { scheduler, begun, schedule, goTo } = await start();
    goTo('2028-01-05T07:00:00.000Z');
    await scheduler.run();
    expect((await schedule()).next_at).toBe('2028-01-10T07:00:00.000Z');
    goTo('2026-01-06T07:00:00.000Z');
    await scheduler.run();
    expect((await schedule()).next_at).toBe('2026-01-12T07:00:00.000Z');
    expect(begun).toHaveLength(1);
    goTo('2026-01-12T07:00:00.000Z');
    await scheduler.run();
    expect(begun).toHaveLength(2);
  });

  it('begins once what is due, though the clock of another server is some minutes or hours slow', async () => {
    const { scheduler, begun, schedule, goTo } = await start();
    goTo('2026-01-05T07:00:00.000Z');
    await scheduler.run();
    for (const slow of ['2026-01-05T06:50:00.000Z', '2026-01-04T22:00:00.000Z']) {
      goTo(slow);
      await scheduler.run();
      expect((await schedule()).next_at).toBe('2026-01-12T07:00:00.000Z');
    }
    goTo('2026-01-05T07:00:05.000Z');
    await scheduler.run();
    expect(begun).toHaveLength(1);
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
