/**
 * The calls of Parallel's API, as its clients send and read them: task runs, whose every field has its basis, searches, and the
 * text of pages. Fields that are not listed are ignored.
 */
import * as z from 'zod';
import { Whole } from './common-fields.ts';
import { Collections, Domains } from './door-fields.ts';
import { Prompt } from './requests.ts';

/** Of one call. Parallel's own limits, but for the pairs of metadata and the queries, set by hand, and `wait_s`: no search lasts longer. */
export const parallelLimits = {
  results: 40,
  urls: 20,
  queries: 20,
  query_characters: 1_000,
  metadata_pairs: 16,
  metadata_key: 16,
  metadata_value: 512,
  wait_s: 1_800,
} as const;

const Characters = Whole.positive().nullish();

export const ParallelSourcePolicy = z
  .object({
    include_domains: Domains,
    exclude_domains: Domains,
    after_date: z.iso.date().nullish(),
  })
  .meta({ id: 'ParallelSourcePolicy' });
export type ParallelSourcePolicy = z.infer<typeof ParallelSourcePolicy>;

const TextSchema = z.object({ type: z.enum(['text', 'auto']).optional(), description: z.string().nullish() });
const JsonSchema = z.object({ type: z.literal('json').optional(), json_schema: z.record(z.string(), z.unknown()) });
const Metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Body of POST /parallel/v1/tasks/runs. */
export const ParallelTaskRequest = z
  .object({
    input: z
      .union([Prompt, z.record(z.string(), z.unknown())])
      .describe('The question or, beside an `output_schema`, what it is about.'),
    processor: z
      .string()
      .max(100)
      .nullish()
      .describe('`lite` and `base` are the effort `fast`, `pro` and `ultra` `deep`, anything else `balanced`.'),
    task_spec: z
      .object({
        output_schema: z
          .union([z.string(), JsonSchema, TextSchema])
          .describe('What to find out, in words, or a JSON Schema, whose form the answer then has.'),
      })
      .nullish(),
    source_policy: ParallelSourcePolicy.nullish(),
    metadata: Metadata.nullish(),
    previous_interaction_id: z.string().nullish(),
    collections: Collections,
    webhook: z
      .null({ error: 'expected none: add an endpoint with POST /v1/webhooks, or wait for the result' })
      .optional(),
    mcp_servers: z
      .array(z.unknown())
      .max(0, { error: 'expected none: the tools of other servers are not called' })
      .nullish(),
  })
  .meta({ id: 'ParallelTaskRequest' });
export type ParallelTaskRequest = z.infer<typeof ParallelTaskRequest>;

/** Body of every error of these calls. */
export const ParallelError = z
  .object({
    type: z.literal('error'),
    error: z.object({
      ref_id: z.string().describe('The id of the request.'),
      message: z.string(),
      detail: z.record(z.string(), z.unknown()).nullable().describe('`code` of the error table, and any `issues`.'),
    }),
  })
  .meta({ id: 'ParallelError' });
export type ParallelError = z.infer<typeof ParallelError>;

/** Body of GET /parallel/v1/tasks/runs/{run_id}. */
export const ParallelTaskRun = z
  .object({
    run_id: z.string(),
    interaction_id: z.string().describe('The same, for `previous_interaction_id`.'),
    status: z.enum(['running', 'completed', 'failed', 'cancelled']),
    is_active: z.boolean(),
    processor: z.string(),
    metadata: Metadata.nullable(),
    warnings: z.null(),
    error: ParallelError.shape.error.nullable(),
    taskgroup_id: z.null(),
    created_at: z.string(),
    modified_at: z.string(),
  })
  .meta({ id: 'ParallelTaskRun' });
export type ParallelTaskRun = z.infer<typeof ParallelTaskRun>;

export const ParallelFieldBasis = z
  .object({
    field: z
      .string()
      .describe('`output` for a text, otherwise a field of it; of an element of a list, such as `names.0`.'),
    reasoning: z.string().describe('What was found, or why there is no value.'),
    citations: z.array(z.object({ url: z.string(), title: z.string(), excerpts: z.array(z.string()) })),
    confidence: z.enum(['high', 'medium', 'low']).nullable(),
  })
  .meta({ id: 'ParallelFieldBasis' });
export type ParallelFieldBasis = z.infer<typeof ParallelFieldBasis>;

const basis = z.array(ParallelFieldBasis);

/** What a task run has found. */
export const ParallelOutput = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text'), content: z.string(), basis }),
    z.object({ type: z.literal('json'), content: z.record(z.string(), z.unknown()), basis }),
  ])
  .meta({ id: 'ParallelOutput' });
export type ParallelOutput = z.infer<typeof ParallelOutput>;

/** Body of GET /parallel/v1/tasks/runs/{run_id}/result. */
export const ParallelTaskResult = z
  .object({ run: ParallelTaskRun, output: ParallelOutput })
  .meta({ id: 'ParallelTaskResult' });
export type ParallelTaskResult = z.infer<typeof ParallelTaskResult>;

/** Query of GET /parallel/v1/tasks/runs/{run_id}/result. */
export const ParallelResultQuery = z.object({
  timeout: z
    .string()
    .regex(/^\d{1,6}$/, 'expected whole seconds')
    .transform((text) => Math.min(Number(text), parallelLimits.wait_s))
    .optional(),
});

const Excerpts = z.object({ max_chars_per_result: Characters }).nullish();

/** Body of POST /parallel/v1/search. */
export const ParallelSearchRequest = z
  .object({
    objective: Prompt.nullish().describe('The question; without one, the queries are.'),
    search_queries: z
      .array(z.string().min(1).max(parallelLimits.query_characters))
      .max(parallelLimits.queries)
      .nullish(),
    mode: z.string().nullish().describe('`advanced`, the default, is the effort `balanced`, anything else `fast`.'),
    max_chars_total: Characters.describe('Of all excerpts.'),
    advanced_settings: z
      .object({
        max_results: Whole.min(1).max(parallelLimits.results).nullish().describe('10 by default.'),
        source_policy: ParallelSourcePolicy.nullish(),
        excerpt_settings: Excerpts,
      })
      .nullish(),
    session_id: z.string().max(200).nullish(),
    collections: Collections,
  })
  .refine(({ objective, search_queries }) => objective != null || (search_queries ?? []).length > 0, {
    path: ['search_queries'],
    error: 'expected at least one query, or an objective; got none',
  })
  .meta({ id: 'ParallelSearchRequest' });
export type ParallelSearchRequest = z.infer<typeof ParallelSearchRequest>;

const ParallelResult = z.object({
  url: z.string(),
  title: z.string(),
  publish_date: z.string().nullable().describe('YYYY-MM-DD.'),
  excerpts: z.array(z.string()).describe('What the page says about the question, word for word.'),
});

/** Body of the answer of POST /parallel/v1/search. */
export const ParallelSearchResponse = z
  .object({
    search_id: z.string(),
    session_id: z.string(),
    results: z.array(ParallelResult),
    warnings: z.null(),
    usage: z.null(),
  })
  .meta({ id: 'ParallelSearchResponse' });
export type ParallelSearchResponse = z.infer<typeof ParallelSearchResponse>;

/** Body of POST /parallel/v1/extract. */
export const ParallelExtractRequest = z
  .object({
    urls: z.array(z.string().min(1).max(8192)).min(1).max(parallelLimits.urls),
    objective: Prompt.nullish(),
    search_queries: ParallelSearchRequest.shape.search_queries,
    max_chars_total: Characters.describe('Of all excerpts.'),
    advanced_settings: z
      .object({
        excerpt_settings: Excerpts,
        full_content: z.union([z.boolean(), z.object({ max_chars_per_result: Characters })]).nullish(),
      })
      .nullish(),
    session_id: z.string().max(200).nullish(),
  })
  .meta({ id: 'ParallelExtractRequest' });
export type ParallelExtractRequest = z.infer<typeof ParallelExtractRequest>;

/** Body of the answer of POST /parallel/v1/extract. */
export const ParallelExtractResponse = z
  .object({
    extract_id: z.string(),
    session_id: z.string(),
    results: z.array(ParallelResult.extend({ full_content: z.string().nullable() })),
    errors: z.array(
      z.object({
        url: z.string(),
        error_type: z.string().describe('A code of the error table.'),
        http_status_code: z.int().nullable(),
        content: z.string().describe('Why the page could not be read.'),
      }),
    ),
    warnings: z.null(),
    usage: z.null(),
  })
  .meta({ id: 'ParallelExtractResponse' });
export type ParallelExtractResponse = z.infer<typeof ParallelExtractResponse>;
