/** Why an image was not used. */
import { expect, it } from 'vitest';
import { SearchRequest } from '../../../protocol/index.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import type { Corpus } from '../../../src/engine/ports/corpus.ts';
import type { Model } from '../../../src/engine/ports/model.ts';

const corpus: Corpus = {
  search: async () => [],
  rank: async () => [],
  pages: async () => [],
  hasPage: async () => false,
  pageAt: async () => undefined,
  snapshot: async () => undefined,
  putSnapshot: async () => undefined,
};
const named = (name: string): Model => ({
  name,
  plan: async ({ question }) => ({ queries: [question] }),
  reflect: async () => ({ enough: true, queries: [] }),
  async *write() {},
  async *fill() {},
});

it.each([
  ['chosen', { ...named('seeing'), describeImage: async () => 'A lighthouse.' }, 'The chosen model takes no images.'],
  [undefined, named('blind'), 'No model with vision is configured.'],
])('says which model does not take images: %s', async (chosen, model, message) => {
  const request = SearchRequest.parse({ prompt: 'What lighthouse is this?', model: chosen });
  const engine = createEngine({ model, fallbackModel: named('chosen'), corpus });
  const warnings: string[] = [];
  const job = { search_id: 's', request, previous: [], image: 'unavailable' as const };
  for await (const event of engine.research(job, new AbortController().signal)) {
    if (event.type === 'warning' && event.code === 'image_not_used') warnings.push(event.message);
  }
  expect(warnings).toEqual([message]);
});
