/** Images in base64 of any form become the same bytes, whatever their size. */
import { describe, expect, it } from 'vitest';
import { createImageReader } from '../../src/web/images.ts';

const reader = { readBytes: () => Promise.reject(new Error('nothing is fetched')) };
const images = createImageReader({ reader, allowHosts: [], hasModel: true });
const open = (image: string) => images.open(image, 'one', AbortSignal.timeout(20_000));
const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
/** The first bytes of a PNG, and more that differ from each other. */
const png = (size: number) =>
  Buffer.concat([head, Buffer.from(Uint8Array.from({ length: size }, (_, n) => (n * 7919) >>> 3))]);

describe('base64', () => {
  it.each([1, 2, 3, 4, 5].flatMap((more) => [100 + more, 3_000_000 + more]))('of %i bytes is decoded', async (size) => {
    const bytes = png(size);
    const base64 = bytes.toString('base64');
    for (const form of [
      base64,
      base64.replace(/=+$/, ''),
      bytes.toString('base64url'),
      `data:image/png;base64,${base64}`,
      base64.replace(/.{76}/g, '$&\r\n'),
      `${base64}\n \n`,
      ` ${base64.slice(0, 10)}\t${base64.slice(10)}`,
    ]) {
      const held = await open(form);
      expect(bytes.equals(held!.image()!.bytes)).toBe(true);
      held!.release();
    }
  });

  it.each([
    '',
    'no image: ä',
    `${png(2_000_000).toString('base64')}!`,
    `${png(10).toString('base64')}=A`,
    'data:image/png;base64,',
  ])('that is none is refused', async (text) => {
    await expect(open(text)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('keeps no image that no model will see', async () => {
    const blind = createImageReader({ reader, allowHosts: [], hasModel: false });
    expect(await blind.open(png(100).toString('base64'), 'one', AbortSignal.timeout(1_000))).toBeUndefined();
    await expect(blind.open('AAAA', 'one', AbortSignal.timeout(1_000))).rejects.toMatchObject({
      code: 'validation_error',
    });
  });
});

describe('the memory of images', () => {
  const [maxBytes, reserveBytes, ownBytes] = [2_000, 1_000, 600];
  const bounded = createImageReader({
    reader,
    allowHosts: [],
    hasModel: true,
    memory: { maxBytes, reserveBytes, ownBytes, what: 'images' },
  });
  const base64 = png(500).toString('base64');
  const hold = (owner: string) => bounded.open(base64, owner, AbortSignal.timeout(20_000));

  it('is bounded, with a reserve for those who hold little, and free again once an image is released', async () => {
    const held = [await hold('one'), await hold('one'), await hold('one')];
    await expect(hold('one')).rejects.toMatchObject({ code: 'overloaded', message: expect.stringContaining('images') });
    const other = await hold('two');
    other!.release();
    held[0]!.release();
    held[0]!.release();
    expect(held[0]!.image()).toBeUndefined();
    const again = await hold('one');
    for (const each of [...held, again]) each!.release();
    await Promise.all([hold('one'), hold('one'), hold('one')]);
  });

  it('is taken by images while they arrive', async () => {
    const slow = createImageReader({
      reader: {
        readBytes(_, { take }, signal) {
          take?.(500);
          return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        },
      },
      allowHosts: [],
      hasModel: true,
      memory: { maxBytes, reserveBytes, ownBytes, what: 'images' },
    });
    const left = new AbortController();
    const fetched = (owner: string) => slow.open('https://a.example/i.png', owner, left.signal);
    const arriving = [fetched('one'), fetched('one'), fetched('one'), fetched('one')];
    await expect(fetched('one')).rejects.toMatchObject({ code: 'overloaded' });
    left.abort(new Error('left'));
    for (const each of arriving) await expect(each).rejects.toThrow('left');
    const again = new AbortController();
    const free = slow.open('https://a.example/i.png', 'one', again.signal);
    again.abort(new Error('left again'));
    await expect(free).rejects.toThrow('left again');
  });
});
