/** Under an answer: what the sources that it does not cite have about the question. */
import type { SearchState } from '../../../client/client.ts';
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
        <h3>More in the sources</h3>
        <span class="more-count">
          {passages.length} {passages.length === 1 ? 'passage' : 'passages'}
        </span>
      </summary>
      <PassageList passages={passages} sources={sources} />
    </details>
  );
}
