/**
 * What holds for runs, whichever process they are asked of: `home` is where they run, `away` is where somebody asks for
 * them. Alone, a process is both.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchEvent } from '../../protocol/index.ts';
import { AppError } from '../../src/base/errors.ts';
import type { Registry } from '../../src/runs/registry.ts';
import type { Run } from '../../src/runs/run.ts';
import { accountOf, readFrames, startScriptedRun } from '../support/scripted-run.ts';
import { expectDense, expectLawful, stateAfter } from './search-laws.ts';

export interface ProcessesUnderTest {
  readonly home: Registry;
  readonly away: Registry;
  close(): Promise<void>;
}

const { account_id, other } = accountOf;
const begun = (step_id: string): SearchEvent => ({ type: 'step.started', step_id, kind: 'read', title: 'A page' });

export function sharedRunLaws(name: string, open: () => Promise<ProcessesUnderTest>): void {
  describe(`runs over ${name}`, () => {
    let home: Registry;
    let away: Registry;
    let close: () => Promise<void>;
    let names = 0;
    const freshKey = () => ({ key: `${name} ${++names}`, hash: 'h' });

    beforeAll(async () => {
      ({ home, away, close } = await open());
    });
    afterAll(() => close());

    async function found(search_id: string, from = away): Promise<Run> {
      let run: Run | undefined;
      await expect.poll(async () => (run = (await from.find(account_id, search_id)).run)).toBeDefined();
      return run!;
    }

    it('streams a run to a reader in another process, to the same end', async () => {
      const { run, say, give, complete } = await startScriptedRun(home);
      const there = await found(run.search_id);
      expect(there.state()).toBe('running');
      expect(there).toMatchObject({ search_id: run.search_id, account_id, prompts: run.prompts });
      expect(there.created_at).toBe(run.created_at);
      const leave = away.attach(there);
      for (const text of ['One ', 'two ', 'three.']) await say(text);
      await expect.poll(() => there.log.head()).toBe(4);
      await give({ type: 'warning', code: 'x', message: 'y' });
      await complete();
      expect(await there.done).toEqual(await run.done);
      expectLawful(readFrames(there.log));
      expect(stateAfter(readFrames(there.log))).toEqual(stateAfter(readFrames(run.log)));
      expect(there.state()).toBe('completed');
      leave();
    });

    it('resumes after any sequence number that the other process sent', async () => {
      const { run, say, give, complete } = await startScriptedRun(home);
      const singly: ReturnType<typeof readFrames> = [];
      const keep = async (given: Promise<void>) => {
        await given;
        singly.push(...readFrames(run.log, singly.at(-1)?.seq ?? 0));
      };
      await keep(Promise.resolve());
      for (let n = 0; n < 30; n += 1) await keep(say(`word ${n} `));
      await keep(give({ type: 'warning', code: 'x', message: 'y' }));
      for (let n = 0; n < 10; n += 1) await keep(say(`more ${n} `));
      await keep(complete());
      const there = await found(run.search_id);
      const head = run.log.head();
      expect(await there.reaches(head)).toBe('held');
      const whole = stateAfter(singly);
      for (let cut = 0; cut <= head; cut += 1) {
        const rest = readFrames(there.log, cut);
        expectDense(rest, cut);
        expect(stateAfter([...singly.slice(0, cut), ...rest])).toEqual(whole);
      }
    });

    it('knows which sequence numbers exist, and waits for those on their way', async () => {
      const { run, say, complete } = await startScriptedRun(home);
      const there = await found(run.search_id);
      await say('One.');
      expect(await there.reaches(run.log.head())).toBe('held');
      await complete();
      expect(await there.reaches(run.log.head())).toBe('held');
      expect(await there.reaches(run.log.head() + 1)).toBe('ahead');
    });

    it('finds no run of another account and no unknown id', async () => {
      const { run, complete } = await startScriptedRun(home);
      await found(run.search_id);
      expect(await away.find(other, run.search_id)).toEqual({});
      expect(await home.find(other, run.search_id)).toEqual({});
      for (const id of ['', 's_', 's_unknown', 's_AAAAAAAAAAAAAAAAAAAAAA', '*', 'x'.repeat(10_000), 's_a b']) {
        expect(await away.find(account_id, id)).toEqual({});
      }
      await complete();
    });

    it('cancels a run from another process, once', async () => {
      const { run, give } = await startScriptedRun(home);
      await give(begun('one'));
      const there = await found(run.search_id);
      there.cancel('client');
      there.cancel('client');
      expect(await run.done).toMatchObject({ type: 'search.cancelled', by: 'client' });
      expect(await there.done).toEqual(await run.done);
      expectLawful(readFrames(there.log));
      there.cancel('client');
      expect(there.state()).toBe('cancelled');
    });

    it('keeps a run alive while it has a reader in another process, and ends it when the last has left', async () => {
      const { run, say } = await startScriptedRun(home, { onDisconnect: 'grace', grace_ms: 60 });
      const leaveHome = home.attach(run);
      const there = await found(run.search_id);
      const [leaveOne, leaveTwo] = [away.attach(there), away.attach(there)];
      await expect
        .poll(async () => {
          leaveHome();
          await new Promise((resolve) => setTimeout(resolve, 150));
          return run.state();
        })
        .toBe('running');
      leaveOne();
      leaveOne();
      await say('It goes on.');
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect(run.state()).toBe('running');
      leaveTwo();
      expect(await run.done).toMatchObject({ type: 'search.cancelled', by: 'disconnect' });
      await expect.poll(async () => (await found(run.search_id)).log.terminal()).toEqual(await run.done);
    });

    it('starts one run for a request that both processes get simultaneously', async () => {
      const idempotency = freshKey();
      let starts = 0;
      const start = (runs: Registry) => async () => {
        starts += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return (await startScriptedRun(runs, { idempotency })).run;
      };
      const asked = [home, away, home, away].map((runs) => runs.startIdempotent(account_id, idempotency, start(runs)));
      const started = await Promise.all(asked);
      expect(starts).toBe(1);
      expect(new Set(started.map(({ run }) => run.search_id)).size).toBe(1);
      expect(started.filter(({ deduplicated }) => !deduplicated).length).toBe(1);
      await expect(
        away.startIdempotent(account_id, { ...idempotency, hash: 'other' }, start(away)),
      ).rejects.toMatchObject({
        code: 'idempotency_mismatch',
      });
      await expect(
        home.startIdempotent(account_id, { ...idempotency, hash: 'other' }, start(home)),
      ).rejects.toMatchObject({
        code: 'idempotency_mismatch',
      });
      const theirs = await away.startIdempotent(
        other,
        idempotency,
        async () => (await startScriptedRun(away, { account_id: other })).run,
      );
      expect(theirs.deduplicated).toBe(false);
      for (const { run } of [...started, theirs]) run.cancel('client');
      for (const { run } of [...started, theirs]) await run.done;
    });

    it('returns the same run for a repeated request, while it runs and after it has ended', async () => {
      const idempotency = freshKey();
      const scripted = await startScriptedRun(home, { idempotency });
      const first = await home.startIdempotent(account_id, idempotency, async () => scripted.run);
      const never = () => Promise.reject(new Error('it was begun before'));
      const second = await away.startIdempotent(account_id, idempotency, never);
      expect(second).toMatchObject({ deduplicated: true, run: { search_id: first.run.search_id } });
      const leave = away.attach(second.run);
      await scripted.say('An answer.');
      await scripted.complete();
      expect(await second.run.done).toEqual(await first.run.done);
      const third = await away.startIdempotent(account_id, idempotency, never);
      expect(third).toMatchObject({ deduplicated: true, run: { search_id: first.run.search_id } });
      expect(await third.run.done).toEqual(await first.run.done);
      leave();
    });

    it('starts a new run where the first had no answer', async () => {
      const idempotency = freshKey();
      const first = await home.startIdempotent(
        account_id,
        idempotency,
        async () => (await startScriptedRun(home, { idempotency })).run,
      );
      first.run.cancel('client');
      await first.run.done;
      const [second, third] = await Promise.all(
        [away, home].map((runs) =>
          runs.startIdempotent(
            account_id,
            idempotency,
            async () => (await startScriptedRun(runs, { idempotency })).run,
          ),
        ),
      );
      expect(second!.run.search_id).not.toBe(first.run.search_id);
      expect(third!.run.search_id).toBe(second!.run.search_id);
      second!.run.cancel('client');
      await second!.run.done;
    });

    it('lets the second request start the run when the first was refused', async () => {
      const idempotency = freshKey();
      const refused = new AppError('rate_limited', 'Not now.');
      let refuse = () => {};
      const starting = new Promise<void>((resolve) => {
        const start = () => {
          resolve();
          return new Promise<Run>((_, reject) => {
            refuse = () => reject(refused);
          });
        };
        home.startIdempotent(account_id, idempotency, start).catch((error) => expect(error).toBe(refused));
      });
      await starting;
      const second = away.startIdempotent(
        account_id,
        idempotency,
        async () => (await startScriptedRun(away, { idempotency })).run,
      );
      await new Promise((resolve) => setTimeout(resolve, 30));
      refuse();
      const { run, deduplicated } = await second;
      expect(deduplicated).toBe(false);
      run.cancel('client');
      await run.done;
    });

    it.each(['home', 'away'] as const)(
      'removes a run that has ended, for all processes: asked at %s',
      async (where) => {
        const idempotency = freshKey();
        const scripted = await startScriptedRun(home, { idempotency });
        const { search_id } = scripted.run;
        await home.startIdempotent(account_id, idempotency, async () => scripted.run);
        await scripted.say('An answer.');
        await scripted.complete();
        await (await found(search_id)).done;
        const at = where === 'home' ? home : away;
        expect(await at.remove(other, search_id)).toBe(false);
        expect((await home.find(account_id, search_id)).run).toBeDefined();
        expect(await at.remove(account_id, search_id)).toBe(true);
        for (const runs of [home, away]) expect(await runs.find(account_id, search_id)).toEqual({});
        expect(await at.remove(account_id, search_id)).toBe(false);
        const start = async () => (await startScriptedRun(away, { idempotency })).run;
        const again = await away.startIdempotent(account_id, idempotency, start);
        expect(again.deduplicated).toBe(false);
        expect(again.run.search_id).not.toBe(search_id);
        again.run.cancel('client');
        await again.run.done;
      },
    );

    it('shows the end of a removed run to all who were reading it', async () => {
      const { run, say } = await startScriptedRun(home);
      await say('An ans');
      const there = await found(run.search_id);
      const leave = away.attach(there);
      expect(await home.remove(account_id, run.search_id)).toBe(true);
      expect(await there.done).toMatchObject({ type: 'search.cancelled', by: 'client' });
      leave();
    });

    it('cancels a running run before it removes it', async () => {
      const { run, say } = await startScriptedRun(home);
      await say('An ans');
      await found(run.search_id);
      expect(await away.remove(account_id, run.search_id)).toBe(true);
      expect(await run.done).toMatchObject({ type: 'search.cancelled', by: 'client' });
      for (const runs of [home, away]) expect(await runs.find(account_id, run.search_id)).toEqual({});
    });

    it('removes a run once when both processes are asked to', async () => {
      const { run, complete } = await startScriptedRun(home);
      await found(run.search_id);
      await complete();
      const asked = await Promise.all([home, away].map((runs) => runs.remove(account_id, run.search_id)));
      expect(asked).toContain(true);
      for (const runs of [home, away]) expect(await runs.find(account_id, run.search_id)).toEqual({});
    });

    it('knows whether an account has a run to resume', async () => {
      const account = `acc_${name}_resumes`;
      expect([await home.hasResumable(account), await away.hasResumable(account)]).toEqual([false, false]);
      const { complete } = await startScriptedRun(home, { account_id: account });
      await expect.poll(() => away.hasResumable(account)).toBe(true);
      await complete();
      expect([await home.hasResumable(account), await away.hasResumable(account)]).toEqual([true, true]);
    });
  });
}
