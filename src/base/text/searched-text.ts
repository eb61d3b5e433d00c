/** What searching in a prompt looks in. */

/** UTF-16 units that are looked through, one search after another. Set by hand. */
const maxLength = 2_000;

/** The beginning of a prompt in lower case. */
export function searchedText(prompt: string | undefined): string {
  return (prompt ?? '').slice(0, maxLength).toLowerCase();
}
