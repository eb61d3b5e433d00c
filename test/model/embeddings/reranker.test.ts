/** What a reranker makes of an endpoint that refuses what it is sent, over a real socket. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { neverAborted } from '../../../src/base/abort.ts';
import { createReranker } from '../../../src/model/embeddings/reranker.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../../support/models/embedding-server.ts';

let server: EmbeddingServer;
let failures: string[];
beforeEach(async () => {
  server = await startEmbeddingServer();
  failures = [];
});
afterEach(() => server.close());

const open = () =>
  createReranker({
    model: 'rank',
    baseUrl: server.baseUrl,
    fetch,
    budgetMs: 5_000,
    onFailure: ({ message }) => failures.push(message),
  });
const rank = (reranker: ReturnType<typeof open>) =>
  reranker.rank('Who keeps hounds?', ['A hound sleeps.', 'A keeper of hounds.'], neverAborted);

it('reports an endpoint that refuses everything, and leaves it alone for a while', async () => {
  server.fault = { kind: 'status', status: 400 };
  const reranker = open();
  for (let n = 0; n < 5; n += 1) expect(await rank(reranker)).toBeUndefined();
  expect(failures).toEqual(Array(3).fill('its endpoint returned status 400.'));
  expect(server.calls).toHaveLength(5);
  expect(await rank(reranker)).toBeUndefined();
  expect(server.calls).toHaveLength(5);
});

it('takes single refusals for what was wrong with the texts', async () => {
  const reranker = open();
  for (let n = 0; n < 6; n += 1) {
    server.fault = n % 2 === 0 ? { kind: 'status', status: 400 } : undefined;
    expect(await rank(reranker)).toEqual(n % 2 === 0 ? undefined : expect.any(Array));
  }
  expect(failures).toEqual([]);
});
