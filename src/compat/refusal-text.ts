/** What the clients of other protocols show where a search has no answer: they know only text, and an empty one is a fault. */
import type { NearestQuote, TextResult } from '../../protocol/index.ts';

/** Why there is no answer, and what comes nearest. Without markers: nothing of it is a cited answer. */
export function refusalText({ message, nearest = [] }: Pick<TextResult, 'message' | 'nearest'>): string {
  const quote = ({ quote, title, url }: NearestQuote) => `> ${quote.replace(/\s+/g, ' ')}\n> — ${title || url}`;
  return [message ?? 'No source that was found answers this.', ...nearest.map(quote)].join('\n\n');
}
