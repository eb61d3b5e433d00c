/** Vectors go along with a corpus: by `citewire corpus move` in both directions, and in a backup. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everySource } from '../../protocol/source-rules.ts';
import { neverAborted } from '../../src/base/abort.ts';
import { readConfig } from '../../src/base/config.ts';
import { backup } from '../../src/cli/backup/backup.ts';
import { restore } from '../../src/cli/backup/restore.ts';
import { copyCorpus } from '../../src/corpus/copy-corpus.ts';
import { type OpenCorpus, openCorpus } from '../../src/corpus/corpus.ts';
import { createEmbedder } from '../../src/model/embeddings/embedder.ts';
import { startVectorPostgres, type VectorPostgres } from '../support/databases/pgvector.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/models/embedding-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const docs = temporaryFolder();
const pages = 6;
let server: EmbeddingServer;
let postgres: VectorPostgres;

beforeAll(async () => {
  server = await startEmbeddingServer();
  postgres = await startVectorPostgres();
  writeFileSync(join(docs, 'clinic.md'), '# The clinic\n\nA physician sees patients.\n');
  for (let n = 1; n < pages; n += 1) writeFileSync(join(docs, `${n}.md`), `# Note ${n}\n\nA ledger of ${1900 + n}.\n`);
});
afterAll(async () => {
  await server.close();
  await postgres.stop();
});

const open = (file: string, databaseUrl?: string, model = 'small'): Promise<OpenCorpus> =>
  openCorpus({
    file,
    databaseUrl,
    embedder: createEmbedder({ model, baseUrl: server.baseUrl, fetch, budgetMs: 10_000 }),
  });

async function fill(corpus: OpenCorpus): Promise<void> {
  await corpus.index({ kind: 'folder', path: docs });
  await corpus.vectors!.complete(neverAborted, () => {});
  await corpus.close();
}

/** The first page for a question in another language; asks for no vector of a passage. */
async function expectFound(corpus: OpenCorpus): Promise<void> {
  const [found] = await corpus.search({ text: 'médecin', limit: 1, rules: everySource }, neverAborted);
  expect(found?.title).toBe('The clinic');
  await corpus.close();
}

describe('a corpus that is moved', () => {
  it('has the same vectors at the other place, there and back', async () => {
    const [file, back] = [join(temporaryFolder(), 'index.db'), join(temporaryFolder(), 'index.db')];
    const databaseUrl = await postgres.fresh();
    await fill(await open(file));
    const calls = server.calls.length;
    const signal = neverAborted;
    expect(await copyCorpus({ file, databaseUrl, to: 'postgres', signal })).toMatchObject({
      pages,
      vectors: pages,
      leftOut: undefined,
    });
    await expectFound(await open('/nowhere', databaseUrl));
    expect(await copyCorpus({ file: back, databaseUrl, to: 'sqlite', signal })).toMatchObject({ vectors: pages });
    await expectFound(await open(back));
    const passages = server.calls
      .slice(calls)
      .filter(({ body }) => body.input!.some((text) => text.includes('ledger')));
    expect(passages).toEqual([]);
  });

  it('leaves them out where there are those of another model, and says so', async () => {
    const file = join(temporaryFolder(), 'index.db');
    const databaseUrl = await postgres.fresh();
    await fill(await open(file));
    await fill(await open('/nowhere', databaseUrl, 'other'));
    const moved = await copyCorpus({ file, databaseUrl, to: 'postgres', signal: neverAborted });
    expect(moved).toMatchObject({ vectors: 0, leftOut: 'The vectors at the destination are of another model.' });
  });
});

describe('a backup', () => {
  it('holds the vectors of the index', async () => {
    const [dataDir, restored, target] = [temporaryFolder(), join(temporaryFolder(), 'd'), join(temporaryFolder(), 'b')];
    await fill(await open(join(dataDir, 'index.db')));
    await backup(target, readConfig({ DATA_DIR: dataDir }));
    await restore(target, readConfig({ DATA_DIR: restored }));
    await expectFound(await open(join(restored, 'index.db')));
  });
});
