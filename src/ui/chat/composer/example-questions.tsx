/** Below the first question: questions that the index answers, or the progress of a new server in filling it, and first steps. */
import { useRef } from 'preact/hooks';
import type { Suggestions } from '../../../client/client.ts';
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { ask } from '../thread/thread.ts';
import { documentAddresses } from './attachments/documents.ts';
import { FirstSteps } from './first-steps.tsx';
import { buildRequest, defaultOptions } from './search-options.ts';
import { useSuggestions } from './use-suggestions.ts';

export function Examples() {
  const known = useSuggestions();
  /** Undefined until there were suggestions without documents. */
  const ofOthers = useRef<readonly string[] | undefined>(undefined);
  if (known === undefined) return null;
  const { indexing } = known;
  // Not known to a key that may not search.
  const hasModel = known.has_model !== false;
  const isOfDocuments = documentAddresses.value.length > 0;
  if (!isOfDocuments) ofOthers.current = known.questions;
  // What was suggested before a document was attached is about others.
  const { current: others } = ofOthers;
  const questions = isOfDocuments
    ? known.questions.filter((each) => others?.includes(each) === false)
    : known.questions;
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
      <FirstSteps hasModel={hasModel} />
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
