/** Where there is no answer: the quotes that come nearest. */
import type { SearchState, TextResult } from '../../../client/client.ts';
import { PassageList } from './passage-list.tsx';

export function NearestQuotes({ search }: { readonly search: SearchState }) {
  const nearest = search.mode === 'text' ? (search.result as TextResult | undefined)?.nearest : undefined;
  if (nearest === undefined || nearest.length === 0) return null;
  const passages = nearest.map(({ quote, ...place }) => ({ ...place, text: quote }));
  return (
    <section class="nearest" aria-label="Nearest passages">
      <h3>The nearest passages</h3>
      <PassageList passages={passages} sources={search.sources} />
    </section>
  );
}
