/** Bodies as they arrive: read once somebody asks for them, kept while they are needed, within a budget that all share. */
import { describe, expect, it } from 'vitest';
import { requestLimits } from '../../protocol/index.ts';
import { createBodyBudget } from '../../src/transport/body-budget.ts';
import { createRequestBody } from '../../src/transport/request-body.ts';

const megabyte = 1024 * 1024;
const chunk = (bytes: number) => new ArrayBuffer(bytes);

/** A body that somebody has asked for, unless `asked` is false. */
function arriving(length: number, options: { budget?: Budget; gone?: AbortSignal; asked?: boolean } = {}) {
  const { budget = createBodyBudget(), gone = new AbortController().signal, asked = true } = options;
  const source = {
    paused: false,
    pause() {
      source.paused = true;
    },
    resume() {
      source.paused = false;
    },
  };
  const body = createRequestBody({ length, chunked: false, declared: true }, budget, gone, source);
  if (asked) body.whole().catch(() => {});
  return { body, budget, source };
}
type Budget = ReturnType<typeof createBodyBudget>;

describe('a body', () => {
  it('resolves an empty body immediately', async () => {
    const { body } = arriving(0);
    expect(body.isComplete()).toBe(true);
    expect((await body.whole()).byteLength).toBe(0);
    await body.over;
  });

  it('copies each chunk, whose memory is reused', async () => {
    const { body } = arriving(6);
    const bytes = new TextEncoder().encode('abc');
    body.add(bytes.buffer, false);
    bytes.fill(0);
    const last = new TextEncoder().encode('def');
    body.add(last.buffer, true);
    last.fill(0);
    expect(new TextDecoder().decode(await body.whole())).toBe('abcdef');
  });

  it('reads no more than 64 KiB before somebody asks for it, then the rest', async () => {
    const { body, source } = arriving(megabyte, { asked: false });
    body.add(chunk(64 * 1024), false);
    expect(source.paused).toBe(false);
    body.add(chunk(1), false);
    expect(source.paused).toBe(true);
    const whole = body.whole();
    expect(source.paused).toBe(false);
    body.add(chunk(megabyte - 64 * 1024 - 1), true);
    expect((await whole).byteLength).toBe(megabyte);
  });

  it('reads on when nobody needs it any more, so that the client can finish', () => {
    const { body, source, budget } = arriving(megabyte, { asked: false });
    body.add(chunk(65 * 1024), false);
    body.drop();
    expect(source.paused).toBe(false);
    body.add(chunk(100 * 1024), false);
    expect([source.paused, budget.held()]).toEqual([false, 0]);
  });

  it('refuses a body that is larger than its reader allows, announced, in pieces or already here', async () => {
    const tooLarge = { code: 'payload_too_large', message: 'Expected a body of at most 4096 bytes; got more.' };
    await expect(arriving(4_097, { asked: false }).body.whole(4_096)).rejects.toMatchObject(tooLarge);
    const { body: here } = arriving(0, { asked: false });
    here.add(chunk(4_097), true);
    await expect(here.whole(4_096)).rejects.toMatchObject(tooLarge);
    const { body: inPieces } = arriving(4_000, { asked: false });
    const whole = inPieces.whole(4_096);
    inPieces.add(chunk(4_096), false);
    inPieces.add(chunk(1), false);
    await expect(whole).rejects.toMatchObject(tooLarge);
  });

  it('counts a body in the budget until it is whole, dropped, too large, or its client has left', async () => {
    const leaving = new AbortController();
    const budget = createBodyBudget();
    const [whole, dropped, large, left] = [20, 20, 20, 20].map(
      (megabytes) => arriving(megabytes * 1_000, { budget, gone: leaving.signal }).body,
    );
    for (const body of [whole, dropped, large, left]) body!.add(chunk(megabyte), false);
    expect(budget.held()).toBe(4 * megabyte);
    whole!.add(chunk(1), true);
    expect(budget.held()).toBe(3 * megabyte);
    dropped!.drop();
    dropped!.add(chunk(megabyte), false);
    expect(budget.held()).toBe(2 * megabyte);
    for (let sent = 0; sent < 14; sent++) large!.add(chunk(megabyte), false);
    await expect(large!.whole()).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(budget.held()).toBe(megabyte);
    leaving.abort(new Error('left'));
    await expect(left!.whole()).rejects.toThrow('left');
    expect(budget.held()).toBe(0);
  });

  it('ends only when the body has been read, however early it was refused, unless it is too large to discard', async () => {
    const order: string[] = [];
    const { body } = arriving(15 * megabyte);
    body.whole().catch(() => order.push('refused'));
    body.over.then(() => order.push('over'));
    await Promise.resolve();
    await Promise.resolve();
    expect(order).toEqual(['refused']);
    body.add(chunk(15 * megabyte), true);
    await body.over;
    expect(body.isComplete()).toBe(true);

    const { body: endless } = arriving(1024 * megabyte);
    await endless.over;
    expect(endless.isComplete()).toBe(false);
  });
});

describe('a full budget', () => {
  const size = 32 * 1024;
  const capacity = 32 * size;

  /** 32 bodies fill the budget, one every 10 ms; `clock.ms` is its time. */
  function fill(asked: (n: number) => boolean = () => true) {
    const clock = { ms: 0 };
    const budget = createBodyBudget({ capacity, now: () => clock.ms });
    const bodies = Array.from({ length: 32 }, (_, n) => {
      clock.ms += 10;
      const { body } = arriving(size + 1, { budget, asked: asked(n) });
      body.add(chunk(size), false);
      return body;
    });
    return { clock, budget, bodies };
  }
  const wantedOf = (bodies: ReturnType<typeof fill>['bodies']) =>
    bodies.flatMap((body, n) => (body.isWanted() ? [n] : []));

  it('refuses a body as overload while all others move, and frees what it held', async () => {
    const { budget, bodies } = fill();
    const { body } = arriving(1_000, { budget });
    body.add(chunk(1), false);
    await expect(body.whole()).rejects.toMatchObject({ code: 'overloaded', status: 503 });
    expect(budget.held()).toBe(capacity);
    expect(wantedOf(bodies)).toHaveLength(32);
    body.add(chunk(999), true);
    await body.over;
  });

  it('accepts a body in one piece, which is never held', async () => {
    const { budget } = fill();
    const { body } = arriving(1_000, { budget });
    body.add(chunk(1_000), true);
    expect((await body.whole()).byteLength).toBe(1_000);
  });

  it('gives up the bodies that have stood still the longest for one that moves', async () => {
    const { clock, budget, bodies } = fill();
    clock.ms += 1_000;
    const { body } = arriving(2_000, { budget });
    body.add(chunk(1_000), false);
    body.add(chunk(1_000), true);
    expect((await body.whole()).byteLength).toBe(2_000);
    expect(wantedOf(bodies)).toEqual(Array.from({ length: 29 }, (_, n) => n + 3));
    await expect(bodies[0]!.whole()).rejects.toMatchObject({ code: 'overloaded' });
  });

  it('gives up first the bodies that nobody has asked for', () => {
    const { clock, budget, bodies } = fill((n) => n % 10 !== 5);
    clock.ms += 1_000;
    arriving(2_000, { budget }).body.add(chunk(1_000), false);
    expect(wantedOf(bodies)).toEqual(Array.from({ length: 32 }, (_, n) => n).filter((n) => n % 10 !== 5));
  });

  it('takes a body that is read of anybody for one that nobody has asked for', () => {
    const { clock, budget, bodies } = fill((n) => n % 10 !== 5);
    // As at a door whose clients send their key in the body.
    for (const body of bodies.filter((_, n) => n % 10 === 5))
      body.whole(requestLimits.unknown_caller_bytes).catch(() => {});
    clock.ms += 1_000;
    arriving(2_000, { budget }).body.add(chunk(1_000), false);
    expect(wantedOf(bodies)).toEqual(Array.from({ length: 32 }, (_, n) => n).filter((n) => n % 10 !== 5));
  });

  it('takes a trickle for no progress, and 16 KiB for some', () => {
    const { clock, budget, bodies } = fill();
    clock.ms += 1_000;
    for (const body of bodies.slice(16)) body.drop();
    const [trickling, ...moving] = bodies.slice(0, 16);
    trickling!.add(chunk(1), false);
    for (const body of moving) body.add(chunk(16 * 1024), false);
    arriving(megabyte, { budget }).body.add(chunk(10 * size), false);
    expect(trickling!.isWanted()).toBe(false);
    expect(moving.every((body) => body.isWanted())).toBe(true);
  });
});
