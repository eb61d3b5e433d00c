/** Lists that are kept, without the room to grow that they were built with: V8 gives a list of two elements room for 17. */

const empty: readonly never[] = [];

/** A copy that takes no more memory than its elements do; all empty lists are one. */
export function trim<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? empty : list.slice();
}

/** Trims each list of a map, in place. */
export function trimLists<K, T>(lists: Map<K, T[]>): void {
  for (const [key, list] of lists) if (list.length > 1) lists.set(key, list.slice());
}
