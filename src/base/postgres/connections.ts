/** How many connections to Postgres a server opens when it is busy. */

/** Connections of the store, and of any other pool that says nothing else. Set by hand. */
export const storeConnections = 10;
/**
 * Connections of the corpus: for searches, of which one uses up to two, and for each of the two ways to write: all that write wait for
 * the same lock.
 */
export const corpusConnections = { reading: 4, writing: 2 };

/** How many a server has. With embeddings, building the index over vectors has another one. */
export function connectionsOf(corpus: 'none' | 'words' | 'vectors'): number {
  if (corpus === 'none') return storeConnections;
  const { reading, writing } = corpusConnections;
  return storeConnections + reading + 2 * writing + (corpus === 'vectors' ? 1 : 0);
}
