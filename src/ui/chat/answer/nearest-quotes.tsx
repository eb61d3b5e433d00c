/** Where there is no answer: the quotes that come nearest, each with a button that opens its page, scrolled to it. */
import type { NearestQuote, SearchState, TextResult } from '../../../client/client.ts';
import { renderMarkdown } from '../../markdown/render.tsx';
import { openQuote } from '../thread/overlays.ts';
import { Monogram } from './source-cards.tsx';

export function NearestQuotes({ search }: { readonly search: SearchState }) {
  const nearest = search.mode === 'text' ? (search.result as TextResult | undefined)?.nearest : undefined;
  if (nearest === undefined || nearest.length === 0) return null;
  return (
    <section class="nearest" aria-label="Nearest passages">
      <h3>The nearest passages</h3>
      <ul>
        {nearest.map((near) => {
          const source = search.sources.find(({ id }) => id === near.source_id);
          return (
            <li key={`${near.snapshot} ${near.source_start}`} class="quote">
              <div class="quote-source">
                {source !== undefined && <Monogram source={source} />}
                <span class="quote-title">{near.title}</span>
              </div>
              <blockquote>{renderMarkdown(shownText(near), { links: false }).nodes}</blockquote>
              <div class="quote-foot">
                <span>{near.n}</span>
                <button type="button" class="quote-open" onClick={() => openQuote(near, search.sources)}>
                  View in source
                </button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A row of a table as its cells, since it is shown without its table. */
function shownText({ quote }: NearestQuote): string {
  if (!quote.startsWith('|')) return quote;
  return quote
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ');
}
