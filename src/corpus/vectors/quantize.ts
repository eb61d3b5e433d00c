/**
 * Vectors as they are kept: a byte for each dimension, scaled so that the largest is 127, which changes no angle; and a bit for
 * each, its sign, by which the closest few hundred are found in a thirtieth of the memory.
 */

/** A byte for each dimension. */
export function toBytes(vector: Float32Array): Buffer {
  let max = 0;
  for (const value of vector) max = Math.max(max, Math.abs(value));
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((value / max) * 127)).buffer);
}

/** The vector, up to its length and rounding. */
export function fromBytes(bytes: Uint8Array): Float32Array {
  return Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** A bit for each dimension, in whole bytes. */
export function toBits(vector: Float32Array): Buffer {
  const bits = Buffer.alloc(Math.ceil(vector.length / 8));
  vector.forEach((value, at) => {
    if (value > 0) bits[at >> 3]! |= 1 << (at & 7);
  });
  return bits;
}
