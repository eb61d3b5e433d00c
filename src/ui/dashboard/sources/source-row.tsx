/** A source in the list: how far it is indexed, and what of it could not be read. */
import type { IndexedSource } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { formatAgo, formatBytes, formatDateTime } from '../../components/format.ts';
import { t } from '../../language/dashboard/text.ts';
import { counted, fill } from '../../language/message.ts';
import { Badge } from '../badge.tsx';

interface SourceRowProps {
  readonly of: IndexedSource;
  readonly mayChange: boolean;
  readonly onIndex: () => void;
  readonly onRemove: () => void;
}

export function SourceRow({ of: source, mayChange, onIndex, onRemove }: SourceRowProps) {
  const { kind, name, shared, state, pages, bytes, done, total, indexed_at, failed, failures, reason } = source;
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
          <span>{t.sourceKinds[kind]}</span>
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
        {reason !== undefined && <span class="source-reason">{reason}</span>}
        {failed > 0 && failures.length > 0 && (
          <details>
            <summary>{counted(t.sources.unreadable, failed)}</summary>
            <ul class="source-failures">
              {failures.map((failure) => (
                <li key={failure.source}>
                  <code>{failure.source}</code>: {failure.reason}
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
