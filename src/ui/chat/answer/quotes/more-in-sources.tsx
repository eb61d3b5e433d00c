/** Under an answer: what the sources that it does not cite have about the question. */
import type { SearchState } from '../../../../client/client.ts';
import { counted } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';
import { PassageList } from './passage-list.tsx';

/** More passages than this are folded away; set by hand: about as high as an answer. */
const maxOpen = 2;

export function MoreInSources({ search }: { readonly search: SearchState }) {
  const { citations, sources, state, status } = search;
  if (state !== 'completed' || status === 'not_found') return null;
  const cited = new Set(citations.map(({ source_id }) => source_id));
  const passages = sources.flatMap(({ id, n, title, snapshot, excerpt }) =>
    excerpt === undefined || cited.has(id) ? [] : [{ source_id: id, n, title, snapshot, ...excerpt }],
  );
  if (passages.length === 0) return null;
  return (
    <details class="more" open={passages.length <= maxOpen}>
      <summary>
        <h3>{t.answer.more}</h3>
        <span class="more-count">{counted(t.answer.passages, passages.length)} </span>
      </summary>
      <PassageList passages={passages} sources={sources} />
    </details>
  );
}
