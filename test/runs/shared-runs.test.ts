/** Runs of one process and of two that share a Redis, held to the same laws; then what can go wrong between two. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SearchEvent } from '../../protocol/index.ts';
import { AppError } from '../../src/base/errors.ts';
import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import { createRegistry } from '../../src/runs/registry.ts';
import type { Run } from '../../src/runs/run.ts';
import type { StartOptions } from '../../src/runs/start-options.ts';
import { openStore } from '../../src/store/store.ts';
import { backgroundRun } from '../contracts/background-records.ts';
import { expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { sharedRunLaws } from '../contracts/shared-runs.ts';
import { accountOf, readFrames, startScriptedRun } from '../support/scripted-run.ts';
import { startChaosProxy } from '../support/servers/chaos-proxy.ts';
import { freshPrefix, hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { findElsewhere, type RunProcess, startRunPair, startRunProcess } from './run-process.ts';

const onFault = (error: unknown) => {
  throw error;
};
const { account_id } = accountOf;
const folder = temporaryFolder();
const begun = (step_id: string): SearchEvent => ({ type: 'step.started', step_id, kind: 'read', title: 'A page' });

sharedRunLaws('one process', async () => {
  const runs = createRegistry({ retentionMs: 60_000, records: createMemoryRunRecords(), onFault });
  return { home: runs, away: runs, close: () => runs.close() };
});

describe.skipIf(!hasRedis)('with a Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  sharedRunLaws('two processes and Redis', () => startRunPair(redis.url, freshPrefix()));

  /** A home that reaches Redis through a line that can be cut, and two others. Leases are short. */
  async function startThree(leaseMs = 500, retentionMs = 60_000, encryptsSecrets = true) {
    const options = { leaseMs, retentionMs, encryptsSecrets };
    const line = await startChaosProxy(redis.url);
    const prefix = freshPrefix();
    const records = createMemoryRunRecords();
    const home = await startRunProcess(line.url.replace('http', 'redis'), prefix, records, options);
    const others = await Promise.all([1, 2].map(() => startRunProcess(redis.url, prefix, records, options)));
    const look = new Redis(redis.url);
    return {
      home,
      others: others as [RunProcess, RunProcess],
      records,
      line,
      part() {
        line.decide(() => ({ refuse: true }));
        line.cutAll();
      },
      heal: () => line.decide(() => ({})),
      /** The types of the events that are in Redis. */
      async kept(search_id: string): Promise<string[]> {
        const entries = await look.xrange(`${prefix}:run:${search_id}:log`, '-', '+');
        return entries.map(([, [, frame]]) => (JSON.parse(frame!) as SearchEvent).type);
      },
      /** What Redis has of this run besides its log, as JSON. */
      about: (search_id: string) => look.hget(`${prefix}:run:${search_id}`, 'about'),
      /** Redis forgets this run. */
      forget: (search_id: string) => look.del(`${prefix}:run:${search_id}`, `${prefix}:run:${search_id}:log`),
      async [Symbol.asyncDispose]() {
        for (const each of [...others, home]) await each.close();
        look.disconnect();
        await line.close();
      },
    };
  }

  describe('a run whose process seems dead', () => {
    it('ends the run of a process that seems dead as lost, exactly once, and that process accepts it', async () => {
      await using three = await startThree();
      const { home, others, records, kept } = three;
      const { run, give, say } = await startScriptedRun(home.runs);
      await give(begun('one'));
      await say('Half an answer');
      const there = await Promise.all(others.map((each) => findElsewhere(each, run.search_id)));
      for (const [at, each] of there.entries()) others[at]!.runs.attach(each);
      await expect.poll(() => there.map(({ log }) => log.head())).toEqual([3, 3]);
      three.part();
      const terminals = await Promise.all(there.map(({ done }) => done));
      expect(terminals[0]).toMatchObject({
        type: 'search.failed',
        error: { code: 'lost', retryable: true, request_id: 'r_test' },
        partial: { answer: 'Half an answer' },
      });
      expect(terminals[1]).toEqual(terminals[0]);
      for (const { log } of there) expectLawful(readFrames(log));

      await say(' that goes on at home');
      expect(run.state()).toBe('running');
      three.heal();
      expect(await run.done).toMatchObject({ type: 'search.failed', error: { code: 'lost' } });
      expectLawful(readFrames(run.log));
      const types = await kept(run.search_id);
      expect(types.filter((type) => type === 'search.failed')).toEqual(['search.failed']);
      expect(types.at(-1)).toBe('search.failed');
      expect(await records.get(account_id, run.search_id)).toMatchObject({ state: 'failed', terminal: terminals[0] });
    });

    it('ends and records orphaned runs without a reader, and leaves those of live processes alone', async () => {
      await using three = await startThree();
      const { home, others, records, kept } = three;
      const doomed = await Promise.all([1, 2, 3].map(() => startScriptedRun(home.runs)));
      const ended = await startScriptedRun(home.runs);
      const living = await startScriptedRun(others[0].runs);
      for (const { say } of [...doomed, ended]) await say('An answer');
      await ended.complete();
      await findElsewhere(others[1], doomed[0]!.run.search_id);
      await expect.poll(() => kept(ended.run.search_id)).toContain('search.completed');
      three.part();
      for (const { run } of doomed) {
        const record = () => records.get(account_id, run.search_id);
        await expect.poll(record).toMatchObject({ state: 'failed', terminal: { error: { code: 'lost' } } });
        const types = await kept(run.search_id);
        expect(types.filter((type) => type === 'search.failed')).toEqual(['search.failed']);
      }
      expect((await kept(ended.run.search_id)).at(-1)).toBe('search.completed');
      expect(living.run.state()).toBe('running');
      await living.complete();
      three.heal();
      for (const { run } of doomed) expect(await run.done).toMatchObject({ error: { code: 'lost' } });
    });

    const webhook = { endpoint_id: null, url: 'https://a.example/hook', secret: 'a secret' } as const;

    it('records its end with the webhook of its request', async () => {
      await using three = await startThree();
      const save = vi.spyOn(three.records, 'save');
      const { run } = await startScriptedRun(three.home.runs, { webhook });
      await findElsewhere(three.others[0], run.search_id);
      three.part();
      await expect.poll(() => three.records.get(account_id, run.search_id)).toMatchObject({ state: 'failed' });
      expect(save.mock.calls[0]![0]).toMatchObject({ search_id: run.search_id, webhook });
      three.heal();
      await run.done;
    });

    it('keeps a secret that is not encrypted out of Redis, unlike an endpoint', async () => {
      await using three = await startThree(60_000, 60_000, false);
      const endpoint = { ...webhook, endpoint_id: 'wh_1', secret: null };
      for (const each of [webhook, endpoint]) {
        const { run, complete } = await startScriptedRun(three.home.runs, { webhook: each });
        await expect.poll(() => three.about(run.search_id)).not.toBeNull();
        const about = JSON.parse((await three.about(run.search_id))!);
        expect(about.webhook).toEqual(each.secret === null ? each : undefined);
        expect(JSON.stringify(about)).not.toContain(webhook.secret);
        await complete();
      }
    });

    it('warns the readers of that process that its answer is not what is stored', async () => {
      await using three = await startThree();
      const { run, say, complete } = await startScriptedRun(three.home.runs);
      await say('An answer.');
      await findElsewhere(three.others[0], run.search_id);
      three.part();
      const record = () => three.records.get(account_id, run.search_id);
      await expect.poll(record).toMatchObject({ state: 'failed' });
      await complete();
      expect((await run.done).type).toBe('search.completed');
      const message = 'Another server took this one for dead: the search is stored as failed.';
      expect(readFrames(run.log).at(-2)).toMatchObject({ type: 'warning', code: 'not_stored', message });
      expect(await record()).toMatchObject({ state: 'failed' });
    });

    it('sends readers who were ahead of what is left to the record that its process made', async () => {
      await using three = await startThree();
      const { run, say, complete } = await startScriptedRun(three.home.runs);
      const there = await findElsewhere(three.others[0], run.search_id);
      three.part();
      await say('An answer.');
      const ahead = run.log.head();
      await complete();
      await run.done;
      expect(await there.reaches(ahead)).toBe('gone');
      expect(there.state()).toBe('completed');
    });

    it('has all of a log but its end by the time the search is recorded', async () => {
      await using three = await startThree();
      const { home, others, records } = three;
      const { run, say, complete } = await startScriptedRun(home.runs);
      const there = await findElsewhere(others[0], run.search_id);
      await expect.poll(() => three.kept(run.search_id)).toEqual(['search.accepted']);
      const { save } = records;
      records.save = async (record) => {
        // The process dies as soon as the search is recorded.
        await new Promise((resolve) => setTimeout(resolve, 100));
        three.part();
        return save(record);
      };
      await say('An answer.');
      await complete();
      await run.done;
      expect(await there.reaches(run.log.head() - 1)).toBe('held');
      others[0].runs.attach(there);
      expect(await there.done).toEqual(await run.done);
      expectLawful(readFrames(there.log));
    });

    it('ends the run as its process recorded it, if that was all it could still do', async () => {
      await using three = await startThree();
      const { home, others, records } = three;
      const { run, give, say, complete } = await startScriptedRun(home.runs);
      await give(begun('one'));
      await say('An answer.');
      const there = await Promise.all(others.map((each) => findElsewhere(each, run.search_id)));
      for (const [at, each] of there.entries()) others[at]!.runs.attach(each);
      await expect.poll(() => there.map(({ log }) => log.head())).toEqual([3, 3]);
      three.part();
      await give({ type: 'step.finished', step_id: 'one', status: 'ok', duration_ms: 1 });
      await complete();
      const terminal = await run.done;
      expect(terminal.type).toBe('search.completed');
      expect(await Promise.all(there.map(({ done }) => done))).toEqual([terminal, terminal]);
      for (const { log } of there) expect(log.entry(log.head() - 1)?.event.type).toBe('step.finished');
      expect(await records.get(account_id, run.search_id)).toMatchObject({ state: 'completed', terminal });
    });

    it('reports the loss to a reader who had received more than is left', async () => {
      await using three = await startThree();
      const { run, say } = await startScriptedRun(three.home.runs);
      const there = await findElsewhere(three.others[0], run.search_id);
      three.part();
      for (const text of ['a', 'b', 'c']) await say(text);
      expect(await there.reaches(run.log.head())).toBe('gone');
      expect(there.log.terminal()).toMatchObject({ error: { code: 'lost' } });
    });

    it('takes no reader for one of another history, whose numbers its last events have been given', async () => {
      await using three = await startThree();
      const { run, give, say } = await startScriptedRun(three.home.runs);
      await give(begun('one'));
      const there = await findElsewhere(three.others[0], run.search_id);
      await expect.poll(() => three.kept(run.search_id)).toContain('step.started');
      const left = run.log.head();
      three.part();
      await say('Only a reader at home has got this.');
      expect(await there.reaches(run.log.head())).toBe('gone');
      // They end its step, too, under numbers that reader has for other events.
      expect(there.log.head()).toBeGreaterThan(run.log.head());
      const later = await findElsewhere(three.others[1], run.search_id);
      expect(await later.reaches(left)).toBe('held');
      expect(await later.reaches(left + 1)).toBe('gone');
    });

    it('waits for its readers until its process counts as dead, however far ahead they are', async () => {
      await using three = await startThree(3_500);
      const { run, say } = await startScriptedRun(three.home.runs);
      const there = await findElsewhere(three.others[0], run.search_id);
      three.part();
      await say('More than Redis has.');
      expect(await there.reaches(run.log.head())).toBe('gone');
    });

    it('releases the idempotency key of a run whose process seems dead', async () => {
      await using three = await startThree();
      const { home, others, part } = three;
      const idempotency = { key: 'k', hash: 'h' };
      const first = await home.runs.startIdempotent(
        account_id,
        idempotency,
        async () => (await startScriptedRun(home.runs)).run,
      );
      const starting = { key: 'starting', hash: 'h' };
      void home.runs.startIdempotent(account_id, starting, () => new Promise(() => {}));
      await findElsewhere(others[0], first.run.search_id);
      part();
      await expect.poll(async () => (await findElsewhere(others[0], first.run.search_id)).state()).toBe('failed');
      for (const each of [idempotency, starting]) {
        const begin = async () => (await startScriptedRun(others[0].runs)).run;
        const again = await others[0].runs.startIdempotent(account_id, each, begin);
        expect(again.deduplicated).toBe(false);
        expect(again.run.search_id).not.toBe(first.run.search_id);
      }
      three.heal();
    });
  });

  describe('a background run that another process continues', () => {
    const hold = (attempt: number, stands: boolean): Partial<StartOptions> => ({
      search_id: 's_continued',
      background: { owner: `owner ${attempt}`, attempt, confirm: async () => stands },
    });

    it('has its end from the process that continues it, never from the one that gave it up', async () => {
      await using three = await startThree();
      const { home, others, records, kept } = three;
      const { run, say } = await startScriptedRun(home.runs, hold(1, false));
      await say('Half an answer');
      await findElsewhere(others[0], run.search_id);
      home.runs.abandon(run.search_id);
      expect(await run.done).toMatchObject({ type: 'search.failed', error: { code: 'lost' } });
      // It sends what is left of its runs.
      await home.close();
      expect(await kept(run.search_id)).not.toContain('search.failed');
      const second = await startScriptedRun(others[0].runs, hold(2, true));
      await second.say('An answer');
      await second.complete();
      const there = await findElsewhere(others[1], run.search_id);
      expect((await there.done).type).toBe('search.completed');
      await expect.poll(() => records.get(account_id, run.search_id)).toMatchObject({ state: 'completed', attempt: 2 });
    });

    it('is still sent and cancelled when the earlier attempt leaves that the same process had begun', async () => {
      await using three = await startThree();
      const { home, others, kept } = three;
      const first = await startScriptedRun(home.runs, hold(1, false));
      await first.say('Half');
      await expect.poll(() => kept('s_continued')).toContain('answer.delta');
      const second = await startScriptedRun(home.runs, hold(2, true));
      await first.complete();
      expect(await first.run.done).toMatchObject({ type: 'search.failed', error: { code: 'lost' } });
      await second.say('An answer');
      await expect.poll(() => kept('s_continued')).toEqual(['search.accepted', 'search.restarted', 'answer.delta']);
      (await findElsewhere(others[0], 's_continued')).cancel('client');
      expect(await second.run.done).toMatchObject({ type: 'search.cancelled', by: 'client' });
    });

    it('goes on although the earlier attempt was the first that a forgetful Redis got to know again', async () => {
      await using three = await startThree(60_000);
      const { home, others, kept } = three;
      const first = await startScriptedRun(home.runs, hold(1, false));
      await first.say('Half');
      await expect.poll(() => kept('s_continued')).toContain('answer.delta');
      three.part();
      const second = await startScriptedRun(others[0].runs, hold(2, true));
      await expect.poll(() => kept('s_continued')).toContain('search.restarted');
      await three.forget('s_continued');
      three.heal();
      await first.say(' an answer');
      await expect.poll(() => kept('s_continued')).toContain('answer.delta');
      await second.say('An answer');
      await expect.poll(() => kept('s_continued')).toEqual(['search.accepted', 'search.restarted', 'answer.delta']);
      await second.complete();
      expect((await second.run.done).type).toBe('search.completed');
      await first.say(' that nobody gets');
      expect(await first.run.done).toMatchObject({ type: 'search.failed', error: { code: 'lost' } });
    });
  });

  it('returns a background run that another process has stored and is about to publish', async () => {
    const store = await openStore({ dataDir: folder });
    const about = {
      plan: 'pro',
      status: 'active',
      status_reason: null,
      created_at: '2026-01-01T00:00:00.000Z',
    } as const;
    await store.access.addAccount({ id: account_id, name: 'one', ...about });
    const prefix = freshPrefix();
    const start = () => startRunProcess(redis.url, prefix, store.runs, {}, store.background);
    const [home, away] = [await start(), await start()];
    const idempotency = { key: 'stored', hash: 'h' };
    const search_id = 's_stored';
    let publish = () => {};
    const waited = new Promise<void>((resolve) => {
      publish = resolve;
    });
    const first = home.runs.startIdempotent(account_id, idempotency, async () => {
      await store.background.add(backgroundRun(search_id, account_id, { idempotency }), 'home', 60_000);
      await waited;
      const background = { owner: 'home', attempt: 1, confirm: async () => true };
      return (await startScriptedRun(home.runs, { search_id, idempotency, background })).run;
    });
    await expect.poll(() => store.background.get(account_id, search_id)).toBeDefined();
    const never = () => Promise.reject(new Error('it was begun before'));
    const second = away.runs.startIdempotent(account_id, idempotency, never);
    await Promise.race([second.catch(() => {}), new Promise((resolve) => setTimeout(resolve, 200))]);
    publish();
    expect(await second).toMatchObject({ deduplicated: true, run: { search_id } });
    const { run } = await first;
    run.cancel('client');
    await run.done;
    for (const each of [home, away]) await each.close();
    await store.close();
  });

  it('follows a run for a reader who waited long for its events before it was attached', async () => {
    await using three = await startThree();
    const { home, others } = three;
    const { run, say } = await startScriptedRun(home.runs);
    const there = await findElsewhere(others[0], run.search_id);
    const reach = there.reaches(run.log.head() + 1);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await say('Late. ');
    expect(await reach).toBe('held');
    others[0].runs.attach(there);
    await say('Later.');
    await expect.poll(() => there.log.head()).toBe(run.log.head());
  });

  it('looks for a run of another process each time its request is repeated', async () => {
    await using three = await startThree(6_000);
    const { home, others } = three;
    const idempotency = { key: 'again', hash: 'h' };
    const never = () => Promise.reject(new Error('it was begun before'));
    const { run, say } = await startScriptedRun(home.runs, { idempotency });
    await home.runs.startIdempotent(account_id, idempotency, async () => run);
    await others[0].runs.startIdempotent(account_id, idempotency, never);
    await say('More of the answer.');
    await expect.poll(async () => (await findElsewhere(others[1], run.search_id)).log.head()).toBe(run.log.head());
    const again = await others[0].runs.startIdempotent(account_id, idempotency, never);
    expect(again.run.log.head()).toBe(run.log.head());
  });

  describe('a process without Redis', () => {
    it('continues without Redis, logs that once, and publishes everything when Redis is back', async () => {
      await using three = await startThree(2_000);
      const { home, others } = three;
      const { run, say, complete } = await startScriptedRun(home.runs);
      await say('Before. ');
      const there = await findElsewhere(others[0], run.search_id);
      others[0].runs.attach(there);
      const other = await startScriptedRun(home.runs);
      three.part();
      await expect.poll(() => home.changes).toEqual(['away']);
      for (let n = 0; n < 50; n += 1) await say(`word ${n} `);
      await other.complete();
      await expect(home.runs.find(account_id, 's_AAAAAAAAAAAAAAAAAAAAAA')).rejects.toMatchObject({
        code: 'overloaded',
      });
      const alone = await home.runs.startIdempotent(
        account_id,
        { key: 'alone', hash: 'h' },
        async () => (await startScriptedRun(home.runs)).run,
      );
      expect(alone.deduplicated).toBe(false);
      three.heal();
      await complete();
      expect(await there.done).toEqual(await run.done);
      expect(stateAfter(readFrames(there.log))).toEqual(stateAfter(readFrames(run.log)));
      await expect.poll(() => home.changes).toEqual(['away', 'back']);
      await expect
        .poll(async () => (await others[1].runs.find(account_id, other.run.search_id)).run?.state())
        .toBe('completed');
    });

    describe('that claimed an idempotency key before', () => {
      const idempotency = { key: 'claimed', hash: 'h' };

      /** Redis is away while home starts a search under the key; the claim would last longer than the test. */
      async function startAway(start: (home: RunProcess) => Promise<Run>) {
        const three = await startThree(2_000, 900_000);
        const first = three.home.runs.startIdempotent(account_id, idempotency, async () => {
          three.part();
          await expect.poll(() => three.home.changes).toEqual(['away']);
          return start(three.home);
        });
        const outcome = await first.catch((error: unknown) => error);
        three.heal();
        await expect.poll(() => three.home.changes).toEqual(['away', 'back']);
        return { three, outcome };
      }

      it('frees the key of a request that it refused meanwhile', async () => {
        const refused = new AppError('rate_limited', 'Not now.');
        const { three, outcome } = await startAway(() => Promise.reject(refused));
        await using all = three;
        expect(outcome).toBe(refused);
        for (const { runs } of [all.others[0], all.home]) {
          const start = async () => (await startScriptedRun(runs, { idempotency })).run;
          const again = await runs.startIdempotent(account_id, idempotency, start);
          expect(again.deduplicated).toBe(false);
          again.run.cancel('client');
          await again.run.done;
        }
      });

      it('binds the key to the search that it started meanwhile', async () => {
        const { three } = await startAway(async ({ runs }) => (await startScriptedRun(runs, { idempotency })).run);
        await using all = three;
        const never = () => Promise.reject(new Error('it was begun before'));
        const again = await all.others[0].runs.startIdempotent(account_id, idempotency, never);
        expect(again).toMatchObject({ deduplicated: true, run: { account_id } });
      });
    });

    it('does not keep for Redis what would have expired there by the time it is back', async () => {
      await using three = await startThree(2_000, 1_000);
      const { home, kept } = three;
      const [old, late] = [await startScriptedRun(home.runs), await startScriptedRun(home.runs)];
      await expect.poll(() => kept(old.run.search_id)).toEqual(['search.accepted']);
      three.part();
      await expect.poll(() => home.changes).toEqual(['away']);
      await old.complete();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      three.heal();
      await expect.poll(() => home.changes).toEqual(['away', 'back']);
      await late.complete();
      await expect.poll(() => kept(late.run.search_id)).toContain('search.completed');
      expect(await kept(old.run.search_id)).not.toContain('search.completed');
    });

    it('publishes its runs again when Redis has lost everything, unnoticed by readers', async () => {
      const forgetful = await startRedis();
      const records = createMemoryRunRecords();
      const [home, away] = await Promise.all(
        [1, 2].map(() => startRunProcess(forgetful.url, 'x', records, { leaseMs: 1_500 })),
      );
      const { run, say, complete } = await startScriptedRun(home!.runs);
      for (let n = 0; n < 20; n += 1) await say(`word ${n} `);
      const there = await findElsewhere(away!, run.search_id);
      away!.runs.attach(there);
      await expect.poll(() => there.log.head()).toBe(21);
      const silent = await startScriptedRun(home!.runs);
      await forgetful.kill();
      await say('meanwhile ');
      await expect.poll(() => home!.changes).toEqual(['away']);
      await forgetful.start();
      expect((await findElsewhere(away!, silent.run.search_id)).state()).toBe('running');
      await silent.complete();
      await say('after ');
      await complete();
      expect(await there.done).toEqual(await run.done);
      expectLawful(readFrames(there.log));
      expect(stateAfter(readFrames(there.log))).toEqual(stateAfter(readFrames(run.log)));
      for (const each of [home!, away!]) await each.close();
      await forgetful.stop();
    });
  });
});
