/** Mozilla's Readability on linkedom. */
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';

/** The main text of a page, '' where it finds none; throws on some pages. */
export function readByReadability(html: string): string {
  const { document } = parseHTML(html);
  return new Readability(document).parse()?.textContent ?? '';
}
