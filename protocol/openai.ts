/** What clients of OpenAI send and read, as far as it is checked. Fields that are not named here are ignored, never refused. */
import * as z from 'zod';
import { CollectionNames } from './collections.ts';
import { Webhook } from './webhooks.ts';

export const Model = z
  .object({
    id: z
      .string()
      .describe(
        '`citewire`, `citewire-fast`, `citewire-deep`, `citewire/<model>` where there are several models (+), or `api/<stub>` for a published API.',
      ),
    object: z.literal('model'),
    created: z.int().describe('Seconds since 1970.'),
    owned_by: z.string(),
  })
  .meta({ id: 'Model' });
export type Model = z.infer<typeof Model>;

/** Body of GET /v1/models. */
export const ModelList = z.object({ object: z.literal('list'), data: z.array(Model) }).meta({ id: 'ModelList' });
export type ModelList = z.infer<typeof ModelList>;

const ContentPart = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  image_url: z
    .union([z.string(), z.looseObject({ url: z.string() })])
    .nullish()
    .describe('Of `image_url` and `input_image`: a data URL or an http(s) URL.'),
});
export type ContentPart = z.infer<typeof ContentPart>;

/** A turn of a conversation, in both of OpenAI's protocols. */
const Turn = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(ContentPart).max(1_000)]).nullish(),
});
export type Turn = z.infer<typeof Turn>;

const ContextSize = z.enum(['low', 'medium', 'high']);

const Collections = CollectionNames.nullish().describe(
  '(+) Names or ids: search only these collections, and not the web.',
);

const JsonSchemaFormat = z.record(z.string(), z.unknown());

/** They are read by hand, because most of them are passed over. */
const Tools = z.unknown();
const ToolChoice = z
  .unknown()
  .describe(
    '(+) The name of a function, or `required` with one function: the answer is the call of it, and its `parameters` are the template.',
  );

/** Body of POST /v1/chat/completions. Other fields are ignored. */
export const ChatCompletionRequest = z
  .looseObject({
    model: z.string(),
    messages: z.array(Turn).min(1).max(1_000),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    response_format: z
      .looseObject({ type: z.string(), json_schema: z.looseObject({ schema: JsonSchemaFormat.nullish() }).nullish() })
      .nullish()
      .describe('`text`, `json_schema` or `json_object`. (+) A `schema` beside the type is read, too.'),
    tools: Tools.optional().describe('(+) Functions, of which `tool_choice` can force one. Others are ignored.'),
    tool_choice: ToolChoice.optional(),
    functions: Tools.optional().describe('(+) `tools` in their older form.'),
    function_call: ToolChoice.optional().describe('(+) `tool_choice` in its older form.'),
    web_search_options: z.looseObject({ search_context_size: ContextSize.nullish() }).nullish(),
    search_domain_filter: z
      .array(z.string())
      .nullish()
      .describe('As of Perplexity: only these domains or, each with a leading "-", none of these.'),
    search_recency_filter: z.enum(['hour', 'day', 'week', 'month', 'year']).nullish(),
    search_after_date_filter: z.string().nullish().describe('`M/D/YYYY`'),
    search_before_date_filter: z.string().nullish().describe('`M/D/YYYY`'),
    citewire: z
      .looseObject({
        sources: z.boolean().nullish().describe('Ends the text with a list of the cited sources.'),
        status: z.boolean().nullish().describe('Streams the steps as status events of Open WebUI.'),
        collections: Collections,
      })
      .nullish()
      .describe('Fields of this server.'),
  })
  .meta({ id: 'ChatCompletionRequest' });
export type ChatCompletionRequest = z.infer<typeof ChatCompletionRequest>;

const Count = z.int().nonnegative();

const UrlCitation = z.object({
  start_index: Count.describe('Where the marker `[n]` starts in the text, in UTF-16 code units.'),
  end_index: Count,
  url: z.string(),
  title: z.string(),
});
export type UrlCitation = z.infer<typeof UrlCitation>;

const FunctionCall = z.object({ name: z.string(), arguments: z.string().describe('JSON: the structured answer.') });

export const ChatCompletion = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.literal(0),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string().nullable().describe('(+) Null where the answer is the call of a function.'),
          refusal: z.null(),
          annotations: z.array(z.object({ type: z.literal('url_citation'), url_citation: UrlCitation })),
          tool_calls: z
            .array(z.object({ id: z.string(), type: z.literal('function'), function: FunctionCall }))
            .optional()
            .describe('(+) The call of the function that the request forces.'),
          function_call: FunctionCall.optional().describe('(+) The same, where the request has the older form.'),
        }),
        logprobs: z.null(),
        finish_reason: z
          .enum(['stop', 'tool_calls'])
          .describe('(+) `tool_calls` after a call that was `required`; `stop` after one that was named.'),
      }),
    ),
    usage: z.object({ prompt_tokens: Count, completion_tokens: Count, total_tokens: Count }),
    citations: z.array(z.string()).describe('The URLs of all sources, in the order of their numbers.'),
    search_results: z.array(
      z.object({
        title: z.string(),
        url: z.string(),
        date: z.string().nullable(),
        last_updated: z.null(),
        snippet: z.string(),
        source: z.literal('web'),
      }),
    ),
  })
  .meta({ id: 'ChatCompletion' });
export type ChatCompletion = z.infer<typeof ChatCompletion>;

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
        'Of those named `web_search…`, the filters and the size. (+) Functions, of which `tool_choice` can force one.',
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
      sources: z.array(z.object({ type: z.literal('url'), url: z.string() })),
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
  })
  .meta({ id: 'ResponseObject' });
export type ResponseObject = z.infer<typeof ResponseObject>;

/** Body of DELETE /v1/responses/{response_id}. */
export const ResponseDeleted = z
  .object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) })
  .meta({ id: 'ResponseDeleted' });
export type ResponseDeleted = z.infer<typeof ResponseDeleted>;
