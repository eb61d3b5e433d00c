/**
 * The search and the asynchronous chat completions of Perplexity's API, as its clients send and read them. Its other chat completions are
 * those of OpenAI. Fields that are not listed are ignored.
 */
import * as z from 'zod';
import { Whole } from './common-fields.ts';
import { ChatCompletion, ChatCompletionRequest } from './openai.ts';
import { Collections, ContextSize } from './openai-parts.ts';
import { Prompt } from './requests.ts';

/** Of one call; Perplexity's own limits. */
export const perplexityLimits = { results: 20, queries: 5 } as const;

/** Body of POST /perplexity/search. */
export const PerplexitySearchRequest = z
  .object({
    query: z
      .union([Prompt, z.array(Prompt).min(1).max(perplexityLimits.queries)])
      .describe('Several are one question.'),
    max_results: Whole.min(1).max(perplexityLimits.results).nullish().describe('10 by default.'),
    max_tokens_per_page: Whole.positive().nullish().describe('Of a `snippet`; a token is counted as four characters.'),
    search_context_size: ContextSize.nullish().describe(
      '`low`, the default, is the effort `fast`, `medium` `balanced` and `high` `deep`.',
    ),
    ...ChatCompletionRequest.pick({
      search_domain_filter: true,
      search_recency_filter: true,
      search_after_date_filter: true,
      search_before_date_filter: true,
    }).shape,
    collections: Collections,
  })
  .meta({ id: 'PerplexitySearchRequest' });
export type PerplexitySearchRequest = z.infer<typeof PerplexitySearchRequest>;

/** Body of the answer of POST /perplexity/search. */
export const PerplexitySearchResponse = z
  .object({
    id: z.string(),
    results: z.array(
      z.object({
        title: z.string(),
        url: z.string(),
        snippet: z.string().describe('What the page says about the question, word for word.'),
        date: z.string().nullable().describe('When it was published, YYYY-MM-DD.'),
        last_updated: z.null(),
      }),
    ),
    server_time: z.null(),
  })
  .meta({ id: 'PerplexitySearchResponse' });
export type PerplexitySearchResponse = z.infer<typeof PerplexitySearchResponse>;

/** Body of POST /perplexity/async/chat/completions. */
export const PerplexityAsyncRequest = z
  .object({ request: ChatCompletionRequest.describe('`stream` is ignored.') })
  .meta({ id: 'PerplexityAsyncRequest' });
export type PerplexityAsyncRequest = z.infer<typeof PerplexityAsyncRequest>;

const Seconds = z.int().nonnegative();

/** Body of the answers of /perplexity/async/chat/completions. Times are in seconds since 1970. */
export const PerplexityAsync = z
  .object({
    id: z.string().describe('The id of the search.'),
    model: z.string(),
    created_at: Seconds,
    started_at: Seconds,
    completed_at: Seconds.nullable(),
    failed_at: Seconds.nullable(),
    status: z.enum(['CREATED', 'IN_PROGRESS', 'COMPLETED', 'FAILED']),
    error_message: z.string().nullable(),
    response: ChatCompletion.nullable().describe('Once it has completed.'),
  })
  .meta({ id: 'PerplexityAsync' });
export type PerplexityAsync = z.infer<typeof PerplexityAsync>;
