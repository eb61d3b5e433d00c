/** A source in the list: how far it is indexed, and what of it could not be read. */
import type { IndexedSource } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { formatAgo, formatBytes, formatDateTime, formatNumber } from '../../components/format.ts';
import { Badge } from '../badge.tsx';

interface SourceRowProps {
  readonly of: IndexedSource;
  readonly mayChange: boolean;
  readonly onIndex: () => void;
  readonly onRemove: () => void;
}

const kinds: Record<IndexedSource['kind'], string> = {
  folder: 'folder',
  url: 'page',
  sitemap: 'sitemap',
  file: 'file',
  packages: 'documentation of this server',
  installed: 'documentation of this server',
};

export function SourceRow({ of: source, mayChange, onIndex, onRemove }: SourceRowProps) {
  const { kind, name, shared, state, pages, bytes, done, total, indexed_at, failed, failures, reason } = source;
  const isBusy = state === 'waiting' || state === 'indexing';
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {name} {state === 'failed' && <Badge tone="bad">failed</Badge>}
          {isBusy && <Badge tone="warn">{state === 'waiting' ? 'waiting' : 'indexing'}</Badge>}
          {shared && <Badge tone="plain">for everybody</Badge>}
        </span>
        <span class="row-about">
          <span>{kinds[kind]}</span>
          <span>{pages === 1 ? '1 page' : `${formatNumber(pages)} pages`}</span>
          <span>{formatBytes(bytes)}</span>
          {indexed_at !== undefined && (
            <span title={formatDateTime(indexed_at)}>
              {isBusy ? 'last ' : ''}indexed {formatAgo(indexed_at)}
            </span>
          )}
        </span>
        {isBusy && total > 1 && (
          <progress class="source-progress" max={total} value={done} aria-label={`Indexing ${name}`} />
        )}
        {reason !== undefined && <span class="source-reason">{reason}</span>}
        {failed > 0 && failures.length > 0 && (
          <details>
            <summary>
              {failed === 1 ? '1 page could not be read' : `${formatNumber(failed)} pages could not be read`}
            </summary>
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
            <Button look="quiet" aria-label={`Index again: ${name}`} onClick={onIndex}>
              Index again
            </Button>
          )}
          <Button look="danger" aria-label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      )}
    </li>
  );
}
