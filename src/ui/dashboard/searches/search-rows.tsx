/** Searches that have ended, a row each. */
import type { SearchList } from '../../../../protocol/index.ts';
import { Link } from '../address.tsx';
import { Badge } from '../parts.tsx';
import { agoWords, dateTimeWords, spanWords } from '../words.ts';

type Item = SearchList['items'][number];

export function SearchRows({ items }: { readonly items: readonly Item[] }) {
  return (
    <ul class="rows" aria-label="Searches">
      {items.map(({ search_id, prompt, state, mode, created_at, ended_at }) => (
        <li key={search_id} class="row row-link">
          <div class="row-main">
            <Link class="row-title" to={`/searches/${search_id}`}>
              {prompt}
            </Link>
            <span class="row-about">
              <span title={dateTimeWords(created_at)}>{agoWords(created_at)}</span>
              <span>{spanWords(Date.parse(ended_at) - Date.parse(created_at))}</span>
              <span>{mode === 'structured' ? 'structured' : 'text'}</span>
            </span>
          </div>
          {state !== 'completed' && <StateBadge state={state} />}
        </li>
      ))}
    </ul>
  );
}

export function StateBadge({ state }: { readonly state: Item['state'] }) {
  const tone = { completed: 'good', failed: 'bad', cancelled: 'plain', running: 'accent' } as const;
  return <Badge tone={tone[state]}>{state}</Badge>;
}
