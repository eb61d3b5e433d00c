/** Citations as OpenAI's clients read them: each annotation spans a marker `[n]` of the text and names its page. */
import type { Citation, Source, UrlCitation } from '../../../protocol/index.ts';

/** The annotations of a text, in its order, one a marker. `source` gives the titles. */
export function annotationsOf(
  text: string,
  citations: readonly Citation[],
  sources: readonly Source[],
): readonly UrlCitation[] {
  const titles = new Map(sources.map(({ id, title }) => [id, title]));
  const byStart = new Map<number, UrlCitation>();
  for (const { n, source_id, url, start, end } of citations) {
    const marker = `[${n}]`;
    // It follows the sentence that it supports.
    const after = text.indexOf(marker, end);
    const at = after === -1 ? text.indexOf(marker, start) : after;
    if (at === -1 || byStart.has(at)) continue;
    byStart.set(at, { start_index: at, end_index: at + marker.length, url, title: titles.get(source_id) || url });
  }
  return [...byStart.values()].sort((a, b) => a.start_index - b.start_index);
}
