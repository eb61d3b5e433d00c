/** Where there is no answer: the quotes that come nearest. */
import type { SearchState, TextResult } from '../../../../client/client.ts';
import { t } from '../../../language/text.ts';
import { PassageList } from './passage-list.tsx';

export function NearestQuotes({ search }: { readonly search: SearchState }) {
  const nearest = search.mode === 'text' ? (search.result as TextResult | undefined)?.nearest : undefined;
  if (nearest === undefined || nearest.length === 0) return null;
  const passages = nearest.map(({ quote, ...place }) => ({ ...place, text: quote }));
  return (
    <div class="nearest">
      <h3>{t.answer.nearest}</h3>
      <PassageList passages={passages} sources={search.sources} />
    </div>
  );
}
