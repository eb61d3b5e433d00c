/** What an embedder makes of an endpoint that is of no use, over real sockets: it is reported, and left alone for a while. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { neverAborted } from '../../../src/base/abort.ts';
import { createEmbedder, type EmbedderOptions } from '../../../src/model/embeddings/embedder.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../../support/models/embedding-server.ts';

let server: EmbeddingServer;
let failures: string[];
beforeAll(async () => {
  server = await startEmbeddingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.calls.length = 0;
  server.fault = undefined;
  server.ready = undefined;
  server.maxText = Number.POSITIVE_INFINITY;
  failures = [];
});

const open = (options: Partial<EmbedderOptions> = {}) =>
  createEmbedder({
    model: 'small',
    baseUrl: server.baseUrl,
    fetch,
    budgetMs: 5_000,
    onFailure: ({ message }) => failures.push(message),
    ...options,
  });
const passages = Array.from({ length: 16 }, (_, n) => `${'A hound sleeps. '.repeat(30)}${n}`);
const everyInput = () => server.calls.map(({ body }) => body.input!);

describe('an endpoint for vectors that refuses everything', () => {
  it.each([400, 413, 422])('fails with status %i for passages, none of which counts as refused', async (status) => {
    server.fault = { kind: 'status', status };
    const embedder = open();
    await expect(embedder.documents(passages, neverAborted)).rejects.toMatchObject({ name: 'ModelError', status });
    expect(failures).toEqual([`its endpoint returned status ${status}.`]);
    // A text that has nothing of a passage was refused, too.
    expect(everyInput().at(-1)).toEqual(['How long is a vector?']);
  });

  it('is left alone for a while after three failures, by passages and by questions', async () => {
    server.fault = { kind: 'status', status: 400 };
    const embedder = open();
    for (let n = 0; n < 3; n += 1) {
      await expect(embedder.documents(passages, neverAborted)).rejects.toMatchObject({ status: 400 });
      expect(await embedder.query(`hound ${n}`, neverAborted)).toBeUndefined();
    }
    expect(failures).toHaveLength(6);
    const before = server.calls.length;
    await expect(embedder.documents(passages, neverAborted)).rejects.toThrow('it failed recently');
    expect(await embedder.query('physician', neverAborted)).toBeUndefined();
    expect(server.calls.length).toBe(before);
  });
});

describe('an endpoint for vectors that refuses some texts', () => {
  it('embeds the others, and is asked once for a batch whether it is well', async () => {
    server.maxText = 30;
    const texts = ['A hound.', `${'x'.repeat(40)}`, 'A physician.', `${'y'.repeat(40)}`];
    const vectors = await open().documents(texts, neverAborted);
    expect(vectors.map((vector) => vector !== undefined)).toEqual([true, false, true, false]);
    expect(everyInput().filter((input) => input.includes('How long is a vector?'))).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it('is asked again after a question that it refused', async () => {
    server.maxText = 30;
    const embedder = open();
    for (let n = 0; n < 4; n += 1) expect(await embedder.query('x'.repeat(40 + n), neverAborted)).toBeUndefined();
    expect(await embedder.query('hound', neverAborted)).toBeDefined();
    expect(failures).toEqual([]);
  });
});

describe('an endpoint for vectors that is late', () => {
  /** Asks a question whose answer comes only once the search has continued without it. */
  async function askLate(embedder: ReturnType<typeof open>, question: string): Promise<void> {
    let answer = () => {};
    server.ready = new Promise((resolve) => {
      answer = resolve;
    });
    const waiting = [question, question].map((text) => embedder.query(text, neverAborted));
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    server.ready = undefined;
    answer();
    // Its vector is kept for the next search with the same question.
    await expect.poll(() => embedder.query(question, neverAborted), { interval: 5 }).toBeDefined();
  }

  it('is left alone for a while after three late answers, although they come', async () => {
    const embedder = open({ budgetMs: 20 });
    for (const question of ['hound', 'physician', 'harbour']) await askLate(embedder, question);
    expect(failures).toEqual(Array(3).fill('it answered too late for a search.'));
    const before = server.calls.length;
    expect(before).toBe(3);
    expect(await embedder.query('river', neverAborted)).toBeUndefined();
    expect(server.calls.length).toBe(before);
  });

  it('is asked on if its answers come in time between', async () => {
    const embedder = open({ budgetMs: 500 });
    for (const question of ['hound', 'physician', 'harbour']) {
      await askLate(embedder, question);
      expect(await embedder.query(`another ${question}`, neverAborted)).toBeDefined();
    }
  });
});
