/** Passages of source pages as a list of quotes, each with a button that opens its page, scrolled to it. */
import type { Source } from '../../../../client/client.ts';
import { fill } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';
import { renderMarkdown } from '../../../markdown/render.tsx';
import { type OpenedQuote, openQuote } from '../../thread/overlays.ts';
import { Monogram } from '../source-cards.tsx';

export interface Passage extends OpenedQuote {
  readonly source_id: string;
  readonly n: number;
  readonly title: string;
  readonly snapshot: string;
  readonly text: string;
}

export interface PassageListProps {
  readonly passages: readonly Passage[];
  readonly sources: readonly Source[];
}

export function PassageList({ passages, sources }: PassageListProps) {
  return (
    <ul class="passages">
      {passages.map((passage) => {
        const { snapshot, source_id, source_start, n, title, text } = passage;
        const source = sources.find(({ id }) => id === source_id);
        return (
          <li key={`${snapshot} ${source_start}`} class="quote">
            <div class="quote-source">
              {source !== undefined && <Monogram source={source} />}
              <span class="quote-title" dir="auto">
                {title}
              </span>
            </div>
            <blockquote dir="auto">{renderMarkdown(shownText(text), { links: false }).nodes}</blockquote>
            <div class="quote-foot">
              <span>{n}</span>
              <button
                type="button"
                class="quote-open"
                aria-label={fill(t.answer.viewOf, { title })}
                onClick={() => openQuote(passage, sources)}
              >
                {t.answer.view}
              </button>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** A row of a table as its cells, since it is shown without its table. */
function shownText(text: string): string {
  if (!text.startsWith('|')) return text;
  return text
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ');
}
