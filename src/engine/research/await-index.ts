/**
 * The first search of a new server may come while its index is being built. It waits for a while, as a step with its
 * progress, and says so if it continues with a part of the index: otherwise a newcomer's first answer would be "not found".
 */

import type { SearchEvent } from '../../../protocol/index.ts';
import { untilAborted } from '../../base/abort.ts';
import type { SearchContext } from '../search-context.ts';

/** The longest wait, and the time between two progress events, ms. Set by hand: the first indexing takes a few seconds. */
const maxWaitMs = 10_000;
const progressMs = 300;

/** Waits for the index if it is being built. Rejects only with the signal's reason. */
export async function* awaitIndex({ ports, state, signal }: SearchContext): AsyncGenerator<SearchEvent, void> {
  const indexing = ports.corpus.initialIndexing?.();
  if (indexing === undefined) return;
  const { step_id, started, finish } = state.begin({ kind: 'search', title: 'Waiting for the index' });
  yield started;
  let isFilled = false;
  const filled = indexing.ended.then(() => {
    isFilled = true;
  });
  const until = performance.now() + maxWaitMs;
  while (!isFilled && performance.now() < until) {
    yield { type: 'step.progress', step_id, message: 'Indexing', ...indexing.progress() };
    let timer: NodeJS.Timeout | undefined;
    const pause = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, progressMs);
    });
    await untilAborted(Promise.race([filled, pause]), signal).finally(() => clearTimeout(timer));
  }
  const { done, total } = indexing.progress();
  yield finish(isFilled ? 'the index is complete' : `${done} of ${total} pages are indexed`);
  if (isFilled) return;
  const message = `The index is still being built: ${done} of ${total} pages so far. Ask again in a moment.`;
  yield { type: 'warning', code: 'index_incomplete', message };
}
