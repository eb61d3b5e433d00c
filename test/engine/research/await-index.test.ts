/** A search that comes while the index is being built. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SearchEvent } from '../../../protocol/index.ts';
import { awaitIndex } from '../../../src/engine/research/await-index.ts';
import { createResearchState } from '../../../src/engine/research-state.ts';
import type { SearchContext } from '../../../src/engine/search-context.ts';

afterEach(() => vi.useRealTimers());

/** What awaiting uses of a search. */
function contextOf(ended: Promise<void>, signal = new AbortController().signal): SearchContext {
  const indexing = { progress: () => ({ done: 3, total: 9 }), ended };
  return {
    ports: { corpus: { initialIndexing: () => indexing } },
    state: createResearchState(),
    signal,
  } as unknown as SearchContext;
}

async function collect(context: SearchContext): Promise<SearchEvent[]> {
  const events: SearchEvent[] = [];
  for await (const event of awaitIndex(context)) events.push(event);
  return events;
}

describe('awaitIndex', () => {
  it('ends its step when the index is filled', async () => {
    const events = await collect(contextOf(new Promise((resolve) => setTimeout(resolve, 20))));
    expect(events.map(({ type }) => type)).toEqual(['step.started', 'step.progress', 'step.finished']);
    expect(events[1]).toMatchObject({ done: 3, total: 9 });
  });

  it('goes on after ten seconds, with a warning that says how far the index is', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const collecting = collect(contextOf(new Promise(() => {})));
    await vi.advanceTimersByTimeAsync(11_000);
    const events = await collecting;
    expect(events.at(-2)).toMatchObject({ type: 'step.finished', summary: '3 of 9 pages are indexed' });
    expect(events.at(-1)).toMatchObject({
      type: 'warning',
      code: 'index_incomplete',
      message: expect.stringContaining('3 of 9'),
    });
    expect(events.filter(({ type }) => type === 'step.progress').length).toBeLessThanOrEqual(40);
  });

  it('rejects with the signal’s reason when the search ends', async () => {
    const ending = new AbortController();
    const collecting = collect(contextOf(new Promise(() => {}), ending.signal));
    const reason = new Error('cancelled');
    ending.abort(reason);
    await expect(collecting).rejects.toBe(reason);
  });
});
