/** The endpoints in the settings that help to find passages. Loaded only where there is one. */
import type { Config } from '../../base/config.ts';
import type { HybridParts } from '../../corpus/vectors/hybrid-search.ts';
import { createEmbedder } from '../../model/embeddings/embedder.ts';
import { createReranker } from '../../model/embeddings/reranker.ts';
import { createTrustedFetch } from '../../web/fetch/trusted-fetch.ts';
import { type UpstreamWatch, watchedFetch } from './watched-fetch.ts';

export interface OpenFinders extends HybridParts {
  close(): Promise<void>;
}

/** Notified of calls, of the tokens of texts, and of failures, in one sentence without secrets. */
export interface FindersWatch extends UpstreamWatch {
  embedded?(tokens: number): void;
  reranked?(tokens: number): void;
}

/** Calls nobody before the first search or passage. `around` wraps what makes the requests. */
export function openEmbeddings(
  { embeddings, rerank }: Pick<Config, 'embeddings' | 'rerank'>,
  watch: FindersWatch = {},
  around: (inner: typeof fetch) => typeof fetch = (inner) => inner,
): OpenFinders {
  const trusted = createTrustedFetch();
  const failed = (model: string) => (error: Error) => watch.troubled?.(model, error.message);
  return {
    embedder:
      embeddings &&
      createEmbedder({
        ...embeddings,
        fetch: watchedFetch(around(trusted.fetch), 'embeddings', 'openai', watch),
        onFailure: failed(embeddings.model),
        onTokens: watch.embedded,
      }),
    reranker:
      rerank &&
      createReranker({
        ...rerank,
        fetch: watchedFetch(around(trusted.fetch), 'rerank', 'jina', watch),
        onFailure: failed(rerank.model),
        onTokens: watch.reranked,
      }),
    close: () => trusted.close(),
  };
}
