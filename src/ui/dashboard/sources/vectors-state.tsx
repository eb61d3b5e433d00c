/** How many passages of the index can be found by meaning, where an embedding model is configured, and what went wrong last. */
import type { IndexVectors } from '../../../../protocol/index.ts';
import { formatAgo } from '../../components/format.ts';
import { t } from '../../language/dashboard/text.ts';
import { fill } from '../../language/message.ts';

export function VectorsState({ of: { model, done, total, reason, last_error } }: { readonly of: IndexVectors }) {
  return (
    <div class="page-about" role="status">
      <p>{reason ?? fill(t.sources.vectors, { done, total, model })}</p>
      {last_error !== undefined && (
        <p>{fill(t.sources.vectorsFailed, { ago: formatAgo(last_error.at), reason: last_error.reason })}</p>
      )}
    </div>
  );
}
