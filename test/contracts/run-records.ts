/** What every keeper of ended searches must do, whatever it keeps them in. */

import { describe, expect, it } from 'vitest';
import { noUsage, type TerminalEvent } from '../../protocol/index.ts';
import type { RunFilter, RunRecord, RunRecords } from '../../src/runs/records/run-records.ts';
import { createDeferred } from '../support/deferred.ts';

/** Of a search that was cancelled now. */
export function runRecord(search_id: string, account_id: string, change: Partial<RunRecord> = {}): RunRecord {
  const ended_at = new Date().toISOString();
  const terminal = { type: 'search.cancelled' as const, by: 'client' as const, usage: noUsage };
  const prompts = ['first "prompt"', 'second — ünïcode \u{1f600}'];
  const fixed = {
    created_at: ended_at,
    ended_at,
    state: 'cancelled',
    mode: 'text',
    door: 'native',
    engine: 'test',
  } as const;
  return { search_id, account_id, ...fixed, prompts, terminal, idempotency: undefined, ...change };
}

/** `open` gives records in which the accounts exist and nothing is kept yet. */
export function describeRunRecords(name: string, open: (accounts: string[]) => Promise<RunRecords>): void {
  describe(`ended searches in ${name}`, () => {
    it('returns a record as it was saved, and only to its account', async () => {
      const records = await open(['a', 'b']);
      const step = { type: 'step.started', step_id: 'st1', kind: 'plan', title: 'Planning' } as const;
      const steps = [{ at: '2026-01-02T03:04:05.678Z', event: step }];
      const kept = runRecord('s1', 'a', { idempotency: { key: 'k', hash: 'h' }, steps, echoed: { a: ['ü'] } });
      await records.save(kept);
      expect(await records.get('a', 's1')).toEqual(kept);
      expect(await records.get('b', 's1')).toBeUndefined();
      expect(await records.get('a', 's2')).toBeUndefined();
    });

    it('keeps the first of two records of one search', async () => {
      const records = await open(['a']);
      await records.save(runRecord('s1', 'a', { engine: 'first' }));
      await records.save(runRecord('s1', 'a', { engine: 'second' }));
      expect(await records.get('a', 's1')).toMatchObject({ engine: 'first' });
    });

    it('says which state it has of a search that was saved with another one', async () => {
      const records = await open(['a']);
      const save = (state: RunRecord['state'], id = 's1') => records.save(runRecord(id, 'a', { state }));
      expect(await save('failed')).toBeUndefined();
      expect(await Promise.all([save('completed'), save('failed'), save('completed', 's2')])).toEqual([
        'failed',
        undefined,
        undefined,
      ]);
      await records.remove('a', 's1');
      expect(await save('completed')).toBeUndefined();
    });

    it('finds the newest record of an idempotency key within a day and an account', async () => {
      const records = await open(['a', 'b']);
      const idempotency = { key: 'k', hash: 'h' };
      const old = new Date(Date.now() - 25 * 3_600_000).toISOString();
      await records.save(runRecord('s0', 'a', { idempotency, ended_at: old }));
      expect(await records.byIdempotencyKey('a', 'k')).toBeUndefined();
      await records.save(runRecord('s1', 'a', { idempotency, ended_at: new Date(Date.now() - 1000).toISOString() }));
      await records.save(runRecord('s2', 'a', { idempotency }));
      expect(await records.byIdempotencyKey('a', 'k')).toMatchObject({ search_id: 's2', idempotency });
      expect(await records.byIdempotencyKey('b', 'k')).toBeUndefined();
      expect(await records.byIdempotencyKey('a', 'other')).toBeUndefined();
    });

    it("lists an account's searches newest first, in pages that neither repeat nor skip any", async () => {
      const records = await open(['a', 'b']);
      const ids = Array.from({ length: 23 }, (_, i) => `s${String(i).padStart(2, '0')}`);
      for (const [i, id] of ids.entries()) {
        // Some end within the same millisecond.
        const ended_at = new Date(1_700_000_000_000 + Math.floor(i / 3)).toISOString();
        await records.save(runRecord(id, i % 11 === 10 ? 'b' : 'a', { ended_at }));
      }
      const expected = ids.filter((_, i) => i % 11 !== 10).reverse();
      const listed: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await records.list('a', { cursor, limit: 4 });
        expect(page.items.length).toBeLessThanOrEqual(4);
        listed.push(...page.items.map(({ search_id }) => search_id));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(listed).toEqual(expected);
    });

    it('lists what a filter selects: by outcome, key, channel, time and the words of the prompt', async () => {
      const records = await open(['a', 'b']);
      const answered = {
        type: 'search.completed',
        status: 'answered',
        result: {},
        usage: noUsage,
      } as unknown as TerminalEvent;
      const error = { code: 'lost', message: '', retryable: true, request_id: 'r' } as const;
      const failed = { type: 'search.failed', error, usage: noUsage } as unknown as TerminalEvent;
      const at = (day: number) => ({ ended_at: `2026-01-0${day}T00:00:00.000Z` });
      await records.save(
        runRecord('s1', 'a', {
          ...{ ...at(1), state: 'completed', terminal: answered, key_id: 'k1', channel: 'sse' },
          prompts: ['Earlier', 'How tall is the ÄRMEL 100%_tower?'],
        }),
      );
      await records.save(runRecord('s2', 'a', { ...at(2), state: 'failed', terminal: failed, key_id: 'k2' }));
      await records.save(runRecord('s3', 'a', { ...at(3), channel: 'sse' }));
      await records.save(runRecord('s4', 'b', { ...at(3), channel: 'sse' }));
      const listed = async (filter: RunFilter) => {
        const { items } = await records.list('a', { cursor: undefined, limit: 10, ...filter });
        return items.map(({ search_id }) => search_id);
      };
      expect(await listed({})).toEqual(['s3', 's2', 's1']);
      expect(await listed({ outcome: 'answered' })).toEqual(['s1']);
      expect(await listed({ outcome: 'failed' })).toEqual(['s2']);
      expect(await listed({ outcome: 'cancelled' })).toEqual(['s3']);
      expect(await listed({ outcome: 'not_found' })).toEqual([]);
      expect(await listed({ key_id: 'k1' })).toEqual(['s1']);
      expect(await listed({ channel: 'sse' })).toEqual(['s3', 's1']);
      expect(await listed({ since: at(2).ended_at })).toEqual(['s3', 's2']);
      expect(await listed({ until: at(2).ended_at })).toEqual(['s1']);
      expect(await listed({ words: ['tall', 'ärmel', '100%_'] })).toEqual(['s1']);
      expect(await listed({ words: ['earlier'] })).toEqual([]);
      expect(await listed({ words: ['1000_'] })).toEqual([]);
      const { items } = await records.list('a', { cursor: undefined, limit: 10 });
      expect(items[1]).toMatchObject({ error_code: 'lost', key_id: 'k2' });
      expect(items[2]).toMatchObject({ status: 'answered', channel: 'sse', key_id: 'k1' });
      await records.remove('a', 's1');
      expect(await listed({ words: ['tall'] })).toEqual([]);
      expect(await records.get('a', 's3')).toMatchObject({ channel: 'sse' });
    });

    it('refuses an invalid cursor', async () => {
      const records = await open(['a']);
      await expect(records.list('a', { cursor: 'nonsense', limit: 10 })).rejects.toMatchObject({
        code: 'validation_error',
      });
    });

    it('removes searches that ended before a time, in all accounts, oldest first and up to a limit', async () => {
      const records = await open(['a', 'b']);
      const end = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
      for (const day of [3, 1, 2, 4, 5]) {
        await records.save(runRecord(`s${day}`, day === 2 ? 'b' : 'a', { ended_at: end(day) }));
      }
      const kept = async () => {
        const all = ['s1', 's2', 's3', 's4', 's5'].map(async (id) => [
          await records.get('a', id),
          await records.get('b', id),
        ]);
        return (await Promise.all(all)).flat().flatMap((record) => record?.search_id ?? []);
      };
      expect(await records.removeBefore(end(1), 2)).toBe(false);
      expect(await records.removeBefore(end(4), 2)).toBe(true);
      expect(await kept()).toEqual(['s3', 's4', 's5']);
      expect(await records.removeBefore(end(4), 2)).toBe(false);
      expect(await kept()).toEqual(['s4', 's5']);
    });

    it('removes no more than the limit of searches that ended at the same time, and all of them in two rounds together', async () => {
      const records = await open(['a']);
      const ended_at = '2026-01-01T00:00:00.000Z';
      const ids = Array.from({ length: 25 }, (_, i) => `s${i}`);
      await Promise.all(ids.map((id) => records.save(runRecord(id, 'a', { ended_at }))));
      const left = async () => (await records.list('a', { cursor: undefined, limit: 100 })).items.length;
      expect(await records.removeBefore('2026-01-02T00:00:00.000Z', 4)).toBe(true);
      expect(await left()).toBe(21);
      const round = async () => {
        while (await records.removeBefore('2026-01-02T00:00:00.000Z', 4));
      };
      await Promise.all([round(), round()]);
      expect(await left()).toBe(0);
    });

    it('removes a search, which is then found nowhere and cannot be saved again', async () => {
      const records = await open(['a', 'b']);
      const idempotency = { key: 'k', hash: 'h' };
      const removed = runRecord('s1', 'a', { idempotency });
      await records.save(removed);
      await records.save(runRecord('s2', 'a'));
      await records.remove('b', 's1');
      expect(await records.get('a', 's1')).toEqual(removed);
      await records.remove('a', 's1');
      // A process that thought its owner dead may record it late.
      await records.save(removed);
      await records.remove('a', 's1');
      expect(await records.get('a', 's1')).toBeUndefined();
      expect(await records.byIdempotencyKey('a', 'k')).toBeUndefined();
      const { items } = await records.list('a', { cursor: undefined, limit: 10 });
      expect(items.map(({ search_id }) => search_id)).toEqual(['s2']);
      await records.remove('a', 's3');
      await records.save(runRecord('s3', 'a'));
      expect(await records.get('a', 's3')).toBeUndefined();
    });

    it('remembers the last search of a chat, for its account alone', async () => {
      const records = await open(['a', 'b']);
      await records.continueChat('a', 'chat "1"', 's1');
      await records.continueChat('b', 'chat "1"', 's2');
      await records.continueChat('a', 'chat "1"', 's3');
      expect(await records.lastOfChat('a', 'chat "1"')).toBe('s3');
      expect(await records.lastOfChat('b', 'chat "1"')).toBe('s2');
      expect(await records.lastOfChat('a', 'chat')).toBeUndefined();
    });

    it('removes chats that were not continued since a time, together with the searches', async () => {
      const records = await open(['a']);
      await records.continueChat('a', 'c', 's1');
      await records.removeBefore('2026-01-01T00:00:00.000Z', 10);
      expect(await records.lastOfChat('a', 'c')).toBe('s1');
      await records.removeBefore('9999-01-01T00:00:00.000Z', 10);
      expect(await records.lastOfChat('a', 'c')).toBeUndefined();
    });

    it('writes nothing of a search before it may', async () => {
      const records = await open(['a']);
      const { promise: after, resolve: release } = createDeferred();
      const saving = records.save(runRecord('s1', 'a'), after);
      // Enough for what it does before.
      for (let n = 0; n < 20; n += 1) expect(await records.get('a', 's1')).toBeUndefined();
      release();
      await saving;
      expect(await records.get('a', 's1')).toMatchObject({ search_id: 's1' });
    });

    it('saves all of many searches that end simultaneously', async () => {
      const records = await open(['a']);
      await Promise.all(Array.from({ length: 500 }, (_, i) => records.save(runRecord(`s${i}`, 'a'))));
      expect((await records.list('a', { cursor: undefined, limit: 1000 })).items).toHaveLength(500);
    });
  });
}
