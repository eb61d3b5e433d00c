/**
 * What clients of OpenAI send and read at /v1/models and /v1/chat/completions, as far as it is checked. Fields that are not named
 * here are ignored.
 */
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

/** Any value: what is not known in it is ignored, so it is not checked here. */
const Tools = z.unknown();

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
      .describe(
        '`text`, `json_schema` or `json_object`. (+) A `schema` beside the type or in the prompt is read, too.',
      ),
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
    warnings: SearchWarnings.optional(),
  })
  .meta({ id: 'ChatCompletion' });
export type ChatCompletion = z.infer<typeof ChatCompletion>;
