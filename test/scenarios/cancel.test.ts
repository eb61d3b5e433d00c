/** Cancelling a search with a model after each of its events: one ending, nothing left open upstream, nothing started after. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchFrame } from '../../protocol/index.ts';
import { expectLawful } from '../contracts/search-laws.ts';
import { connect, type WsClient } from '../support/clients/ws-client.ts';
import { goodModel, type ModelServer } from '../support/servers/model-server.ts';
import { type ResearchApp, startResearchApp } from '../support/servers/research-app.ts';
import { article } from '../support/servers/web-server.ts';
import type { TestApp } from '../support/start-app.ts';

let research: ResearchApp;
let app: TestApp;
let model: ModelServer;
let client: WsClient;

beforeAll(async () => {
  research = await startResearchApp({
    pages: {
      '/heron': article(
        'Heron Point',
        'The Heron Point Lighthouse was designed by the engineer Ingrid Solvay in 1886.',
      ),
    },
    script: (call, count) =>
      call.kind === 'write'
        ? { text: `STATUS: answered\n\n${'The lighthouse at Heron Point was lit in 1887. [1] '.repeat(2)}`, ms: 3 }
        : goodModel(call, count),
  });
  ({ app, model } = research);
});
afterAll(async () => {
  await research[Symbol.asyncDispose]();
});

const request = { prompt: 'Who designed the Heron Point Lighthouse?' };

/** Cancels once the frame that holds the `at`th event has come; gives all frames, and how many calls had been made by then. */
async function cancelAt(at: number): Promise<{ frames: SearchFrame[]; calls: number }> {
  const search_id = await client.start(request);
  await client.next((frame) => frame.search_id === search_id && Number(frame.seq) >= at);
  const calls = model.calls.length;
  client.send({ type: 'search.cancel', ref: 'c', search_id });
  const frames = await client.search(search_id);
  return { frames, calls };
}

describe('a search with a model', () => {
  it('cancels a search with a model after each of its events, and closes its upstream calls', async () => {
    client = await connect(app.url, {
      'x-api-key': (await app.accounts.createKey({ plan: 'pro', name: 'x' })).plaintext,
    });
    const whole = await client.search(await client.start(request));
    expectLawful(whole);
    const length = whole.at(-1)!.seq;
    expect(length).toBeGreaterThan(20);
    for (let at = 1; at < length; at += 1) {
      // A key has a hundred calls in a minute.
      if (at % 80 === 0) {
        client.close();
        const { plaintext } = await app.accounts.createKey({ plan: 'pro', name: `${at}` });
        client = await connect(app.url, { 'x-api-key': plaintext });
      }
      const { frames, calls } = await cancelAt(at);
      expectLawful(frames);
      if (frames.at(-1)!.type === 'search.completed') continue;
      expect(frames.at(-1)).toMatchObject({ type: 'search.cancelled', by: 'client' });
      const until = performance.now() + 2_000;
      while (model.open() > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 2));
      expect(model.open(), `after event ${at}`).toBe(0);
      // One that had been sent when the cancel was may still arrive; none is begun after it.
      expect(model.calls.length - calls).toBeLessThanOrEqual(1);
      const settled = model.calls.length;
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(model.calls.length).toBe(settled);
    }
    client.close();
  });
});
