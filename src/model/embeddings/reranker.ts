/**
 * Puts passages in the order of an endpoint that speaks the form of Jina and Cohere: `POST /rerank` with a query and documents.
 * Any failure leaves the order as it was.
 */
import { untilAborted } from '../../base/abort.ts';
import { urlBelow } from '../../base/upstream/base-url.ts';
import type { Reranker } from '../../engine/ports/embedder.ts';
import { ModelError } from '../model-error.ts';
import { cutToContext, estimateTokens } from './cut-text.ts';
import { createGuardedPost, failedRecently, isAboutText } from './guarded-post.ts';

export interface RerankerOptions {
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly fetch: typeof fetch;
  /** Tokens that the model reads of a passage. */
  readonly context?: number | undefined;
  /** Milliseconds that a search waits. */
  readonly budgetMs?: number | undefined;
  readonly onFailure?: ((error: ModelError) => void) | undefined;
  /** Tokens of each call: counted by the endpoint, else estimated. */
  readonly onTokens?: ((tokens: number) => void) | undefined;
}

/** Refusals one after the other from which on they are not about the texts; set by hand. */
const refusalsOfAll = 3;

/** Calls nobody before the first question. */
export function createReranker(options: RerankerOptions): Reranker {
  const { model, apiKey, fetch, onFailure, context = 512, budgetMs = 1_000 } = options;
  const url = urlBelow(options.baseUrl, '/rerank');
  const guarded = createGuardedPost({ fetch, url, apiKey, model, timeoutMs: budgetMs, onFailure });
  let refusals = 0;

  function refused(error: ModelError): void {
    if (!isAboutText(error)) return;
    refusals += 1;
    if (refusals >= refusalsOfAll) guarded.failed(error);
  }

  return {
    async rank(question, texts, signal, meter) {
      const missed = (reason: string) => {
        meter?.missed('rerank', reason);
        return undefined;
      };
      if (!guarded.isOpen()) return missed(failedRecently);
      const documents = texts.map((text) => cutToContext(text, context));
      const body = {
        model,
        query: cutToContext(question, context),
        documents,
        top_n: texts.length,
        return_documents: false,
      };
      meter?.called('rerank');
      const call = guarded.post(
        body,
        (answer) => ({ order: readOrder(answer, texts.length), tokens: readTokens(answer) }),
        signal,
      );
      const answered = call.then(
        ({ order, tokens = estimateTokens([body.query, ...documents]) }) => {
          refusals = 0;
          options.onTokens?.(tokens);
          meter?.tokens('rerank', tokens);
          return order;
        },
        (error: ModelError) => {
          refused(error);
          return missed(error.message);
        },
      );
      return untilAborted(answered, signal);
    },
  };
}

/** Tokens as Jina counts them; undefined if the endpoint does not say. */
function readTokens(answer: unknown): number | undefined {
  const { usage } = (answer ?? {}) as { usage?: { total_tokens?: unknown } };
  const tokens = usage?.total_tokens;
  return typeof tokens === 'number' && tokens >= 0 ? tokens : undefined;
}

/** The positions by their scores; those that the endpoint leaves out come last, in the order that they had. */
function readOrder(answer: unknown, count: number): number[] {
  const { results } = (answer ?? {}) as { results?: unknown };
  if (!Array.isArray(results) || results.length === 0 || results.length > count)
    throw new ModelError('its response has no list of results.');
  const scores = new Map<number, number>();
  for (const each of results) {
    const { index, relevance_score: score } = (each ?? {}) as { index?: unknown; relevance_score?: unknown };
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count || scores.has(index as number))
      throw new ModelError('its results are not numbered like the passages.');
    if (typeof score !== 'number' || !Number.isFinite(score))
      throw new ModelError('it returned a score that is not a number.');
    scores.set(index as number, score);
  }
  const positions = Array.from({ length: count }, (_, at) => at);
  const scoreOf = (at: number) => scores.get(at) ?? Number.NEGATIVE_INFINITY;
  return positions.sort((a, b) => (scoreOf(a) === scoreOf(b) ? a - b : scoreOf(b) - scoreOf(a)));
}
