/** What the check of `citewire doctor` says of search by meaning: the endpoint, the length of its vectors, and how many the index has. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corpusPlace } from '../../src/app/corpus-place.ts';
import { openFinders } from '../../src/app/parts/open-finders.ts';
import { neverAborted } from '../../src/base/abort.ts';
import { readConfig } from '../../src/base/config.ts';
import { checkEmbeddings } from '../../src/cli/doctor/embeddings.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { startVectorPostgres, type VectorPostgres } from '../support/databases/pgvector.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/models/embedding-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let server: EmbeddingServer;
let postgres: VectorPostgres;
const docs = temporaryFolder();

beforeAll(async () => {
  server = await startEmbeddingServer();
  postgres = await startVectorPostgres();
  for (let n = 0; n < 6; n += 1) writeFileSync(join(docs, `${n}.md`), `# Note ${n}\n\nA hound of ${1900 + n}.\n`);
});
afterAll(async () => {
  await server.close();
  await postgres.stop();
});

describe.each([
  ['a file', async () => ({})],
  ['Postgres', async () => ({ DATABASE_URL: await postgres.fresh(), CORPUS: 'postgres' })],
] as const)('citewire doctor, of vectors in %s', (_, place) => {
  it('says how many passages have one, and what differs from the endpoint', async () => {
    const env: Record<string, string> = {
      DATA_DIR: temporaryFolder(),
      EMBEDDINGS_MODEL: 'small',
      EMBEDDINGS_BASE_URL: server.baseUrl,
      ...(await place()),
    };
    const doctor = async (more: Record<string, string> = {}) => {
      const config = readConfig({ ...env, ...more });
      const found = [await checkEmbeddings({ config, signal: neverAborted, reportTime: () => {} })].flat();
      return found.map(({ status, message }) => `${status}: ${message}`);
    };
    expect(await doctor()).toEqual([
      'ok: small returns vectors of 256 dimensions.',
      'ok: No passage of the index has a vector yet. A running server and `citewire index` make them.',
    ]);
    const config = readConfig(env);
    const finders = await openFinders(config);
    const corpus = await openCorpus({ ...corpusPlace(config), embedder: finders!.embedder });
    await corpus.index({ kind: 'folder', path: docs });
    await corpus.vectors!.complete(neverAborted, () => {});
    await corpus.close();
    await finders!.close();
    expect(await doctor()).toContain('ok: 6 of 6 passages have a vector.');
    expect((await doctor({ EMBEDDINGS_DIMENSIONS: '128' }))[0]).toContain('EMBEDDINGS_DIMENSIONS asks for 128');
    expect((await doctor({ EMBEDDINGS_MODEL: 'other' }))[1]).toMatch(/^warning: .* belong to another model or prefix/);
    server.dimensions = 128;
    expect((await doctor())[1]).toMatch(/^warning: .* have 256 dimensions; those of the model have 128/);
    server.dimensions = 256;
    server.fault = { kind: 'status', status: 500 };
    const down = await doctor();
    server.fault = undefined;
    expect(down).toEqual(['problem: small: its endpoint returned status 500.', 'ok: 6 of 6 passages have a vector.']);
  });
});
