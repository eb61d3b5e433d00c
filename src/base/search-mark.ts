/**
 * The marks of searches: what ends the id of a search that a restricted key started, and those of the threads that it began. An
 * id without one belongs to the account as a whole.
 */

/** The characters of an id without a mark: `s_` and 128 random bits in base64url. */
export const unmarkedLength = 24;

/** The mark in an id; empty if it has none. */
export function markIn(id: string): string {
  return id.slice(unmarkedLength);
}
