/** The endpoints for vectors and for reranking, and whether the index can keep vectors. */
import type { Config } from '../../base/config.ts';
import { createPostgresPool } from '../../base/postgres/pool.ts';
import { loadSqlite } from '../../base/sqlite.ts';
import { loadVectors } from '../../corpus/vectors/sqlite-vec.ts';
import { noExtension } from '../../corpus/vectors/vectors-postgres.ts';
import { type Check, type Finding, ok, problem, reasonOf, skipped, warning } from './check.ts';
import { createClockWatch } from './clock.ts';

const settings = 'Correct EMBEDDINGS_MODEL, EMBEDDINGS_BASE_URL or EMBEDDINGS_API_KEY: docs/hybrid-search.md.';

/** Whether the endpoints answer, and whether the index can keep vectors. */
export const checkEmbeddings: Check = async ({ config, signal, reportTime }) => {
  const { embeddings, rerank } = config;
  if (embeddings === undefined && rerank === undefined)
    return skipped('EMBEDDINGS_MODEL is not set: the index is searched by words.');
  const { openEmbeddings } = await import('../../app/parts/open-embeddings.ts');
  const troubles: string[] = [];
  const watch = { troubled: (_: string, trouble: string) => void troubles.push(trouble) };
  // A model that is being loaded takes longer than a search would wait.
  const patient = {
    embeddings: embeddings && { ...embeddings, budgetMs: patienceMs },
    rerank: rerank && { ...rerank, budgetMs: patienceMs },
  };
  const opened = openEmbeddings(patient, watch, createClockWatch(reportTime));
  const found: Finding[] = [];
  try {
    if (embeddings !== undefined) {
      const vector = await opened.embedder?.query('Is anybody there?', signal);
      found.push(
        vector === undefined
          ? problem(`${embeddings.model}: ${troubles.pop() ?? 'it did not answer.'}`, settings)
          : ok(`${embeddings.model} answers with ${vector.length} dimensions.`),
        await checkIndex(config),
      );
    }
    if (rerank !== undefined) {
      const order = await opened.reranker?.rank('Is anybody there?', ['Yes.', 'The ink is dry.'], signal);
      found.push(
        order === undefined
          ? problem(
              `${rerank.model}: ${troubles.pop() ?? 'it did not answer.'}`,
              'Correct RERANK_MODEL, RERANK_BASE_URL or RERANK_API_KEY: docs/hybrid-search.md.',
            )
          : ok(`${rerank.model} puts passages in order.`),
      );
    }
    return found;
  } finally {
    await opened.close();
  }
};

/** How long an answer may take, ms; set by hand, below the time of a check. */
const patienceMs = 30_000;

/** Of the extension alone: the index is not opened, which could change it. */
async function checkIndex({ corpus, databaseUrl }: Config): Promise<Finding> {
  const trouble =
    corpus === 'postgres' && databaseUrl !== undefined ? await troubleInPostgres(databaseUrl) : troubleInFile();
  if (trouble === undefined) return ok('The index can keep vectors.');
  return warning(`Only words are searched. ${trouble}`, 'See docs/hybrid-search.md.');
}

function troubleInFile(): string | undefined {
  const database = new (loadSqlite())(':memory:');
  try {
    return loadVectors(database);
  } finally {
    database.close();
  }
}

async function troubleInPostgres(url: string): Promise<string | undefined> {
  const pool = createPostgresPool(url, { connectMs: 5_000, statementMs: 5_000 }, { connections: 1 });
  try {
    const connection = await pool.connect();
    try {
      const { rows } = await connection.query("select 1 from pg_available_extensions where name = 'vector'", []);
      return rows.length > 0 ? undefined : noExtension;
    } finally {
      connection.release();
    }
  } catch (error) {
    return `Postgres cannot be asked for its extensions: ${reasonOf(error)}.`;
  } finally {
    await pool.close();
  }
}
