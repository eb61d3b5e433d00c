/** How many connections to Postgres a server opens when it is busy. */

/** Of the store, and of any other pool that says nothing else. Set by hand. */
export const storeConnections = 10;
/**
 * Of the corpus: for searches, of which one uses up to two, and for each of the two ways to write: all that write wait for the same
 * lock.
 */
export const corpusConnections = { reading: 4, writing: 2 };

/** Of a server. With embeddings, building the index over vectors has another one. */
export function connectionsOf(corpus: 'none' | 'words' | 'vectors'): number {
  if (corpus === 'none') return storeConnections;
  const { reading, writing } = corpusConnections;
  return storeConnections + reading + 2 * writing + (corpus === 'vectors' ? 1 : 0);
}
