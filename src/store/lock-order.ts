/** Rows in the order in which every transaction locks them, which prevents deadlocks. Returns a sorted copy. */
export function inLockOrder<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
