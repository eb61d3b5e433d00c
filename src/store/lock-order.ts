/** Whoever locks several rows does it in the same order as everybody else, so that no two wait for each other. */
export function inLockOrder<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
