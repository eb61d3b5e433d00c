/** What clients of OpenAI send and read at /v1/responses, as far as it is checked. Fields that are not named here are ignored. */
import * as z from 'zod';
import {
  Collections,
  ContextSize,
  Count,
  JsonSchemaFormat,
  SearchWarnings,
  ToolChoice,
  Turn,
  UrlCitation,
} from './openai-parts.ts';
import { Webhook } from './webhooks.ts';

const WebSearchTool = z.looseObject({
  type: z.string(),
  filters: z
    .looseObject({ allowed_domains: z.array(z.string()).nullish(), blocked_domains: z.array(z.string()).nullish() })
    .nullish(),
  search_context_size: ContextSize.nullish(),
});

const InputItem = z.looseObject({
  type: z.string().nullish(),
  id: z.string().nullish(),
  role: z.string().nullish(),
  content: Turn.shape.content,
});
export type InputItem = z.infer<typeof InputItem>;

/** Body of POST /v1/responses. Other fields are ignored. */
export const ResponseRequest = z
  .looseObject({
    model: z.string(),
    input: z.union([z.string(), z.array(InputItem).min(1).max(1_000)]),
    instructions: z.string().nullish(),
    stream: z.boolean().nullish(),
    background: z.boolean().nullish(),
    webhook: Webhook.nullish(),
    previous_response_id: z.string().nullish(),
    metadata: z
      .record(z.string(), z.string())
      .nullish()
      .describe('(+) At most 16 pairs, keys of 64 and values of 512 characters; in the response to this call.'),
    tools: z
      .array(WebSearchTool)
      .max(200)
      .nullish()
      .describe(
        'Of those named `web_search…`, the filters and the size; with one, the response has its call. (+) Functions, of which `tool_choice` can force one.',
      ),
    include: z
      .array(z.string())
      .nullish()
      .describe(
        '(+) `web_search_call.action.sources` has the sources in the call of the tool `web_search…`; others are ignored.',
      ),
    tool_choice: ToolChoice.optional(),
    text: z
      .looseObject({ format: z.looseObject({ type: z.string(), schema: JsonSchemaFormat.nullish() }).nullish() })
      .nullish(),
    citewire: z.looseObject({ collections: Collections }).nullish().describe('(+) Fields of this server.'),
  })
  .meta({ id: 'ResponseRequest' });
export type ResponseRequest = z.infer<typeof ResponseRequest>;

const OutputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(UrlCitation.extend({ type: z.literal('url_citation') })),
  logprobs: z.array(z.never()),
});

const ItemStatus = z.enum(['in_progress', 'searching', 'completed', 'failed']);

const OutputItem = z.union([
  z.object({
    id: z.string(),
    type: z.literal('web_search_call'),
    status: ItemStatus,
    action: z.object({
      type: z.literal('search'),
      query: z.string(),
      queries: z.array(z.string()),
      sources: z
        .array(z.object({ type: z.literal('url'), url: z.string() }))
        .optional()
        .describe('Only where `include` asks for them.'),
    }),
  }),
  z.object({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    status: ItemStatus,
    content: z.array(OutputText),
  }),
  z
    .object({
      id: z.string(),
      type: z.literal('function_call'),
      status: ItemStatus,
      call_id: z.string(),
      name: z.string(),
      arguments: z.string().describe('JSON: the structured answer.'),
    })
    .describe('(+) The answer, where the request forces a function.'),
]);
export type OutputItem = z.infer<typeof OutputItem>;

export const ResponseObject = z
  .object({
    id: z.string().describe('`resp_` and the id of the search.'),
    object: z.literal('response'),
    created_at: z.int(),
    status: z.enum(['in_progress', 'completed', 'failed', 'cancelled']),
    model: z.string(),
    output: z.array(OutputItem),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    usage: z
      .object({
        input_tokens: Count,
        input_tokens_details: z.object({ cached_tokens: Count }),
        output_tokens: Count,
        output_tokens_details: z.object({ reasoning_tokens: Count }),
        total_tokens: Count,
      })
      .nullable(),
    previous_response_id: z.string().nullable(),
    incomplete_details: z.null(),
    instructions: z
      .string()
      .nullable()
      .describe('(+) Those of the request, up to 8,000 characters; longer ones are null.'),
    text: z
      .object({ format: z.looseObject({ type: z.string() }) })
      .describe('(+) The format of the request; above 8,000 characters without its schema.'),
    metadata: z.record(z.string(), z.string()),
    parallel_tool_calls: z.literal(false),
    tool_choice: z
      .union([z.literal('auto'), z.object({ type: z.literal('function'), name: z.string() })])
      .describe('(+) The function that the request forces.'),
    tools: z
      .array(
        z.union([
          z.object({ type: z.literal('web_search') }),
          z.object({
            type: z.literal('function'),
            name: z.string(),
            parameters: z.record(z.string(), z.unknown()).nullable(),
            strict: z.boolean().nullable(),
          }),
        ]),
      )
      .describe('(+) The function that the request forces; parameters above 8,000 characters are null.'),
    temperature: z.null(),
    top_p: z.null(),
    background: z.boolean(),
    store: z.literal(true),
    warnings: SearchWarnings.optional(),
  })
  .meta({ id: 'ResponseObject' });
export type ResponseObject = z.infer<typeof ResponseObject>;

/** Body of DELETE /v1/responses/{response_id}. */
export const ResponseDeleted = z
  .object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) })
  .meta({ id: 'ResponseDeleted' });
export type ResponseDeleted = z.infer<typeof ResponseDeleted>;
