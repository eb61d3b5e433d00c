/** The writer of the corpus in Postgres: the asynchronous twin of ../index/write-index.ts. */
import { statSync } from 'node:fs';
import type { PostgresPool } from '../../base/postgres/pool.ts';
import { createReadRows } from '../../base/postgres/read-rows.ts';
import { CorpusError } from '../corpus-error.ts';
import { chooseAddress } from '../index/folder-addresses.ts';
import { type Outcome, type PageToIndex, readPageFile } from '../index/read-page-file.ts';
import { type IndexWriter, isFileError, type PageCheck } from '../index/write-index.ts';
import { reasonOf } from '../ingest/file-reasons.ts';
import { listFolder } from '../ingest/list-files.ts';
import { listPackages } from '../ingest/list-packages.ts';
import type { CacheBounds } from '../page-cache/snapshot-keeper.ts';
import type { Awaitable } from '../worker-rpc.ts';
import { mergeChunks } from './merge-chunks.ts';
import { lockIndex } from './pages/lock-index.ts';
import { removePages } from './pages/remove-pages.ts';
import { putPages, readHashes } from './pages/write-pages.ts';
import { inTransaction, migrateCorpus } from './schema.ts';
import { createPostgresSourceWriter } from './sources/sources-postgres.ts';
import { createPostgresVectorWriter } from './vectors-postgres.ts';
import { createPostgresPageCacheWriter } from './write-page-cache-postgres.ts';

/** Pages removed in one transaction; set by hand. */
const maxSwept = 200;

export interface WritingPools {
  /** For statements that callers wait for. */
  readonly serving: PostgresPool;
  /** For indexing, whose statements wait for those of other processes. */
  readonly indexing: PostgresPool;
  /** For statements that may take an hour; that of indexing if absent. */
  readonly building?: PostgresPool;
}

/**
 * The writer over these pools, which `close` closes. Its functions reject with an AppError `overloaded` while Postgres is
 * unreachable, or with a CorpusError.
 */
export function createPostgresWriter(
  { serving, indexing, building = indexing }: WritingPools,
  bounds: CacheBounds = {},
): Awaitable<IndexWriter> {
  const read = createReadRows(indexing);
  const hashesOf = async (source: string, keys: readonly string[]) => {
    const connection = await indexing.connect();
    try {
      return await readHashes(connection, source, keys);
    } finally {
      connection.release();
    }
  };

  /** Stores the pages among `found`; the others are returned unchanged. */
  async function put<Settled extends { readonly key: string; readonly was: string }>(
    source: string,
    found: readonly (Settled | PageToIndex)[],
    check?: PageCheck,
  ): Promise<(Settled | Outcome)[]> {
    const pages = found.filter((each): each is PageToIndex => !('was' in each));
    if (pages.length === 0) return found as Settled[];
    const stored = new Map((await putPages(indexing, source, pages, check)).map((outcome) => [outcome.key, outcome]));
    // While a large source is indexed, chunks are not left to pile up.
    await mergeChunks(indexing);
    return found.map((each) => ('was' in each ? each : stored.get(each.key)!));
  }

  return {
    async open() {
      // Indexing waits a minute for Postgres, which is too long for an operator to learn that none answers.
      (await serving.connect()).release();
      await migrateCorpus(indexing);
    },
    check: () => undefined,
    ...createPostgresPageCacheWriter(serving, bounds),
    ...createPostgresSourceWriter(serving, read),
    ...createPostgresVectorWriter(indexing, building),

    async list(source, root, kind, baseUrl) {
      try {
        if (kind !== 'folder') return listPackages(root);
        statSync(root);
      } catch (error) {
        if (!isFileError(error)) throw error;
        throw new CorpusError('no_source', `${root} cannot be indexed: ${reasonOf(error)}.`);
      }
      const address = await inTransaction(indexing, async (connection) => {
        await lockIndex(connection, 0);
        const { rows } = await connection.query('select source, address from corpus_addresses', []);
        const known = new Map<string, string>(rows.map((row) => [row.source, row.address]));
        const chosen = chooseAddress(known, source, root, baseUrl);
        if (chosen !== known.get(source)) {
          await connection.query('delete from corpus_addresses where source = $1', [source]);
          await connection.query('insert into corpus_addresses (source, address) values ($1, $2)', [source, chosen]);
        }
        return chosen;
      });
      return listFolder(root, address);
    },

    async indexFiles(source, files, extractorVersion) {
      const known = await hashesOf(
        source,
        files.map(({ key }) => key),
      );
      return put(
        source,
        files.map((file) => readPageFile(file, extractorVersion, known.get(file.key))),
        {},
      );
    },

    async indexPages(source, pages, check) {
      const known = await hashesOf(
        source,
        pages.map(({ key }) => key),
      );
      return put(
        source,
        pages.map((page) => (known.get(page.key) === page.hash ? { key: page.key, was: 'unchanged' as const } : page)),
        check,
      );
    },

    async otherSources(source) {
      const rows = await read('select distinct source from corpus_entries where source <> $1', [source]);
      return rows.map((row) => row.source);
    },

    async hasPages(source) {
      return (
        (await read('select 1 from corpus_entries where md5(source) = md5($1) and source = $1 limit 1', [source]))
          .length > 0
      );
    },

    sweep: (source, keys) => removePages(indexing, source, keys, maxSwept),

    async setAddress(source, address) {
      await inTransaction(indexing, async (connection) => {
        await lockIndex(connection, 0);
        await connection.query(
          `insert into corpus_addresses (source, address) select $1, $2
            where not exists (select 1 from corpus_addresses where source = $1 or address = $2)`,
          [source, address],
        );
      });
    },

    async forgetAddress(source) {
      await inTransaction(indexing, ({ query }) => query('delete from corpus_addresses where source = $1', [source]));
    },

    merge: () => mergeChunks(indexing),

    async close() {
      // Not waited for: the database ends a build by itself.
      building.close().catch(() => {});
      await Promise.all([serving.close(), indexing.close()]);
    },
  };
}
