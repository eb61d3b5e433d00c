/** A list of searches, one row each: finished, or in the background. */
import type { ComponentChildren } from 'preact';
import { formatAgo, formatDateTime, formatDuration } from '../../components/format.ts';
import { t } from '../../language/dashboard/text.ts';
import { t as chat } from '../../language/text.ts';
import { Badge } from '../badge.tsx';
import { Link } from '../router.tsx';
import { channelOf, durationOf, type Item, outcomeOf } from './search-names.ts';

interface RowsProps {
  readonly items: readonly Item[];
  readonly label?: string;
  /** The name of a key; keys are not shown without. */
  readonly nameOf?: ((key_id: string) => string) | undefined;
  /** What can be done with one. */
  readonly actions?: (item: Item) => ComponentChildren;
}

export function SearchRows({ items, label = t.shell.searches, nameOf, actions }: RowsProps) {
  return (
    <ul class="rows" aria-label={label}>
      {items.map((item) => (
        <SearchRow key={item.search_id} of={item} nameOf={nameOf}>
          {actions?.(item)}
        </SearchRow>
      ))}
    </ul>
  );
}

interface RowProps extends Pick<RowsProps, 'nameOf'> {
  readonly of: Item;
  readonly children?: ComponentChildren;
}

function SearchRow({ of: item, nameOf, children }: RowProps) {
  const { search_id, prompt, mode, created_at, progress, key_id } = item;
  return (
    <li class="row row-link">
      <div class="row-main">
        <Link class="row-title" to={`/searches/${search_id}`}>
          {prompt}
        </Link>
        <span class="row-about">
          <span title={formatDateTime(created_at)}>{formatAgo(created_at)}</span>
          <span>{formatDuration(durationOf(item))}</span>
          {progress !== undefined && <span>{progress}</span>}
          <span>{channelOf(item)}</span>
          {nameOf !== undefined && key_id !== undefined && <span>{nameOf(key_id)}</span>}
          {mode === 'structured' && <span>{t.searches.structured}</span>}
        </span>
      </div>
      <OutcomeBadge of={item} />
      {children !== undefined && <div class="row-actions row-above">{children}</div>}
    </li>
  );
}

const tones = {
  answered: 'good',
  partial: 'warn',
  not_found: 'plain',
  conflicting: 'warn',
  completed: 'good',
  failed: 'bad',
  cancelled: 'plain',
  running: 'accent',
} as const;

/** How a search ended, with why if it failed. */
export function OutcomeBadge({ of: item }: { readonly of: Pick<Item, 'state' | 'status' | 'error_code'> }) {
  const { state, status, error_code } = item;
  const titles: Readonly<Record<string, string>> = chat.failures;
  const why = error_code === undefined ? '' : `: ${titles[error_code] ?? error_code.replaceAll('_', ' ')}`;
  return <Badge tone={tones[status ?? state]}>{outcomeOf(item) + why}</Badge>;
}
