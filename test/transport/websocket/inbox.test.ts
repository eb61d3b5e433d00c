/** The budgets of a connection's frames: what is handled immediately, what waits, and what is too much. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionLimits } from '../../../protocol/index.ts';
import { createInboxes } from '../../../src/transport/websocket/inbox.ts';
import { createTokenBucket } from '../../../src/transport/websocket/token-bucket.ts';

const { frames_burst, frames_per_s, frames_waiting, bytes_burst, bytes_per_s, protocol_pings } = sessionLimits;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] }));
afterEach(async () => {
  // The end of the tick is awaited too: it is shared by all inboxes.
  if (vi.isFakeTimers()) await vi.runAllTimersAsync();
  vi.useRealTimers();
});

/** The text, padded with spaces. */
const frame = (text: string, bytes = text.length) => Buffer.from(text.padEnd(bytes));

function openInbox(inboxes = createInboxes()) {
  const handled: string[] = [];
  const floods: string[] = [];
  const inbox = inboxes.open({
    handle: (text = 'binary') => void handled.push(text.trimEnd()),
    onFlood: ({ by, isHeavy }) => void floods.push(isHeavy ? `${by}, heavy` : by),
  });
  let sent = 0;
  const send = (count: number, bytes = 1) => {
    for (let n = 0; n < count; n++) inbox.receive(frame(String(sent++), bytes), true);
  };
  return { inbox, handled, floods, send };
}

/** The size of a large frame. */
const large = 1024 * 1024;
const first = (count: number) => Array.from({ length: count }, (_, n) => String(n));

describe('the inbox of a connection', () => {
  it('handles a burst immediately, and what exceeds it in order as the budget refills', async () => {
    const { send, handled, floods } = openInbox();
    send(frames_burst + 2 * frames_per_s);
    expect(handled).toEqual(first(frames_burst));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(handled).toEqual(first(frames_burst + frames_per_s));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(handled).toEqual(first(frames_burst + 2 * frames_per_s));
    expect(floods).toEqual([]);
  });

  it('reports a flood once when more frames wait than may, and handles none of them any more', async () => {
    const { send, handled, floods } = openInbox();
    send(frames_burst + frames_waiting);
    expect(floods).toEqual([]);
    send(10);
    expect(floods).toEqual(['client']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(handled).toEqual(first(frames_burst));
  });

  it('handles bytes at their own rate, and a frame above the budget when it is full', async () => {
    const { send, handled } = openInbox();
    send(1, bytes_burst);
    await vi.advanceTimersByTimeAsync(1);
    expect(handled).toEqual(first(1));
    send(1, bytes_per_s);
    await vi.advanceTimersByTimeAsync(900);
    expect(handled).toEqual(first(1));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(handled).toEqual(first(2));
  });

  it('reports a flood when more bytes wait than may, on one connection or on all together', () => {
    const one = openInbox();
    one.send(1, bytes_burst);
    expect(one.floods).toEqual([]);
    one.send(1, 1);
    expect(one.floods).toEqual(['client']);

    const inboxes = createInboxes({ total_bytes: bytes_burst });
    const [a, b] = [openInbox(inboxes), openInbox(inboxes)];
    a.send(1, bytes_burst - large);
    b.send(1, large);
    expect([a.floods, b.floods]).toEqual([[], []]);
    b.send(1, large);
    expect([a.floods, b.floods]).toEqual([[], ['together, heavy']]);
  });

  it('handles large frames in later ticks, one in each', async () => {
    vi.useRealTimers();
    const { send, handled } = openInbox();
    send(3, large);
    expect(handled).toEqual([]);
    const counts: number[] = [];
    for (; handled.length < 3; counts.push(handled.length)) await new Promise(setImmediate);
    expect([...new Set(counts)].filter((count) => count > 0)).toEqual([1, 2, 3]);
  });

  it('reports a flood of whoever sends a large frame in a tick that has brought too many bytes, and takes small ones', async () => {
    const inboxes = createInboxes();
    const busy = Array.from({ length: 4 }, () => openInbox(inboxes));
    for (const { send } of busy.slice(0, 3)) send(1, bytes_burst / 2);
    expect(busy.flatMap(({ floods }) => floods)).toEqual([]);
    busy[3]!.send(1, large);
    expect(busy[3]!.floods).toEqual(['together, heavy']);
    const other = openInbox(inboxes);
    other.send(5);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(other.handled).toEqual(first(5));
    other.send(1, large);
    expect(other.floods).toEqual([]);
  });

  it('reports a heavy flood of those of which more than a few frames wait in a tick that has brought thousands', () => {
    const inboxes = createInboxes();
    const burst = frames_burst + frames_waiting;
    const floods = Array.from({ length: 20 }, () => {
      const { send, floods } = openInbox(inboxes);
      send(burst + 1);
      return floods;
    });
    expect(floods[0]).toEqual(['client']);
    expect(floods.at(-1)).toEqual(['client, heavy']);
    const other = openInbox(inboxes);
    other.send(frames_burst + 30);
    expect(other.floods).toEqual([]);
    other.send(10);
    expect(other.floods).toEqual(['client, heavy']);
  });

  it('takes no frame that is refused by its first bytes', async () => {
    const handled: string[] = [];
    const inbox = createInboxes().open({
      handle: (text = '') => void handled.push(text.trimEnd()),
      tryRefuse: (content) => content[0] === 'x'.charCodeAt(0),
      onFlood: () => {},
    });
    for (const text of ['a', 'x', 'b']) inbox.receive(frame(text, large), true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(handled).toEqual(['a', 'b']);
  });

  it('gives back the bytes of frames that were handled or dropped', async () => {
    const inboxes = createInboxes({ total_bytes: bytes_burst });
    const [a, b] = [openInbox(inboxes), openInbox(inboxes)];
    a.send(1, bytes_burst);
    a.inbox.close();
    await vi.advanceTimersByTimeAsync(1);
    b.send(1, bytes_burst);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(b.handled).toEqual(first(1));
    b.send(1, bytes_burst);
    expect([...a.floods, ...b.floods]).toEqual([]);
  });

  it('handles the frames of others while those of a busy connection wait for later ticks', async () => {
    vi.useRealTimers();
    const inboxes = createInboxes();
    const order: string[] = [];
    const slow = inboxes.open({
      handle(text) {
        const end = performance.now() + 3;
        while (performance.now() < end);
        order.push(`slow ${text}`);
      },
      onFlood: () => {},
    });
    const quick = inboxes.open({ handle: (text) => void order.push(`quick ${text}`), onFlood: () => {} });
    for (let n = 0; n < 6; n++) slow.receive(frame(`${n}`), true);
    quick.receive(frame('0'), true);
    // A tick has room for two of them, or for one on a busy machine.
    expect(order.length).toBeLessThan(3);
    await expect.poll(() => order).toHaveLength(7);
    expect(order.filter((each) => each.startsWith('slow'))).toEqual(first(6).map((n) => `slow ${n}`));
    expect(order.indexOf('quick 0')).toBeLessThan(order.indexOf('slow 5'));
  });

  it('allows pings of the protocol up to a burst and at a steady rate, and reports a flood of them', async () => {
    const { inbox, floods } = openInbox();
    for (let n = 0; n < protocol_pings; n++) inbox.countPing();
    for (let second = 0; second < 20; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      inbox.countPing();
    }
    expect(floods).toEqual([]);
    for (let n = 0; n < 2 * protocol_pings; n++) inbox.countPing();
    expect(floods).toEqual(['client']);
  });
});

describe('a token bucket', () => {
  it('refills to its capacity, and says exactly how long to wait', () => {
    let at = 0;
    const bucket = createTokenBucket({ capacity: 10, perSecond: 2, now: () => at });
    expect(bucket.take(10)).toBe(true);
    expect([bucket.take(1), bucket.wait(1), bucket.wait(100)]).toEqual([false, 500, 5_000]);
    at += 499;
    expect(bucket.take(1)).toBe(false);
    at += 1;
    expect([bucket.take(1), bucket.take(1)]).toEqual([true, false]);
    at += 1_000_000;
    expect([bucket.take(11), bucket.take(1)]).toEqual([true, false]);
  });
});
