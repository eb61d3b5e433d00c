/** Refuses files that are empty or too large before they are sent, in the language of the page. */
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { formatBytes } from '../format.ts';

/** The server's limit, `sourceLimits.upload_bytes`. */
const maxBytes = 20 * 1024 * 1024;

/** Why the server would not take a file of this size; undefined if it would. */
export function whyRefused({ size }: File): string | undefined {
  if (size === 0) return t.documents.empty;
  if (size <= maxBytes) return undefined;
  return fill(t.documents.tooLarge, { size: formatBytes(size), max: formatBytes(maxBytes) });
}
