/** How the commands that print a search end. */
import { expect, it } from 'vitest';
import type { SearchEvent } from '../../protocol/index.ts';
import { showSearch } from '../../src/cli/ask/show-search.ts';

async function* only(event: object): AsyncGenerator<SearchEvent> {
  yield event as SearchEvent;
}

it.each([
  ['client', 'The search was cancelled (by client) before it had an answer.'],
  ['admin', 'The server shut down before the search had an answer.'],
])('a search that was cancelled elsewhere (by %s) is an error that says so', async (by, message) => {
  const ending = showSearch(only({ type: 'search.cancelled', by, usage: {} }), false);
  await expect(ending).rejects.toMatchObject({ message });
});
