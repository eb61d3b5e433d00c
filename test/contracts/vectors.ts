/** What every corpus must do with vectors, whatever it is kept in: over a real endpoint with the small model of embedding-server.ts. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { everySource, parseSourceRule, type SourceRule } from '../../protocol/source-rules.ts';
import { neverAborted } from '../../src/base/abort.ts';
import { newUploadKey } from '../../src/base/source-names.ts';
import type { OpenCorpus } from '../../src/corpus/corpus.ts';
import type { HybridParts } from '../../src/corpus/vectors/hybrid-search.ts';
import { createEmbedder, type EmbedderOptions } from '../../src/model/embeddings/embedder.ts';
import { createReranker } from '../../src/model/embeddings/reranker.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/models/embedding-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** `place` makes a new, empty place; `open` opens the corpus there, as often as it is called. */
export function vectorLaws<Place>(
  name: string,
  place: () => Promise<Place>,
  open: (place: Place, parts: HybridParts) => Promise<OpenCorpus>,
): void {
  describe(`the vectors of a corpus in ${name}`, () => {
    const docs = join(temporaryFolder(), 'docs');
    let server: EmbeddingServer;
    let at: Place;
    const opened: OpenCorpus[] = [];

    const write = (path: string, text: string) => {
      mkdirSync(join(docs, path, '..'), { recursive: true });
      writeFileSync(join(docs, path), text);
    };
    const embedder = (options: Partial<EmbedderOptions> = {}) =>
      createEmbedder({ model: 'small', baseUrl: server.baseUrl, fetch, batch: 4, budgetMs: 5_000, ...options });
    const start = async (parts: HybridParts = { embedder: embedder() }) => {
      const corpus = await open(at, parts);
      opened.push(corpus);
      return corpus;
    };
    const index = (corpus: OpenCorpus) => corpus.index({ kind: 'folder', path: docs });
    const complete = (corpus: OpenCorpus) => corpus.vectors!.complete(neverAborted, () => {});
    const find = async (corpus: OpenCorpus, text: string, more = {}) =>
      (await corpus.search({ text, limit: 3, rules: everySource, ...more }, neverAborted)).map(({ title }) => title);
    const embedded = () =>
      server.calls.filter(({ path }) => path === '/v1/embeddings').flatMap(({ body }) => body.input!);

    beforeAll(() => {
      write('garage.md', '# The garage\n\nHere one can mend an automobile that has broken down.\n');
      write('clinic/physician.md', '# The clinic\n\nA physician sees patients every morning.\n');
      write('clinic/hound.md', '# The kennel\n\nA hound sleeps in its basket.\n');
      for (let n = 0; n < 12; n += 1)
        write(
          `other/${n}.md`,
          `# Note ${n}\n\nLedger entry ${n} about parchment, candles and ink of year ${1600 + n}.\n`,
        );
    });
    beforeEach(async () => {
      server = await startEmbeddingServer();
      at = await place();
    });
    afterEach(async () => {
      for (const corpus of opened.splice(0)) await corpus.close();
      await server.close();
    });
    afterAll(() => rmSync(docs, { recursive: true, force: true }));

    it('finds what is said in other words and in other languages, and not without vectors', async () => {
      const corpus = await start();
      await index(corpus);
      expect(await find(corpus, 'reparieren wagen')).toEqual([]);
      await complete(corpus);
      expect(corpus.vectors!.state()).toMatchObject({ done: 15, total: 15 });
      expect((await find(corpus, 'wo kann ich einen wagen reparieren'))[0]).toBe('The garage');
      expect((await find(corpus, 'doctor'))[0]).toBe('The clinic');
      expect((await find(corpus, 'médecin'))[0]).toBe('The clinic');
    });

    it('returns first what has the words of the question', async () => {
      const corpus = await start();
      await index(corpus);
      await complete(corpus);
      const plain = await start({});
      for (const question of ['ledger entry 7', 'hound basket', 'parchment of year 1604'])
        expect((await find(corpus, question))[0]).toBe((await find(plain, question))[0]);
    });

    it('applies source rules, sources and owners to vectors as to words', async () => {
      const corpus = await start();
      await index(corpus);
      await complete(corpus);
      const [passage] = await corpus.search({ text: 'doctor', limit: 1, rules: everySource }, neverAborted);
      const never = { only: [], never: [parseSourceRule(passage!.url) as SourceRule] };
      expect(await find(corpus, 'doctor', { rules: never })).not.toContain('The clinic');
      expect(await find(corpus, 'doctor', { sources: ['folder:/elsewhere'] })).toEqual([]);
      expect((await find(corpus, 'doctor', { sources: [`folder:${docs}`] }))[0]).toBe('The clinic');
      const owner = 'acc_other';
      const file = { kind: 'file', key: newUploadKey(owner), name: 'own.md' } as const;
      const content = Buffer.from('# My physician\n\nMy own physician is on leave.\n');
      await corpus.addSource({ ...file, content }, owner);
      const extract = async () => ({ title: 'My physician', text: content.toString() });
      await corpus.index(file, { owner, extract });
      await complete(corpus);
      expect(await find(corpus, 'médecin')).not.toContain('My physician');
      expect(await find(corpus, 'médecin', { owner: 'acc_third' })).not.toContain('My physician');
      expect(await find(corpus, 'médecin', { owner })).toContain('My physician');
    });

    it('goes on where it was after a stop, and embeds no passage twice', async () => {
      const first = await start();
      await index(first);
      const stop = new AbortController();
      await expect(
        first.vectors!.complete(stop.signal, ({ done }) => {
          if (done >= 4) stop.abort(new Error('stopped'));
        }),
      ).rejects.toThrow('stopped');
      await first.close();
      const again = await start();
      await again.vectors!.complete(neverAborted, () => {});
      expect(again.vectors!.state()).toMatchObject({ done: 15, total: 15 });
      expect(new Set(embedded()).size).toBe(15);
      expect(embedded().length).toBeLessThanOrEqual(15 + 4);
    });

    it('fills in the background what is indexed later, and drops the vectors of what is removed', async () => {
      const corpus = await start();
      corpus.vectors!.start(() => {});
      await index(corpus);
      await expect.poll(() => corpus.vectors!.state()).toMatchObject({ done: 15, total: 15 });
      await corpus.forget(`folder:${docs}`);
      await complete(corpus);
      expect(corpus.vectors!.state()).toMatchObject({ done: 0, total: 0 });
    });

    it('serves nothing of another model, and embeds all again', async () => {
      const corpus = await start();
      await index(corpus);
      await complete(corpus);
      await corpus.close();
      const other = await start({ embedder: embedder({ model: 'other' }) });
      expect(await find(other, 'doctor')).toEqual([]);
      const before = embedded().length;
      await complete(other);
      expect(embedded().length - before).toBeGreaterThanOrEqual(15);
      expect((await find(other, 'doctor'))[0]).toBe('The clinic');
    });

    it('embeds all again when the same model returns vectors of another length', async () => {
      const corpus = await start();
      await index(corpus);
      await complete(corpus);
      server.dimensions = 128;
      write('late.md', '# Late\n\nOne more page.\n');
      await index(corpus);
      await complete(corpus);
      rmSync(join(docs, 'late.md'));
      expect(corpus.vectors!.state()).toMatchObject({ done: 16, total: 16 });
      expect((await find(corpus, 'médecin'))[0]).toBe('The clinic');
    });

    it('passes over a text that the endpoint refuses', async () => {
      const corpus = await start();
      await index(corpus);
      server.maxText = 50;
      await complete(corpus);
      expect(corpus.vectors!.state()).toMatchObject({ done: 15, total: 15 });
      const before = server.calls.length;
      await complete(corpus);
      expect(server.calls.length).toBe(before);
    });

    it('keeps no passage as refused where the endpoint refuses every text, and embeds them once it is well', async () => {
      const failures: string[] = [];
      const onFailure = ({ message }: Error) => failures.push(message);
      const corpus = await start({ embedder: embedder({ onFailure }) });
      await index(corpus);
      server.fault = { kind: 'status', status: 400 };
      await expect(complete(corpus)).rejects.toMatchObject({ status: 400 });
      expect(corpus.vectors!.state()).toMatchObject({ done: 0, total: 15 });
      expect(failures).toEqual(['its endpoint returned status 400.']);
      server.fault = undefined;
      await complete(corpus);
      expect(corpus.vectors!.state()).toMatchObject({ done: 15, total: 15 });
      expect((await find(corpus, 'doctor'))[0]).toBe('The clinic');
    });

    it.each([
      { kind: 'status', status: 500 },
      { kind: 'status', status: 400 },
      { kind: 'status', status: 429, retryAfter: '60' },
      { kind: 'status', status: 401 },
      { kind: 'html' },
      { kind: 'nan' },
      { kind: 'zero' },
      { kind: 'fewer' },
      { kind: 'dimensions' },
      { kind: 'hang' },
      { kind: 'reset' },
    ] as const)('returns what words find when the endpoint fails: $kind $status', async (fault) => {
      const failures: string[] = [];
      const onFailure = ({ message }: Error) => failures.push(message);
      const corpus = await start({ embedder: embedder({ budgetMs: 50, apiKey: 'sk-secret', onFailure }) });
      await index(corpus);
      server.fault = undefined;
      await complete(corpus);
      server.fault = fault;
      const plain = await start({});
      for (const question of ['ledger entry 7', 'hound', 'candles', 'ink'])
        expect(await find(corpus, question)).toEqual(await find(plain, question));
      expect(failures.join(' ')).not.toMatch(/sk-secret|127\.0\.0\.1/);
      if (fault.kind !== 'dimensions') expect(failures.length).toBeGreaterThan(0);
      // No more is asked once it has failed a few times.
      const before = server.calls.length;
      if (fault.kind !== 'dimensions') {
        await find(corpus, 'parchment');
        expect(server.calls.length).toBe(before);
      }
    });

    it('puts passages in the order of the reranker, and leaves it as it was when that fails', async () => {
      const reranker = createReranker({
        model: 'rank',
        baseUrl: server.baseUrl,
        apiKey: 'sk-r',
        fetch,
        budgetMs: 5_000,
      });
      const corpus = await start({ reranker });
      await index(corpus);
      const plain = await start({});
      const question = 'ledger of a hound';
      expect(new Set(await find(corpus, question))).toEqual(new Set(await find(plain, question)));
      expect(server.calls.at(-1)).toMatchObject({ path: '/v1/rerank', authorization: 'Bearer sk-r' });
      for (const fault of [{ kind: 'nan' }, { kind: 'fewer' }, { kind: 'html' }, { kind: 'hang' }] as const) {
        server.fault = fault;
        const failing = await start({
          reranker: createReranker({ model: 'rank', baseUrl: server.baseUrl, fetch, budgetMs: 50 }),
        });
        expect(await find(failing, question)).toEqual(await find(plain, question));
      }
    });
  });
}
