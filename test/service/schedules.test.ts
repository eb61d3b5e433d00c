/** Changes of a schedule that overlap with what the scheduler, or somebody else, does to it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/identity.ts';
import type { ScheduleRecord } from '../../src/schedules/schedule-records.ts';
import { createScheduleCalls } from '../../src/service/schedules.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { scheduleRecord } from '../contracts/schedule-records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const caller: Caller = { key_id: 'new', account_id: 'a', plan: 'pro', scopes: [] };
const off = { next_at: null, disabled_at: '2026-01-05T07:00:02.000Z', disabled_reason: 'x' };

describe('a change of a schedule', () => {
  let store: Store;
  let schedules = 0;
  beforeAll(async () => {
    store = await openStore({ dataDir: temporaryFolder() });
    const fixed = { plan: 'pro', status: 'active', status_reason: null } as const;
    await store.access.addAccount({ id: 'a', name: 'a', ...fixed, created_at: '2026-01-01T00:00:00.000Z' });
  });
  afterAll(() => store.close());

  /** Makes a change with this body while `meanwhile` is done after the schedule was read. */
  async function change(
    body: object,
    meanwhile: (id: string) => Promise<unknown>,
    before: Partial<ScheduleRecord> = {},
  ): Promise<ScheduleRecord> {
    const id = `s${++schedules}`;
    await store.schedules.add(scheduleRecord(id, 'a', before), 50);
    const records = {
      ...store.schedules,
      async get(account_id: string, of: string) {
        const found = await store.schedules.get(account_id, of);
        await meanwhile(of);
        return found;
      },
    };
    const calls = createScheduleCalls({
      access: { identify: async () => caller, takeFrom: async () => {} },
      records,
      designs: { buildRun: () => Promise.reject(new Error('not asked for')) },
      webhookOfRun: () => Promise.reject(new Error('not asked for')),
    });
    const { signal } = new AbortController();
    await calls.change({ request_id: 'r', from: caller, signal, onCharged: () => {}, body: async () => body }, id);
    return (await store.schedules.get('a', id))!;
  }

  const disable = (id: string) => store.schedules.change('a', id, off);

  it.each([[{ name: 'renamed' }], [{ cron: '@daily' }], [{ enabled: true }]])(
    'leaves it disabled where it was disabled meanwhile: %j',
    async (body) => {
      expect(await change(body, disable)).toMatchObject(off);
    },
  );

  it('leaves what else was changed meanwhile', async () => {
    const next_at = '2030-01-01T00:00:00.000Z';
    const daily = { cron: '@daily', time_zone: 'UTC', next_at };
    expect(await change({ name: 'x' }, (id) => store.schedules.change('a', id, daily))).toMatchObject({
      ...daily,
      name: 'x',
    });
  });

  it('enables it with the key of the call', async () => {
    const enabled = await change({ enabled: true }, async () => {}, off);
    expect(enabled).toMatchObject({ disabled_at: null, disabled_reason: null, key_id: 'new' });
    expect(enabled.next_at).not.toBeNull();
  });
});
