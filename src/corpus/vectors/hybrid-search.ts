/**
 * A search by words and by meaning side by side, then perhaps put in order by a reranker. What fails or is late is left out: the
 * words alone are always an answer.
 */
import { untilAborted } from '../../base/abort.ts';
import type { CorpusQuery } from '../../engine/ports/corpus.ts';
import type { Embedder, FinderMeter, Reranker } from '../../engine/ports/embedder.ts';
import type { Passage } from '../../engine/ports/snapshot.ts';
import type { IndexReader } from '../search/read-index.ts';
import { type OtherWords, searchWords } from '../search/search-words.ts';
import type { CallWorker } from '../worker-rpc.ts';
import { fusePassages } from './fuse-words-and-meaning.ts';

export interface HybridParts {
  readonly embedder?: Embedder | undefined;
  readonly reranker?: Reranker | undefined;
  readonly otherWords?: OtherWords | undefined;
}

/** Notified of how the embedding model does for questions. */
export interface QuestionWatch {
  /** It gave a vector, or `reason` says why not. */
  answered(reason: string | undefined): void;
  /** Its vector has another length than those of the index. */
  suspect(): void;
}

/** Passages sent to the reranker; set by hand: it charges by the passage. */
const maxReranked = 32;

/** Rejects as the search by words does, or with the signal's reason. */
export async function searchHybrid(
  { embedder, reranker, otherWords, questions }: HybridParts & { readonly questions?: QuestionWatch | undefined },
  read: CallWorker<IndexReader>,
  query: CorpusQuery,
  signal: AbortSignal,
  meter?: FinderMeter,
): Promise<Passage[]> {
  const close =
    embedder === undefined ? [] : findClose(embedder, read, query, signal, withWatch(meter, questions), questions);
  const [words, near] = await Promise.all([searchWords(read, query, signal, otherWords), close]);
  const found = fusePassages(words, near, query.limit);
  if (reranker === undefined || found.length < 2) return found;
  const first = found.slice(0, maxReranked);
  const order = await reranker.rank(
    query.text,
    first.map(({ title, text }) => `${title}\n${text}`),
    signal,
    meter,
  );
  return order === undefined ? found : [...order.map((at) => first[at]!), ...found.slice(maxReranked)];
}

async function findClose(
  { query: embed, space }: Embedder,
  read: CallWorker<IndexReader>,
  query: CorpusQuery,
  signal: AbortSignal,
  meter: FinderMeter,
  questions: QuestionWatch | undefined,
): Promise<Passage[]> {
  const vector = query.text.trim() === '' ? undefined : await embed(query.text, signal, meter);
  if (vector === undefined) return [];
  // If something is wrong with the index, the search by words reports it.
  const { passages, dimensions } = await untilAborted(
    read('nearest', { ...query, vector, space }).catch(() => ({ passages: [], dimensions: null })),
    signal,
  );
  if (dimensions !== null && dimensions !== vector.length) {
    meter.missed(
      'embeddings',
      `it returned a vector of ${vector.length} dimensions; those of the index have ${dimensions}.`,
    );
    questions?.suspect();
  } else questions?.answered(undefined);
  return passages;
}

function withWatch(meter: FinderMeter | undefined, questions: QuestionWatch | undefined): FinderMeter {
  return {
    called: (kind) => meter?.called(kind),
    tokens: (kind, count) => meter?.tokens(kind, count),
    missed(kind, reason) {
      meter?.missed(kind, reason);
      questions?.answered(reason);
    },
  };
}
