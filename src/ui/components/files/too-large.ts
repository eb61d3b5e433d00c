/** Refuses files that are too large before they are sent, in the language of the page. */
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { formatBytes } from '../format.ts';

/** The server's limit, `sourceLimits.upload_bytes`. */
const maxBytes = 20 * 1024 * 1024;

/** Why the server would not take a file of this size; undefined if it would. */
export function whyTooLarge({ size }: File): string | undefined {
  if (size <= maxBytes) return undefined;
  return fill(t.documents.tooLarge, { size: formatBytes(size), max: formatBytes(maxBytes) });
}
