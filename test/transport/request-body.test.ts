/** Bodies as they arrive: kept while they are needed, within a budget that all of them share. */
import { describe, expect, it } from 'vitest';
import { createRequestBody } from '../../src/transport/request-body.ts';

const chunk = (bytes: number) => new ArrayBuffer(bytes);
const megabyte = 1024 * 1024;

function arriving(length: number, budget = { held: 0 }, gone = new AbortController().signal) {
  return { body: createRequestBody({ length, chunked: false }, budget, gone), budget };
}

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
    body.add(new TextEncoder().encode('def').buffer, true);
    expect(new TextDecoder().decode(await body.whole())).toBe('abcdef');
  });

  it('counts a body in the budget until it is whole, dropped, too large, or its client has left', async () => {
    const leaving = new AbortController();
    const budget = { held: 0 };
    const [whole, dropped, large, left] = [20, 20, 20, 20].map(
      (megabytes) => arriving(megabytes * 1_000, budget, leaving.signal).body,
    );
    for (const body of [whole, dropped, large, left]) body!.add(chunk(megabyte), false);
    expect(budget.held).toBe(4 * megabyte);
    whole!.add(chunk(1), true);
    expect(budget.held).toBe(3 * megabyte);
    dropped!.drop();
    dropped!.add(chunk(megabyte), false);
    expect(budget.held).toBe(2 * megabyte);
    for (let sent = 0; sent < 14; sent++) large!.add(chunk(megabyte), false);
    await expect(large!.whole()).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(budget.held).toBe(megabyte);
    leaving.abort(new Error('left'));
    await expect(left!.whole()).rejects.toThrow('left');
    expect(budget.held).toBe(0);
  });

  it('refuses a body as overload above 256 MiB in total, and frees what it held', async () => {
    const budget = { held: 256 * megabyte - 10 };
    const { body } = arriving(1_000, budget);
    body.add(chunk(10), false);
    body.add(chunk(1), false);
    await expect(body.whole()).rejects.toMatchObject({ code: 'overloaded', status: 503 });
    expect(budget.held).toBe(256 * megabyte - 10);
    body.add(chunk(989), true);
    await body.over;
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
