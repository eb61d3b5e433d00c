/**
 * What an endpoint can do (strict schemas, JSON mode, names of parameters, how much it reads, whether it sees): learned
 * from the errors of real calls and remembered, so that nothing is paid for asking.
 */
import { APIError, type OpenAI } from 'openai';
import type { ModelError } from '../model-error.ts';

export interface Call {
  readonly system: string;
  /** `share`, 0 to 1, is how much of the evidence fits: less after the endpoint said that it was too long. */
  readonly user: (share: number) => string;
  readonly maxTokens: number;
  /** The shape of the answer, where it is JSON. */
  readonly schema?: { readonly name: string; readonly schema: Record<string, unknown> };
  readonly image?: { readonly type: string; readonly base64: string };
}

export type Body = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

export interface Capabilities {
  /** The call in the form that this endpoint takes; it asks for no more than `maxTokens`. */
  bodyOf(call: Call, maxTokens: number): Body;
  /** How much text the call is, in characters. */
  lengthOf(call: Call): number;
  /** What a streamed call adds to be told what it came to. */
  streamOptions(): Pick<OpenAI.Chat.ChatCompletionCreateParamsStreaming, 'stream_options'>;
  sees(): boolean;
  /** Whether the endpoint's complaint taught something that makes another try worth it. */
  learn(error: unknown, body: Body): boolean;
  /** Takes note of why a call with an image failed. */
  noteBlind(failure: ModelError): void;
}

const refusals = [400, 404, 415, 422, 501];

export function createCapabilities(model: string): Capabilities {
  const can = {
    format: 'strict' as 'strict' | 'json' | 'text',
    tokens: 'max_tokens' as 'max_tokens' | 'max_completion_tokens',
    temperature: true,
    streamUsage: true,
    share: 1,
    see: true,
  };

  function bodyOf(call: Call, maxTokens: number): Body {
    const text = call.user(can.share);
    const { image, schema } = call;
    const schemaInWords =
      schema === undefined || can.format === 'strict'
        ? ''
        : `\n\nAnswer with one JSON object that fits this JSON Schema, and with nothing else:\n${JSON.stringify(schema.schema)}`;
    return {
      model,
      messages: [
        { role: 'system', content: call.system + schemaInWords },
        {
          role: 'user',
          content:
            image === undefined
              ? text
              : [
                  { type: 'text', text },
                  { type: 'image_url', image_url: { url: `data:${image.type};base64,${image.base64}` } },
                ],
        },
      ],
      [can.tokens]: Math.max(1, Math.min(call.maxTokens, Math.floor(maxTokens))),
      ...(can.temperature ? { temperature: 0.2 } : {}),
      ...formatOf(schema),
    };
  }

  function formatOf(schema: Call['schema']): Pick<Body, 'response_format'> {
    if (schema === undefined || can.format === 'text') return {};
    if (can.format === 'json') return { response_format: { type: 'json_object' } };
    return { response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } } };
  }

  function learn(error: unknown, body: Body): boolean {
    if (!(error instanceof APIError) || ![...refusals, 413].includes(error.status ?? 0)) return false;
    const said = `${error.message} ${error.param ?? ''} ${error.code ?? ''}`.toLowerCase();
    if (/context.?length|context window|maximum context|too (?:long|many tokens)|prompt is too/.test(said)) {
      if (can.share <= 0.2) return false;
      can.share /= 2;
      return true;
    }
    if (can.tokens in body && said.includes('max_completion_tokens') && can.tokens === 'max_tokens') {
      can.tokens = 'max_completion_tokens';
      return true;
    }
    if ('temperature' in body && can.temperature && said.includes('temperature')) {
      can.temperature = false;
      return true;
    }
    if (can.streamUsage && /stream_options|include_usage/.test(said)) {
      can.streamUsage = false;
      return true;
    }
    if (
      body.response_format !== undefined &&
      can.format !== 'text' &&
      /response_format|json|schema|strict/.test(said)
    ) {
      can.format = can.format === 'strict' && body.response_format.type === 'json_schema' ? 'json' : 'text';
      return true;
    }
    return false;
  }

  return {
    bodyOf,
    lengthOf: (call) => call.system.length + call.user(can.share).length,
    streamOptions: () => (can.streamUsage ? { stream_options: { include_usage: true } } : {}),
    sees: () => can.see,
    learn,
    noteBlind({ status }) {
      if (refusals.includes(status ?? 0)) can.see = false;
    },
  };
}
