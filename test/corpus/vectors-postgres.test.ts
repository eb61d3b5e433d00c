/** The laws of vectors over a Postgres with pgvector; where there is none, that words alone are searched. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { everySource } from '../../protocol/source-rules.ts';
import { neverAborted } from '../../src/base/abort.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { createEmbedder } from '../../src/model/embeddings/embedder.ts';
import { vectorLaws } from '../contracts/vectors.ts';
import { startVectorPostgres } from '../support/databases/pgvector.ts';
import { startEmbeddingServer } from '../support/models/embedding-server.ts';
import { hasPostgres, openPostgresServer } from '../support/servers/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const server = hasPostgres ? await openPostgresServer() : undefined;
const available = await server?.query("select 1 as one from pg_available_extensions where name = 'vector'");
const hasVectors = (available ?? []).length > 0;
const withVectors = await startVectorPostgres();
afterAll(async () => {
  await withVectors.stop();
  await server?.stop();
});

vectorLaws('Postgres', withVectors.fresh, (databaseUrl, parts) => {
  return openCorpus({ file: '/nowhere', databaseUrl, ...parts });
});

describe.skipIf(server === undefined || hasVectors)('a Postgres without pgvector', () => {
  it('is searched by words, and says why', async () => {
    const docs = join(temporaryFolder(), 'docs');
    mkdirSync(docs);
    writeFileSync(join(docs, 'a.md'), '# Kennel\n\nA hound sleeps.\n');
    const endpoint = await startEmbeddingServer();
    const embedder = createEmbedder({ model: 'small', baseUrl: endpoint.baseUrl, fetch, budgetMs: 5_000 });
    const troubles: string[] = [];
    const corpus = await openCorpus({
      file: '/nowhere',
      databaseUrl: await server!.fresh(),
      embedder,
      onVectorTrouble: ({ message }) => troubles.push(message),
    });
    const unable = new Promise<string>((resolve) => corpus.vectors!.start(resolve));
    await corpus.index({ kind: 'folder', path: docs });
    expect(await unable).toContain('no extension "vector"');
    const [found] = await corpus.search({ text: 'hound', limit: 3, rules: everySource }, neverAborted);
    expect(found?.title).toBe('Kennel');
    expect(troubles).toEqual([]);
    await corpus.close();
    await endpoint.close();
  });
});
