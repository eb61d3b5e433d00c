/** The URLs of threads and searches on the page. */

/** The path and query of a search, in its thread if it has one. */
export function addressOf(search_id: string, thread: string | undefined): string {
  const search = `search=${encodeURIComponent(search_id)}`;
  return thread === undefined ? `/?${search}` : `/?thread=${encodeURIComponent(thread)}&${search}`;
}

/** Whether the URL names a thread or a search. */
export function isAnswerAddress(): boolean {
  const address = new URLSearchParams(location.search);
  return address.has('thread') || address.has('search');
}
