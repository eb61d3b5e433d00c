/** The laws of vectors over the index file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { everySource } from '../../protocol/source-rules.ts';
import { neverAborted } from '../../src/base/abort.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { createEmbedder } from '../../src/model/embeddings/embedder.ts';
import { vectorLaws } from '../contracts/vectors.ts';
import { startEmbeddingServer } from '../support/models/embedding-server.ts';
import { spawnScript } from '../support/processes/run-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let files = 0;
vectorLaws(
  'SQLite',
  async () => {
    files += 1;
    return join(temporaryFolder(), `${files}`, 'index.db');
  },
  (file, parts) => openCorpus({ file, ...parts }),
);

it('goes on where a process was killed', async () => {
  const folder = temporaryFolder();
  const [file, docs] = [join(folder, 'index.db'), join(folder, 'docs')];
  mkdirSync(docs);
  const pages = 200;
  for (let n = 0; n < pages; n += 1)
    writeFileSync(join(docs, `${n}.md`), `# Note ${n}\n\nAn automobile with number ${n}.\n`);
  const server = await startEmbeddingServer();
  const child = spawnScript('fill-vectors', [file, docs, server.baseUrl]);
  const killed = new Promise((resolve) => child.once('exit', resolve));
  await expect.poll(() => server.calls.length, { interval: 5 }).toBeGreaterThan(3);
  child.kill('SIGKILL');
  await killed;
  const embedded = () => server.calls.flatMap(({ body }) => body.input!);
  const before = embedded().length;
  expect(before).toBeLessThan(pages);
  const corpus = await openCorpus({
    file,
    embedder: createEmbedder({ model: 'small', baseUrl: server.baseUrl, fetch, batch: 4, budgetMs: 5_000 }),
  });
  await corpus.vectors!.complete(neverAborted, () => {});
  expect(corpus.vectors!.state()).toMatchObject({ done: pages, total: pages });
  // Only what was under way is embedded twice.
  expect(embedded().length).toBeLessThanOrEqual(pages + 4);
  const [found] = await corpus.search({ text: 'voiture', limit: 1, rules: everySource }, neverAborted);
  expect(found?.text).toContain('automobile');
  await corpus.close();
  await server.close();
});
