/** A list of searches, one row each: finished, or in the background. */
import type { ComponentChildren } from 'preact';
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

interface RowsProps {
  readonly items: readonly Item[];
  readonly label?: string;
  /** What can be done with one. */
  readonly actions?: (item: Item) => ComponentChildren;
}

export function SearchRows({ items, label = 'Searches', actions }: RowsProps) {
  return (
    <ul class="rows" aria-label={label}>
      {items.map((item) => (
        <SearchRow key={item.search_id} of={item}>
          {actions?.(item)}
        </SearchRow>
      ))}
    </ul>
  );
}

function SearchRow({ of: item, children }: { readonly of: Item; readonly children?: ComponentChildren }) {
  const { search_id, prompt, state, mode, door, created_at, ended_at, progress } = item;
  return (
    <li class="row row-link">
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
      {children !== undefined && <div class="row-actions row-above">{children}</div>}
    </li>
  );
}

export function StateBadge({ state }: { readonly state: Item['state'] }) {
  const tone = { completed: 'good', failed: 'bad', cancelled: 'plain', running: 'accent' } as const;
  return <Badge tone={tone[state]}>{state}</Badge>;
}
