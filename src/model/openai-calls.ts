/**
 * Calls to an OpenAI-compatible endpoint. The SDK makes the request; each attempt asks the meter first and tells it what it
 * came to. Two retries with jitter for what may pass. What an endpoint can do (strict schemas, JSON mode, names of
 * parameters) is learned from the errors of real calls and remembered, so that nothing is paid for asking.
 */
import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import type { StageContext } from '../engine/ports.ts';
import { ModelError } from './model-error.ts';
import { type IncomingBytes, readCompletion, type StreamEnd } from './openai-stream.ts';

export interface OpenAiEndpoint {
  readonly model: string;
  /** Absent for endpoints that ask for none. */
  readonly apiKey?: string | undefined;
  /** https://api.openai.com/v1 unless told. */
  readonly baseUrl?: string | undefined;
  /** Hands over an event stream as `incoming` of its response: see IncomingBytes. */
  readonly fetch: typeof fetch;
  /** Until the headers of an answer, ms; 30,000 unless told. */
  readonly callMs?: number | undefined;
  /** Longest silence within a streamed answer, ms; 20,000 unless told. */
  readonly idleMs?: number | undefined;
  /** First wait before a retry, ms; 400 unless told. */
  readonly retryMs?: number | undefined;
}

export interface Call {
  readonly system: string;
  /** `share`, 0 to 1, is how much of the evidence fits: less after the endpoint said that it was too long. */
  readonly user: (share: number) => string;
  readonly mostTokens: number;
  /** The shape of the answer, where it is JSON. */
  readonly schema?: { readonly name: string; readonly schema: Record<string, unknown> };
  readonly picture?: { readonly type: string; readonly base64: string };
}

export interface Calls {
  /** The whole text of one answer. */
  ask(call: Call, context: StageContext): Promise<string>;
  /** The text as it is written. */
  stream(call: Call, context: StageContext): AsyncIterableIterator<string>;
}

type Body = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

const mostRetries = 2;
/** Longer than this nobody waits for an endpoint that asks to be left alone: the stage's twin answers meanwhile. */
const longestWaitMs = 5_000;
const charactersPerToken = 3.5;
/** An endpoint that nobody listens at is not tried again for so long, by any search. */
const unreachableMs = 10_000;

export function createCalls(endpoint: OpenAiEndpoint): Calls {
  const { model, callMs = 30_000, idleMs = 20_000, retryMs = 400 } = endpoint;
  const client = new OpenAI({
    apiKey: endpoint.apiKey ?? 'none',
    baseURL: endpoint.baseUrl ?? 'https://api.openai.com/v1',
    fetch: endpoint.fetch,
    timeout: callMs,
    maxRetries: 0,
    organization: null,
    project: null,
    logLevel: 'off',
  });
  const can = {
    format: 'strict' as 'strict' | 'json' | 'text',
    tokens: 'max_tokens' as 'max_tokens' | 'max_completion_tokens',
    temperature: true,
    streamUsage: true,
    share: 1,
    see: true,
  };
  let unreachableUntil = 0;

  function bodyOf(call: Call, { meter }: StageContext): Body {
    const text = call.user(can.share);
    const { picture, schema } = call;
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
            picture === undefined
              ? text
              : [
                  { type: 'text', text },
                  { type: 'image_url', image_url: { url: `data:${picture.type};base64,${picture.base64}` } },
                ],
        },
      ],
      [can.tokens]: Math.max(1, Math.min(call.mostTokens, Math.floor(meter.left()))),
      ...(can.temperature ? { temperature: 0.2 } : {}),
      ...formatOf(schema),
    };
  }

  function formatOf(schema: Call['schema']): Pick<Body, 'response_format'> {
    if (schema === undefined || can.format === 'text') return {};
    if (can.format === 'json') return { response_format: { type: 'json_object' } };
    return { response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } } };
  }

  /** Whether the endpoint's complaint taught something that makes another try worth it. */
  function learn(error: unknown, body: Body): boolean {
    if (!(error instanceof APIError) || ![400, 404, 413, 415, 422, 501].includes(error.status ?? 0)) return false;
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

  /** One request with its retries; `send` makes it. */
  async function attempt<Answer>(
    call: Call,
    context: StageContext,
    send: (body: Body) => Promise<Answer>,
  ): Promise<{ answer: Answer; estimate: number }> {
    const { signal, meter } = context;
    for (let retries = 0, lessons = 0; ; ) {
      signal.throwIfAborted();
      if (performance.now() < unreachableUntil) throw unreachable();
      if (call.picture !== undefined && !can.see) throw new ModelError('it cannot see.');
      const body = bodyOf(call, context);
      const estimate = estimateTokens(call.system.length + call.user(can.share).length, call.picture);
      meter.admit(estimate);
      try {
        return { answer: await send(body), estimate };
      } catch (error) {
        signal.throwIfAborted();
        if (lessons < 6 && learn(error, body)) {
          lessons += 1;
          continue;
        }
        const failure = toModelError(error);
        if (call.picture !== undefined && [400, 404, 415, 422, 501].includes(failure.status ?? 0)) can.see = false;
        const wait = failure.retryAfterMs ?? retryMs * 2 ** retries * (0.5 + Math.random());
        if (!mayPass(failure, error) || retries >= mostRetries || wait > longestWaitMs) {
          if (error instanceof APIConnectionError && failure.lasting)
            unreachableUntil = performance.now() + unreachableMs;
          throw failure;
        }
        retries += 1;
        await sleep(wait, signal);
      }
    }
  }

  return {
    async ask(call, context) {
      const { signal, meter } = context;
      const { answer, estimate } = await attempt(call, context, (body) =>
        client.chat.completions.create(body, { signal, timeout: callMs }),
      );
      const message = answer?.choices?.[0]?.message;
      const text = typeof message?.content === 'string' ? message.content : '';
      const { prompt_tokens, completion_tokens } = answer?.usage ?? {};
      meter.spent({ in: prompt_tokens ?? estimate, out: completion_tokens ?? estimateTokens(text.length) });
      if (message?.refusal || answer?.choices?.[0]?.finish_reason === 'content_filter')
        throw new ModelError('it refused.');
      if (text.trim() === '') throw new ModelError('it gave an empty answer.');
      return text;
    },

    stream(call, context) {
      const { signal, meter } = context;
      let pieces: Promise<AsyncIterableIterator<string>> | AsyncIterableIterator<string> | undefined;

      async function start(): Promise<AsyncIterableIterator<string>> {
        const { answer, estimate } = await attempt(call, context, async (body) => {
          const usage = can.streamUsage ? { stream_options: { include_usage: true } } : {};
          const options = { signal, timeout: callMs };
          return client.chat.completions.create({ ...body, stream: true, ...usage }, options).asResponse();
        });
        const { incoming } = answer as { incoming?: IncomingBytes };
        if (incoming === undefined) {
          meter.spent({ in: estimate, out: 0 });
          throw new ModelError('it answered with something else than a stream.');
        }
        const onOver = (ended: StreamEnd, characters: number) => {
          meter.spent(ended.usage ?? { in: estimate, out: estimateTokens(characters) });
        };
        pieces = readCompletion(incoming, { signal, idleMs, mostCharacters: 8 * call.mostTokens, onOver });
        return pieces;
      }

      return {
        next() {
          pieces ??= start();
          return pieces instanceof Promise ? pieces.then((begun) => begun.next()) : pieces.next();
        },
        async return() {
          await (await pieces)?.return?.();
          return { value: undefined, done: true };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
  };
}

function estimateTokens(characters: number, picture?: Call['picture']): number {
  return Math.ceil(characters / charactersPerToken) + (picture === undefined ? 0 : 1_000);
}

/** A call that took all its time is not made again: that much time is better spent on the rest of the search. */
function mayPass({ status }: ModelError, error: unknown): boolean {
  return (
    (error instanceof APIConnectionError && !(error instanceof APIConnectionTimeoutError)) ||
    status === 408 ||
    status === 409 ||
    status === 429 ||
    (status ?? 0) >= 500
  );
}

function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof APIUserAbortError) return new ModelError('it did not answer in time.', { cause: error });
  if (error instanceof APIConnectionTimeoutError) return new ModelError('it did not answer in time.', { cause: error });
  if (isUnreachable(error)) return unreachable(error);
  if (error instanceof APIConnectionError) return new ModelError('its connection broke off.', { cause: error });
  if (!(error instanceof APIError)) return new ModelError('it answered with what could not be read.', { cause: error });
  const { status } = error;
  const lasting = status === 401 || status === 403 || status === 404;
  const retryAfterMs = retryAfter(error.headers);
  return new ModelError(`its endpoint answered ${status}.`, { cause: error, status, lasting, retryAfterMs });
}

/** Nobody there, as opposed to somebody who broke off. */
function isUnreachable(error: unknown): boolean {
  const code = (error as { cause?: { code?: unknown } } | null)?.cause?.code;
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(String(code));
}

function unreachable(cause?: unknown): ModelError {
  return new ModelError('its endpoint could not be reached.', { cause, lasting: true });
}

function retryAfter(headers: Headers | undefined): number | undefined {
  const text = headers?.get('retry-after');
  if (text === undefined || text === null || text === '') return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    signal.addEventListener('abort', leave, { once: true });
  });
}
