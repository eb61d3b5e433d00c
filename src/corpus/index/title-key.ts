/** A title or query reduced to its words, so that a query that is a page's title finds that page. */
export function titleKey(title: string): string {
  return title
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
