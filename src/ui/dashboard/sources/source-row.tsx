/** A source in the list: how far it is indexed, and what of it could not be read. */
import type { IndexedSource } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { formatAgo, formatBytes, formatDateTime } from '../../components/format.ts';
import { language } from '../../language/choice.ts';
import { t } from '../../language/dashboard/text.ts';
import { counted, fill } from '../../language/message.ts';
import { describeSentence } from '../../language/server-text.ts';
import { Badge } from '../badge.tsx';

interface SourceRowProps {
  readonly of: IndexedSource;
  readonly mayChange: boolean;
  readonly onIndex: () => void;
  readonly onRemove: () => void;
}

export function SourceRow({ of: source, mayChange, onIndex, onRemove }: SourceRowProps) {
  const {
    kind,
    shared,
    state,
    pages,
    bytes,
    done,
    total,
    indexed_at,
    failed,
    failures,
    truncations = [],
    reason,
  } = source;
  const name = sourceName(source);
  const isBusy = state === 'waiting' || state === 'indexing';
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {name} {state === 'failed' && <Badge tone="bad">{t.sources.failed}</Badge>}
          {isBusy && <Badge tone="warn">{state === 'waiting' ? t.sources.waiting : t.sources.indexing}</Badge>}
          {shared && <Badge tone="plain">{t.sources.shared}</Badge>}
        </span>
        <span class="row-about">
          {name.toLowerCase() !== t.sourceKinds[kind].toLowerCase() && <span>{t.sourceKinds[kind]}</span>}
          <span>{counted(t.sources.pages, pages)}</span>
          <span>{formatBytes(bytes)}</span>
          {indexed_at !== undefined && (
            <span title={formatDateTime(indexed_at)}>
              {fill(isBusy ? t.sources.lastIndexed : t.sources.indexed, { when: formatAgo(indexed_at) })}
            </span>
          )}
        </span>
        {isBusy && total > 1 && (
          <progress
            class="source-progress"
            max={total}
            value={done}
            aria-label={fill(t.sources.indexingOf, { name })}
          />
        )}
        {reason !== undefined && <span class="source-reason">{describeSentence(reason)}</span>}
        {failed > 0 && failures.length > 0 && (
          <details>
            <summary>{counted(t.sources.unreadable, failed)}</summary>
            <ul class="source-failures">
              {failures.map((failure) => (
                <li key={failure.source}>
                  <code>{failure.source}</code>: {describeSentence(failure.reason)}
                </li>
              ))}
            </ul>
          </details>
        )}
        {source.truncated !== undefined && (
          <details>
            <summary>{counted(t.sources.truncated, source.truncated)}</summary>
            <ul class="source-failures">
              {truncations.map((page) => (
                <li key={page}>
                  <code>{page}</code>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {mayChange && (
        <div class="row-actions">
          {!isBusy && (
            <Button look="quiet" aria-label={fill(t.sources.againOf, { name })} onClick={onIndex}>
              {t.sources.again}
            </Button>
          )}
          <Button look="danger" aria-label={fill(t.common.removeOf, { name })} onClick={onRemove}>
            {t.common.remove}
          </Button>
        </div>
      )}
    </li>
  );
}

/** The server's own documentation is called what it is in the language of the page: the server has an English name for it. */
export function sourceName({ kind, name }: Pick<IndexedSource, 'kind' | 'name'>): string {
  const isOwn = kind === 'packages' || kind === 'installed';
  if (!isOwn || language === 'en') return name;
  const title = t.sourceKinds[kind];
  return title.charAt(0).toUpperCase() + title.slice(1);
}
