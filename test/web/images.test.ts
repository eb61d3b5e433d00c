/** Images in base64 of any form become the same bytes, whatever their size. */
import { describe, expect, it } from 'vitest';
import { createImageReader } from '../../src/web/images.ts';

const reader = { readBytes: () => Promise.reject(new Error('nothing is fetched')) };
const images = createImageReader({ reader, allowHosts: [], hasModel: true });
const open = (image: string) => images.open(image, AbortSignal.timeout(20_000));
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
      const image = await open(form);
      expect(image !== undefined && bytes.equals(image.bytes)).toBe(true);
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
    expect(await blind.open(png(100).toString('base64'), AbortSignal.timeout(1_000))).toBeUndefined();
    await expect(blind.open('AAAA', AbortSignal.timeout(1_000))).rejects.toMatchObject({ code: 'validation_error' });
  });
});
