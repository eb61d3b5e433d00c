/** What may help where there is no answer: said only where it does. */
import { expect, it } from 'vitest';
import { createResearchState } from '../../../src/engine/research-state.ts';
import type { SearchContext } from '../../../src/engine/search-context.ts';
import type { Excerpts } from '../../../src/engine/writing/excerpts.ts';
import { explainRefusal } from '../../../src/engine/writing/refusal.ts';

/** What explaining uses of a search: one source, with an excerpt that has `coverage` of the question, or none. */
function refusalOf(coverage: number | undefined, { hasModel = false, isLimited = false } = {}) {
  const state = createResearchState();
  const text = 'The tower is red.';
  const page = {
    snapshot: 's',
    url: 'https://a.example/',
    title: 'A',
    headings: '',
    text,
    start: 5,
    end: 22,
    score: 1,
  };
  const { source } = state.source(page);
  const request = { prompt: 'Who?', ...(isLimited ? { source_whitelist: ['a.example'] } : {}) };
  const ports = hasModel ? { fallbackModel: {} } : {};
  const excerpt = { text, source_start: 5, source_end: 22 };
  const excerpts: Excerpts = new Map(coverage === undefined ? [] : [[source.id, { excerpt, coverage }]]);
  return explainRefusal({ state, ports, job: { request }, brief: {} } as unknown as SearchContext, excerpts);
}

it.each([
  ['a model, where a passage is about the question', 0.8, {}, 'using a language model (none was used here).'],
  ['a source, where passages have only words of it', 0.4, {}, 'adding a source that covers it.'],
  ['a source, where a model was asked', 0.4, { hasModel: true }, 'adding a source that covers it.'],
  ['other sources, where few are allowed', 0.4, { isLimited: true }, 'sources beyond those allowed.'],
])('names what may help: %s', (_, coverage, server, help) => {
  const { message, nearest } = refusalOf(coverage, server);
  expect(message).toBe(`Not answered by these sources. You could try: ${help}`);
  expect(nearest).toEqual([
    {
      source_id: 'src_1',
      n: 1,
      url: 'https://a.example/',
      title: 'A',
      quote: 'The tower is red.',
      source_start: 5,
      source_end: 22,
      snapshot: 's',
    },
  ]);
});

it('names nothing where a model has read a passage about the question', () => {
  expect(refusalOf(0.8, { hasModel: true }).message).toBe('Not answered by these sources.');
});

it('says that nothing is about the question where there is no passage', () => {
  expect(refusalOf(undefined).message).toMatch(/^Nothing in these sources is about this question\./);
  expect(refusalOf(undefined, { isLimited: true }).message).toMatch(/Other sources may\.$/);
  expect(refusalOf(undefined).nearest).toBeUndefined();
});
