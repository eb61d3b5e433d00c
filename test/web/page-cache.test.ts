/** The page caches, each under the same law. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { createMemoryCache } from '../../src/web/page-cache.ts';
import { pageCacheLaws } from '../contracts/page-cache.ts';
import { hasPostgres, openPostgresServer, type TestPostgres } from '../support/servers/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
/** A page of 200,000 characters, with all that is kept beside it. */
const pageBytes = 205_000;
let files = 0;

pageCacheLaws('memory', async (room) => {
  const cache = createMemoryCache(room === undefined ? {} : { maxChars: room * pageBytes });
  return { cache, close: async () => {} };
});

pageCacheLaws('a file', async (room) => {
  files += 1;
  const bounds = room === undefined ? {} : { maxBytes: room * pageBytes };
  const corpus = await openCorpus({ file: join(folder, `${files}.db`), bounds });
  return { cache: corpus.pageCache, close: () => corpus.close() };
});

describe.skipIf(!hasPostgres)('over a real Postgres', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await openPostgresServer();
  });
  afterAll(() => server?.stop());

  pageCacheLaws('Postgres', async (room) => {
    const bounds = room === undefined ? {} : { maxBytes: room * pageBytes };
    const corpus = await openCorpus({ file: '/nowhere', databaseUrl: await server.fresh(), bounds });
    return { cache: corpus.pageCache, close: () => corpus.close() };
  });
});
