import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Admission, createAdmission, type Permit } from '../../src/access/admission/admission.ts';
import type { OverloadDetector } from '../../src/access/admission/overload-detector.ts';
import type { Caller } from '../../src/access/identity.ts';
import type { PlanName } from '../../src/access/plans.ts';

function caller(plan: PlanName, key_id: string): Caller {
  return { key_id, account_id: `acc_${key_id}`, plan, scopes: [] };
}

/** An overload detector that reports what the test sets. */
function createFakeOverload(): OverloadDetector & { set(overloaded: boolean): void } {
  let overloaded = false;
  const listeners: (() => void)[] = [];
  return {
    set(value) {
      overloaded = value;
      for (const listener of listeners) listener();
    },
    overloaded: () => overloaded,
    loopDelayMs: () => 0,
    reportUpstreamLimit: () => {},
    onSample: (listener) => listeners.push(listener),
    close() {},
  };
}

const turn = () => vi.advanceTimersByTimeAsync(0);

describe('admission', () => {
  const overload = createFakeOverload();
  let admission: Admission;
  const open = (options: { searches?: number; queue?: number } = {}) => {
    admission = createAdmission({ ...options, overload });
    return admission;
  };
  const admit = (who: Caller, connection?: string, signal = new AbortController().signal) =>
    admission.admit(who, connection === undefined ? {} : { connection }, signal);

  beforeEach(() => {
    vi.useFakeTimers();
    overload.set(false);
  });
  afterEach(() => {
    admission.close();
    vi.useRealTimers();
  });

  it('limits the running searches of a key and of a connection to those of the plan', async () => {
    open();
    const pro = caller('pro', 'p');
    for (let i = 0; i < 4; i++) await admit(pro, 'one');
    await expect(admit(pro, 'one')).rejects.toMatchObject({ code: 'too_many_searches', status: 429 });
    for (let i = 0; i < 4; i++) await admit(pro, 'two');
    const refusal = await admit(pro).catch((error) => error);
    expect(refusal).toMatchObject({ code: 'too_many_searches', details: { retry_after_ms: expect.any(Number) } });
    for (let i = 0; i < 3; i++) await admit(caller('starter', 's'));
    await expect(admit(caller('starter', 's'))).rejects.toMatchObject({ code: 'too_many_searches' });
  });

  it('frees the slot of a search once, however often it is released', async () => {
    open();
    const starter = caller('starter', 's');
    const permits = [await admit(starter), await admit(starter), await admit(starter)];
    permits[0]!.release();
    permits[0]!.release();
    await admit(starter);
    await expect(admit(starter)).rejects.toMatchObject({ code: 'too_many_searches' });
    expect(admission.state()).toEqual({ in_flight: 3, waiting: 0, overloaded: false });
  });

  it('starts waiting searches by priority, then in order of arrival', async () => {
    open({ searches: 2 });
    const first = [await admit(caller('pro', 'a')), await admit(caller('pro', 'b'))];
    const order: string[] = [];
    const permits: Permit[] = [];
    for (const who of [caller('starter', 's1'), caller('starter', 's2'), caller('pro', 'p1'), caller('pro', 'p2')]) {
      void admit(who).then((permit) => {
        order.push(who.key_id);
        permits.push(permit);
      });
    }
    await turn();
    expect(order).toEqual([]);
    for (const permit of first) permit.release();
    await turn();
    expect(order).toEqual(['p1', 'p2']);
    for (const permit of permits) permit.release();
    await turn();
    permits.at(-1)!.release();
    await turn();
    expect(order).toEqual(['p1', 'p2', 's1', 's2']);
    expect(permits.map((permit) => permit.throttled)).toEqual([false, false, true, true]);
  });

  it('refuses the last entry of a full queue, lowest priority first', async () => {
    open({ searches: 1, queue: 2 });
    await admit(caller('pro', 'a'));
    const outcomes: string[] = [];
    for (const who of [
      caller('starter', 's1'),
      caller('starter', 's2'),
      caller('starter', 's3'),
      caller('pro', 'p1'),
    ]) {
      admit(who).catch((error) => outcomes.push(`${who.key_id} ${error.code} ${error.status}`));
    }
    await turn();
    expect(outcomes).toEqual(['s3 overloaded 503', 's2 overloaded 503']);
    expect(admission.state().waiting).toBe(2);
  });

  it('refuses a search that has waited too long, with a time to retry', async () => {
    open({ searches: 1 });
    await admit(caller('pro', 'a'));
    const waiting = admit(caller('starter', 's')).catch((error) => error);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await waiting).toMatchObject({ code: 'overloaded', details: { retry_after_ms: expect.any(Number) } });
    expect(admission.state()).toMatchObject({ in_flight: 1, waiting: 0 });
  });

  it('removes a caller that leaves the queue, and counts nothing for it', async () => {
    open({ searches: 1 });
    const held = await admit(caller('pro', 'a'));
    const leaving = new AbortController();
    const starter = caller('starter', 's');
    const gone = [1, 2, 3].map(() => admit(starter, undefined, leaving.signal).catch((error) => error));
    leaving.abort(new Error('left'));
    expect((await Promise.all(gone)).map((error) => error.message)).toEqual(['left', 'left', 'left']);
    held.release();
    expect((await admit(starter)).throttled).toBe(false);
  });

  it('delays throttled plans under overload, one search per key with pauses, and never the others', async () => {
    open({ searches: 80 });
    overload.set(true);
    const started: string[] = [];
    for (const key of ['s1', 's1', 's2', 's3']) {
      void admit(caller('starter', key)).then((permit) => started.push(`${key} ${permit.throttled}`));
    }
    for (let i = 0; i < 8; i++) expect(await admit(caller('pro', 'p'))).toMatchObject({ throttled: false });
    await turn();
    expect(started).toEqual(['s1 true']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(started).toEqual(['s1 true', 's2 true', 's3 true']);
    overload.set(false);
    await turn();
    expect(started).toEqual(['s1 true', 's2 true', 's3 true', 's1 true']);
  });

  it('starts pro searches exactly as it would without a flood of 50 starter keys', async () => {
    // Ten pro keys bring a search every 100 ms, each of 1 s: what they need is within the quarter kept free for them.
    async function proStarts(flood: boolean): Promise<{ pro: string[]; starters: number; refused: number }> {
      open({ searches: 48, queue: 100 });
      const [began, pro] = [performance.now(), [] as string[]];
      let starters = 0;
      let refused = 0;
      const search = async (who: Caller, ms: number, onStart: (permit: Permit) => void) => {
        const permit = await admit(who);
        onStart(permit);
        setTimeout(permit.release, ms);
      };
      for (let tick = 0; tick < 100; tick++) {
        for (let key = 0; flood && key < 50; key++) {
          search(caller('starter', `s${key}`), 3_000, () => starters++).catch(() => refused++);
        }
        const name = `p${tick % 10}`;
        const asked = performance.now();
        void search(caller('pro', name), 1_000, ({ throttled }) => {
          const now = performance.now();
          pro.push(`${name} at ${now - began} after ${now - asked} ${throttled}`);
        });
        await vi.advanceTimersByTimeAsync(100);
      }
      admission.close();
      return { pro, starters, refused };
    }
    const alone = await proStarts(false);
    const flooded = await proStarts(true);
    expect(alone.pro).toHaveLength(100);
    expect(flooded.pro).toEqual(alone.pro);
    expect(flooded.starters).toBeGreaterThan(0);
    expect(flooded.refused).toBeGreaterThan(0);
  });

  it('puts every pro search that has to wait before every starter search, in a flood', async () => {
    open({ searches: 8, queue: 60 });
    const order: string[] = [];
    const running: Permit[] = [];
    const search = (who: Caller) =>
      admit(who).then(
        (permit) => {
          order.push(who.key_id);
          running.push(permit);
        },
        () => {},
      );
    for (let i = 0; i < 8; i++) void search(caller('pro', 'busy'));
    for (let key = 0; key < 50; key++) void search(caller('starter', `s${key}`));
    for (let key = 0; key < 20; key++) void search(caller('pro', `p${key}`));
    await turn();
    for (let i = 0; i < 20; i++) {
      running.shift()!.release();
      await turn();
    }
    expect(order.slice(8)).toEqual(Array.from({ length: 20 }, (_, key) => `p${key}`));
  });

  it('limits the connections of a key and releases each once', () => {
    open();
    const who = caller('starter', 's');
    const leave = Array.from({ length: 10 }, () => admission.connect(who));
    expect(() => admission.connect(who)).toThrow('At most 10 connections');
    leave[0]!();
    leave[0]!();
    admission.connect(who);
    expect(() => admission.connect(who)).toThrow('At most 10 connections');
  });

  it('refuses all waiting searches when the server shuts down', async () => {
    open({ searches: 1 });
    await admit(caller('pro', 'a'));
    const waiting = admit(caller('pro', 'b')).catch((error) => error);
    admission.close();
    expect(await waiting).toMatchObject({ code: 'server_shutdown' });
    await expect(admit(caller('pro', 'c'))).rejects.toMatchObject({ code: 'server_shutdown' });
  });
});
