/** What went wrong in a search that went on, below its answer. */
import type { SearchState } from '../../../../client/client.ts';
import { counted } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';
import { describeWarning } from './warning-text.ts';

export function Warnings({ search: { warnings } }: { readonly search: SearchState }) {
  if (warnings.length === 0) return null;
  // An answer of quotes alone, in the place of one that a model would have written, needs its reason.
  const isModelLost = warnings.some(({ code }) => code === 'model_failed');
  return (
    <details class="warnings" open={isModelLost}>
      <summary>{counted(t.ending.warnings, warnings.length)}</summary>
      <ul>
        {[...new Set(warnings.map(describeWarning))].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}
