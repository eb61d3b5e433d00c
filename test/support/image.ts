/** An image of any size: the start of a PNG of one pixel, then zeros. */
const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');

/** In base64, at most `characters` long. */
export function largeImage(characters: number): string {
  return Buffer.concat([head, Buffer.alloc(Math.floor((characters * 3) / 4) - head.length - 3)]).toString('base64');
}
