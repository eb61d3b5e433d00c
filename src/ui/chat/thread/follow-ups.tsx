/** Questions to ask next, below the last answer: empty until the server has found some, which moves nothing above. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SearchInput } from '../../../client/client.ts';
import { signedIn } from '../../account/signed-in.ts';
import { t } from '../../language/text.ts';
import { ask } from './thread.ts';
import type { Turn } from './turn.ts';

const none: readonly string[] = [];

export function FollowUps({ turn }: { readonly turn: Turn }) {
  const questions = useSignal(none);
  const client = signedIn.value?.client;
  const { search_id, status, mode } = turn.search.value;
  const isAnswered = mode === 'text' && (status === 'answered' || status === 'partial' || status === 'conflicting');
  useEffect(() => {
    if (client === undefined || search_id === undefined || !isAnswered) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    // A failure is not shown, since the answer is complete without them.
    client.followUps(search_id, { signal }).then(
      (found) => {
        if (!signal.aborted) questions.value = found.questions;
      },
      () => {},
    );
    return () => leaving.abort();
  }, [client, search_id, isAnswered]);
  if (questions.value.length === 0) return null;
  return (
    <nav class="follow-ups" aria-label={t.followUps.label}>
      <p aria-hidden="true">{t.followUps.label}</p>
      <ul>
        {questions.value.map((prompt) => (
          <li key={prompt}>
            <button type="button" class="example" dir="auto" onClick={() => ask(likeBefore(turn.request, prompt))}>
              {prompt}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The question with the sources, dates and effort that were chosen for the one before. */
function likeBefore(request: SearchInput | undefined, prompt: string): SearchInput {
  if (request === undefined) return { prompt };
  const { image: _, output_format: _format, include: _include, ...chosen } = request;
  return { ...chosen, prompt };
}
