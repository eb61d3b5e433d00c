/**
 * What an endpoint supports (strict schemas, JSON mode, parameter names, length of context, images): learned from the errors
 * of real calls and remembered, so that no call is spent on probing.
 */
import { APIError, type OpenAI } from 'openai';
import type { ModelError } from '../model-error.ts';

export interface Call {
  readonly system: string;
  /** `share`, 0 to 1, is how much of the evidence to include: less once the endpoint has rejected a prompt as too long. */
  readonly user: (share: number) => string;
  /** Longest answer. */
  readonly maxTokens: number;
  /** The JSON Schema of the answer, if it is JSON. */
  readonly schema?: { readonly name: string; readonly schema: Record<string, unknown> };
  readonly image?: { readonly type: string; readonly base64: string };
}

export type Body = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

export interface Capabilities {
  /** The request body in the form that this endpoint accepts, for at most `maxTokens`. */
  buildBody(call: Call, maxTokens: number): Body;
  /** Length of the prompt, in characters. */
  lengthOf(call: Call): number;
  /** What a streamed call adds to receive its usage. */
  streamOptions(): Pick<OpenAI.Chat.ChatCompletionCreateParamsStreaming, 'stream_options'>;
  /** False once the endpoint has refused an image. */
  hasVision(): boolean;
  /** Adapts to the endpoint's complaint about `body`. True if that makes another attempt worthwhile. */
  learnFrom(error: unknown, body: Body): boolean;
  /** Records the failure of a call with an image. */
  noteImageFailure(failure: ModelError): void;
}

/** Statuses by which endpoints reject what they do not support. */
const rejections = [400, 404, 415, 422, 501];
/** The smallest share of the evidence that is still worth sending; set by hand. */
const minShare = 0.2;
/** Set by hand: answers should stay close to the evidence. */
const temperature = 0.2;

/** Everything is assumed to be supported until the endpoint says otherwise. */
export function createCapabilities(model: string): Capabilities {
  const can = {
    format: 'strict' as 'strict' | 'json' | 'text',
    tokens: 'max_tokens' as 'max_tokens' | 'max_completion_tokens',
    temperature: true,
    streamUsage: true,
    share: 1,
    vision: true,
  };

  function bodyOf(call: Call, maxTokens: number): Body {
    const text = call.user(can.share);
    const { image, schema } = call;
    const schemaAsText =
      schema === undefined || can.format === 'strict'
        ? ''
        : `\n\nAnswer with one JSON object that matches this JSON Schema, and nothing else:\n${JSON.stringify(schema.schema)}`;
    return {
      model,
      messages: [
        { role: 'system', content: call.system + schemaAsText },
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
      ...(can.temperature ? { temperature } : {}),
      ...formatOf(schema),
    };
  }

  function formatOf(schema: Call['schema']): Pick<Body, 'response_format'> {
    if (schema === undefined || can.format === 'text') return {};
    if (can.format === 'json') return { response_format: { type: 'json_object' } };
    return { response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } } };
  }

  function learn(error: unknown, body: Body): boolean {
    if (!(error instanceof APIError) || ![...rejections, 413].includes(error.status ?? 0)) return false;
    const complaint = `${error.message} ${error.param ?? ''} ${error.code ?? ''}`.toLowerCase();
    if (/context.?length|context window|maximum context|too (?:long|many tokens)|prompt is too/.test(complaint)) {
      if (can.share <= minShare) return false;
      can.share /= 2;
      return true;
    }
    if (can.tokens in body && complaint.includes('max_completion_tokens') && can.tokens === 'max_tokens') {
      can.tokens = 'max_completion_tokens';
      return true;
    }
    if ('temperature' in body && can.temperature && complaint.includes('temperature')) {
      can.temperature = false;
      return true;
    }
    if (can.streamUsage && /stream_options|include_usage/.test(complaint)) {
      can.streamUsage = false;
      return true;
    }
    if (
      body.response_format !== undefined &&
      can.format !== 'text' &&
      /response_format|json|schema|strict/.test(complaint)
    ) {
      can.format = can.format === 'strict' && body.response_format.type === 'json_schema' ? 'json' : 'text';
      return true;
    }
    return false;
  }

  return {
    buildBody: bodyOf,
    lengthOf: (call) => call.system.length + call.user(can.share).length,
    streamOptions: () => (can.streamUsage ? { stream_options: { include_usage: true } } : {}),
    hasVision: () => can.vision,
    learnFrom: learn,
    noteImageFailure({ status }) {
      if (rejections.includes(status ?? 0)) can.vision = false;
    },
  };
}
