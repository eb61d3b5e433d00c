/** The endpoints for vectors and for reranking, and what the index has of their vectors. */
import type { EmbeddingsConfig } from '../../base/settings/embedding-settings.ts';
import { type Check, type Finding, ok, problem, skipped, warning } from './check.ts';
import { createClockWatch } from './clock.ts';
import { checkVectors } from './vectors.ts';

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
          : checkLength(embeddings, vector.length),
        await checkVectors(config, opened.embedder!.space, vector?.length),
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
          : ok(`${rerank.model} ranks passages.`),
      );
    }
    return found;
  } finally {
    await opened.close();
  }
};

/** How long an answer may take, ms; set by hand, below the time of a check. */
const patienceMs = 30_000;

/** Many endpoints ignore what they are asked for. */
function checkLength({ model, dimensions = 0 }: EmbeddingsConfig, length: number): Finding {
  if (dimensions === 0 || dimensions === length) return ok(`${model} returns vectors of ${length} dimensions.`);
  return warning(
    `${model} returns vectors of ${length} dimensions; EMBEDDINGS_DIMENSIONS asks for ${dimensions}.`,
    'Unset EMBEDDINGS_DIMENSIONS, or use an endpoint that respects it.',
  );
}
