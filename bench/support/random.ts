/** Repeatable random numbers: mulberry32, 0 ≤ x < 1. */
export type Random = () => number;

/** The same seed returns the same numbers. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws whole numbers from 0 up to a limit, which is excluded. */
export function drawBelow(random: Random): (limit: number) => number {
  return (limit) => Math.floor(random() * limit);
}

/** Draws one of some values. */
export function drawAny(random: Random): <Value>(values: readonly Value[]) => Value {
  return (values) => values[Math.floor(random() * values.length)]!;
}
