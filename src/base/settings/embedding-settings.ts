/**
 * The settings of the endpoints that help to find passages: one for vectors, one that puts passages in order. Part of the table
 * in config.ts.
 */
import * as z from 'zod';
import { apiKey, httpUrl, numberOf } from './setting-values.ts';

const milliseconds = numberOf(z.int().min(10).max(30_000));

export const embeddingSettings = {
  EMBEDDINGS_MODEL: z.string().max(200).optional().describe('the name of an embedding model'),
  EMBEDDINGS_BASE_URL: httpUrl.optional().describe('a URL such as http://127.0.0.1:11434/v1'),
  EMBEDDINGS_API_KEY: apiKey,
  EMBEDDINGS_DIMENSIONS: numberOf(z.int().min(2).max(8_192)).optional().describe('a whole number from 2 to 8192'),
  EMBEDDINGS_BATCH: numberOf(z.int().min(1).max(128)).default(16).describe('a whole number from 1 to 128'),
  EMBEDDINGS_CONTEXT: numberOf(z.int().min(64).max(1_000_000)).default(512).describe('a number of tokens from 64'),
  EMBEDDINGS_QUERY_PREFIX: z.string().max(1_000).optional().describe('a text of at most 1000 characters, or none'),
  EMBEDDINGS_DOCUMENT_PREFIX: z.string().max(1_000).optional().describe('a text of at most 1000 characters, or none'),
  EMBEDDINGS_BUDGET_MS: milliseconds.default(300).describe('milliseconds from 10 to 30000'),
  RERANK_MODEL: z.string().max(200).optional().describe('the name of a rerank model'),
  RERANK_BASE_URL: httpUrl.optional().describe('a URL such as https://api.jina.ai/v1'),
  RERANK_API_KEY: apiKey,
  RERANK_BUDGET_MS: milliseconds.default(1_000).describe('milliseconds from 10 to 30000'),
};

export interface EmbeddingsConfig {
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Asked for; undefined leaves it to the model. */
  readonly dimensions: number | undefined;
  /** Texts of one call. */
  readonly batch: number;
  /** Tokens that are sent of a text. */
  readonly context: number;
  /** Undefined for those that the model is known to want. */
  readonly queryPrefix: string | undefined;
  readonly documentPrefix: string | undefined;
  /** How long a search waits. */
  readonly budgetMs: number;
}

export interface RerankConfig {
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly budgetMs: number;
}

type Values = { readonly [Name in keyof typeof embeddingSettings]: z.infer<(typeof embeddingSettings)[Name]> };

/** Only EMBEDDINGS_MODEL enables it. Returns a sentence about what is missing instead. */
export function readEmbeddingsConfig(values: Values): EmbeddingsConfig | string | undefined {
  const { EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: apiKey } = values;
  if (model === undefined) return undefined;
  const baseUrl = values.EMBEDDINGS_BASE_URL ?? (apiKey === undefined ? undefined : 'https://api.openai.com/v1');
  if (baseUrl === undefined)
    return 'EMBEDDINGS_MODEL: expected EMBEDDINGS_BASE_URL or EMBEDDINGS_API_KEY to be set as well; got neither.';
  return {
    model,
    baseUrl,
    apiKey,
    dimensions: values.EMBEDDINGS_DIMENSIONS,
    batch: values.EMBEDDINGS_BATCH,
    context: values.EMBEDDINGS_CONTEXT,
    queryPrefix: prefix(values.EMBEDDINGS_QUERY_PREFIX),
    documentPrefix: prefix(values.EMBEDDINGS_DOCUMENT_PREFIX),
    budgetMs: values.EMBEDDINGS_BUDGET_MS,
  };
}

/** Only RERANK_MODEL enables it. Returns a sentence about what is missing instead. */
export function readRerankConfig(values: Values): RerankConfig | string | undefined {
  const { RERANK_MODEL: model, RERANK_BASE_URL: baseUrl, RERANK_API_KEY: apiKey } = values;
  if (model === undefined) return undefined;
  if (baseUrl === undefined) return 'RERANK_MODEL: expected RERANK_BASE_URL to be set as well; got nothing.';
  return { model, baseUrl, apiKey, budgetMs: values.RERANK_BUDGET_MS };
}

/** An empty value counts as not set, so a word says that there is none. */
function prefix(text: string | undefined): string | undefined {
  return text === 'none' ? '' : text;
}
