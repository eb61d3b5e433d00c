/** A list of searches, one row each: finished, or in the background. */
import type { SearchList } from '../../../../protocol/index.ts';
import { formatAgo, formatDateTime, formatDuration } from '../../components/format.ts';
import { Badge } from '../badge.tsx';
import { Link } from '../router.tsx';

type Item = SearchList['items'][number];

/** What people call the protocols of other clients. */
const doorNames: Record<Item['door'], string> = {
  native: 'Citewire',
  openai: 'OpenAI chat completions',
  responses: 'OpenAI responses',
  'ai-sdk': 'AI SDK',
  tavily: 'Tavily',
  'open-webui': 'Open WebUI',
  mcp: 'MCP',
};

export function SearchRows({ items }: { readonly items: readonly Item[] }) {
  return (
    <ul class="rows" aria-label="Searches">
      {items.map(({ search_id, prompt, state, mode, door, created_at, ended_at, progress }) => (
        <li key={search_id} class="row row-link">
          <div class="row-main">
            <Link class="row-title" to={`/searches/${search_id}`}>
              {prompt}
            </Link>
            <span class="row-about">
              <span title={formatDateTime(created_at)}>{formatAgo(created_at)}</span>
              <span>
                {formatDuration((ended_at === undefined ? Date.now() : Date.parse(ended_at)) - Date.parse(created_at))}
              </span>
              {progress !== undefined && <span>{progress}</span>}
              <span>{mode === 'structured' ? 'structured' : 'text'}</span>
              {door !== 'native' && <span>by {doorNames[door]}</span>}
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
