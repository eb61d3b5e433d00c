/** The queries that one search has made. None is made twice, however it is spelt. */

export interface QueryDedup {
  /** Those of `queries` that were not made yet, each once. */
  unseen(queries: readonly string[]): string[];
  add(queries: readonly string[]): void;
  /** Forgets all: they may be made again. */
  clear(): void;
}

/** Without any queries yet. Queries that differ only in case, whitespace or punctuation are the same. */
export function createQueryDedup(): QueryDedup {
  const made = new Set<string>();
  return {
    unseen(queries) {
      const seen = new Set(made);
      return queries.filter((query) => {
        const key = keyOf(query);
        if (key === '' || seen.has(key)) return false;
        seen.add(key);
        return true;
      });
    },
    add: (queries) => queries.forEach((query) => void made.add(keyOf(query))),
    clear: () => made.clear(),
  };
}

/** Whether two queries differ only in case, whitespace or punctuation. */
export function isSameQuery(a: string, b: string): boolean {
  return keyOf(a) === keyOf(b);
}

function keyOf(query: string): string {
  return query
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
