/** What every keeper of schedules must do: each time goes to one process, and to none while the run before it goes on. */
import { describe, expect, it } from 'vitest';
import type { ScheduleRecord } from '../../src/schedules/schedule-records.ts';
import type { Store } from '../../src/store/store.ts';
import { backgroundRun } from './background-records.ts';

type Kept = Pick<Store, 'background' | 'schedules'>;

export function scheduleRecord(id: string, account_id: string, change: Partial<ScheduleRecord> = {}): ScheduleRecord {
  return {
    id,
    account_id,
    key_id: 'k',
    name: '',
    api_stub: 'facts',
    version: null,
    inputs: '{"a":1}',
    cron: '0 8 * * MON',
    time_zone: 'Europe/Prague',
    webhook: null,
    created_at: '2026-01-01T00:00:00.000Z',
    next_at: '2026-01-05T07:00:00.000Z',
    disabled_at: null,
    disabled_reason: null,
    last_at: null,
    last_search_id: null,
    last_error: null,
    ...change,
  };
}

const [now, until, later] = ['2026-01-05T07:00:01.000Z', '2026-01-05T07:01:00.000Z', '2026-01-05T08:00:00.000Z'];

/** `open` gives a store in which the accounts exist and nothing is kept yet. */
export function describeScheduleRecords(name: string, open: (accounts: string[]) => Promise<Kept>): void {
  describe(`schedules in ${name}`, () => {
    it('shows, changes and removes a schedule for its account alone', async () => {
      const { schedules } = await open(['a', 'b']);
      const schedule = scheduleRecord('s', 'a');
      expect(await schedules.add(schedule, 10)).toBe(true);
      expect(await schedules.list('a')).toEqual([schedule]);
      expect(await schedules.get('b', 's')).toBeUndefined();
      expect(await schedules.change('b', 's', { name: 'x' })).toBeUndefined();
      expect(await schedules.change('a', 's', {})).toEqual(schedule);
      expect(await schedules.change('a', 's', { name: 'x' })).toEqual({ ...schedule, name: 'x' });
      expect(await schedules.remove('b', 's')).toBe(false);
      expect(await schedules.remove('a', 's')).toBe(true);
      expect(await schedules.list('a')).toEqual([]);
    });

    it('adds no more than the limit, when many are added at the same time', async () => {
      const { schedules } = await open(['a']);
      const ids = Array.from({ length: 8 }, (_, n) => `s${n}`);
      const added = await Promise.all(ids.map((id) => schedules.add(scheduleRecord(id, 'a'), 3)));
      expect(added.filter(Boolean)).toHaveLength(3);
    });

    it('gives what is due to one of those that claim it, and back once its lease has run out', async () => {
      const { schedules } = await open(['a']);
      for (const id of ['s1', 's2', 's3']) await schedules.add(scheduleRecord(id, 'a'), 10);
      await schedules.add(scheduleRecord('not yet', 'a', { next_at: later }), 10);
      await schedules.add(scheduleRecord('never', 'a', { next_at: null }), 10);
      const claims = await Promise.all(['p', 'q', 'r'].map((owner) => schedules.claim(owner, now, until, 10)));
      expect(
        claims
          .flat()
          .map(({ id }) => id)
          .sort(),
      ).toEqual(['s1', 's2', 's3']);
      expect(await schedules.claim('p', now, until, 10)).toEqual([]);
      const again = await schedules.claim('q', later, later, 2);
      expect(again).toHaveLength(2);
      // What the earlier owner still does has no effect.
      await schedules.finish('p', again[0]!, { next_at: null });
      expect((await schedules.get('a', again[0]!.id))!.next_at).not.toBeNull();
      await schedules.finish('q', again[0]!, { next_at: later, last_search_id: 'x' });
      expect(await schedules.get('a', again[0]!.id)).toMatchObject({ next_at: later, last_search_id: 'x' });
    });

    it('is not due while its last run has not ended, nor before it is to be tried again', async () => {
      const { background, schedules } = await open(['a']);
      await background.add(backgroundRun('run', 'a'), 'p', 60_000);
      await schedules.add(scheduleRecord('s', 'a', { last_search_id: 'run' }), 10);
      expect(await schedules.claim('p', now, until, 10)).toEqual([]);
      await background.remove('a', 'run');
      const [due] = await schedules.claim('p', now, until, 10);
      await schedules.finish('p', due!, { last_error: 'Busy.', retry_at: until });
      expect(await schedules.claim('p', now, until, 10)).toEqual([]);
      expect(await schedules.claim('p', later, later, 10)).toMatchObject([{ id: 's', last_error: 'Busy.' }]);
    });

    it('ignores what came of a time that was changed meanwhile', async () => {
      const { schedules } = await open(['a']);
      await schedules.add(scheduleRecord('s', 'a'), 10);
      const [due] = await schedules.claim('p', now, until, 10);
      await schedules.change('a', 's', { next_at: later });
      await schedules.finish('p', due!, { next_at: null });
      expect(await schedules.get('a', 's')).toMatchObject({ next_at: later });
    });

    it('stays claimed while its time stays the same, whatever else is changed, and keeps what came of it', async () => {
      const { schedules } = await open(['a']);
      await schedules.add(scheduleRecord('s', 'a'), 10);
      const [due] = await schedules.claim('p', now, until, 10);
      const same = { cron: due!.cron, time_zone: due!.time_zone, disabled_at: null, disabled_reason: null };
      await schedules.change('a', 's', { ...same, name: 'x', inputs: '{"a":2}' });
      await schedules.change('a', 's', { next_at: due!.next_at });
      expect(await schedules.claim('q', now, until, 10)).toEqual([]);
      await schedules.finish('p', due!, { next_at: later, last_search_id: 'run' });
      const whole = { name: 'x', inputs: '{"a":2}', next_at: later, last_search_id: 'run' };
      expect(await schedules.get('a', 's')).toMatchObject(whole);
    });

    it('is no longer claimed once it is disabled, and may be claimed when it is due again', async () => {
      const { schedules } = await open(['a']);
      await schedules.add(scheduleRecord('s', 'a'), 10);
      const [due] = await schedules.claim('p', now, until, 10);
      await schedules.change('a', 's', { disabled_at: now, disabled_reason: 'x', next_at: null });
      await schedules.change('a', 's', { disabled_at: null, disabled_reason: null, next_at: now });
      expect(await schedules.claim('q', now, until, 10)).toHaveLength(1);
      await schedules.finish('p', due!, { next_at: null });
      expect(await schedules.get('a', 's')).toMatchObject({ next_at: now });
    });

    it('gets no time while it is disabled', async () => {
      const { schedules } = await open(['a']);
      const disabled = { disabled_at: now, disabled_reason: 'x', next_at: null };
      await schedules.add(scheduleRecord('s', 'a', disabled), 10);
      const changed = await schedules.change('a', 's', { cron: '@daily', next_at: later });
      expect(changed).toMatchObject({ ...disabled, cron: '@daily' });
      expect(await schedules.claim('p', later, later, 10)).toEqual([]);
    });
  });
}
