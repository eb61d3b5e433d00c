/** Below the first question: questions that the index answers, or the progress of a new server in filling it, and first steps. */
import type { Suggestions } from '../../../client/client.ts';
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { ask } from '../thread/thread.ts';
import { documentAddresses } from './documents.ts';
import { FirstSteps } from './first-steps.tsx';
import { buildRequest, defaultOptions } from './search-options.ts';
import { useSuggestions } from './use-suggestions.ts';

export function Examples() {
  const known = useSuggestions();
  if (known === undefined) return null;
  const { questions, indexing, has_model = false } = known;
  return (
    <>
      {indexing !== undefined && <Indexing {...indexing} />}
      {questions.length > 0 && (
        <ul class="examples" aria-label={t.composer.examples}>
          {questions.map((prompt) => (
            <li key={prompt}>
              <button
                type="button"
                class="example"
                dir="auto"
                onClick={() => ask(buildRequest(prompt, defaultOptions, documentAddresses.value))}
              >
                {prompt}
              </button>
            </li>
          ))}
        </ul>
      )}
      <FirstSteps hasModel={has_model} />
    </>
  );
}

function Indexing({ done, total }: NonNullable<Suggestions['indexing']>) {
  return (
    <div class="indexing">
      <p role="status">{t.composer.indexing}</p>
      <progress aria-label={t.composer.indexedPages} max={Math.max(total, 1)} value={done} />
      <span>{total > 0 && fill(t.composer.indexed, { done, total })}</span>
    </div>
  );
}
