/** Questions that the index answers, or how far a new server is with filling it. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Suggestions } from '../../../client/client.ts';
import { signedIn } from '../../account/signed-in.ts';
import { ask } from '../thread/thread.ts';
import { buildRequest, defaultOptions } from './search-options.ts';

/** ms between two looks while the index is filled; set by hand. */
const pollMs = 700;

export function Examples() {
  const known = useSignal<Suggestions | undefined>(undefined);
  const client = signedIn.value?.client;
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      // Without suggestions the page is as useful: a failure is not shown.
      const found = await client?.suggestions({ signal: leaving.signal }).catch(() => undefined);
      if (leaving.signal.aborted || found === undefined) return;
      known.value = found;
      if (found.indexing !== undefined) timer = setTimeout(look, pollMs);
    };
    void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [client]);
  const { questions = [], indexing } = known.value ?? {};
  return (
    <>
      {indexing !== undefined && <Indexing {...indexing} />}
      {questions.length > 0 && (
        <ul class="examples" aria-label="Example questions">
          {questions.map((prompt) => (
            <li key={prompt}>
              <button type="button" class="example" onClick={() => ask(buildRequest(prompt, defaultOptions))}>
                {prompt}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Indexing({ done, total }: NonNullable<Suggestions['indexing']>) {
  return (
    <div class="indexing">
      <p role="status">Indexing the documentation…</p>
      <progress aria-label="Indexed pages" max={Math.max(total, 1)} value={done} />
      <span>{total > 0 && `${done} of ${total} pages`}</span>
    </div>
  );
}
