/** The queries of one search that were made: none is made twice, however it is spelt. */

export interface QueryDedup {
  /** Those of `queries` that were not made, each once. */
  unseen(queries: readonly string[]): string[];
  add(queries: readonly string[]): void;
  /** All may be made again. */
  clear(): void;
}

export function createQueryDedup(): QueryDedup {
  const asked = new Set<string>();
  return {
    unseen(queries) {
      const seen = new Set(asked);
      return queries.filter((query) => {
        const key = keyOf(query);
        if (key === '' || seen.has(key)) return false;
        seen.add(key);
        return true;
      });
    },
    add: (queries) => queries.forEach((query) => void asked.add(keyOf(query))),
    clear: () => asked.clear(),
  };
}

/** Queries that differ in case, blanks or punctuation are one. */
function keyOf(query: string): string {
  return query
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
