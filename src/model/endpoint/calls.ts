/**
 * Calls to an OpenAI-compatible endpoint. The SDK makes the request. Each attempt is admitted by the meter first and
 * reports its tokens afterwards. Transient failures are retried twice, with jitter. An endpoint that does not respond costs
 * a search its timeout only once.
 */

import OpenAI from 'openai';
import { sleep } from '../../base/abort.ts';
import type { StageContext } from '../../engine/ports/model.ts';
import { ModelError } from '../model-error.ts';
import { type Body, type Call, createCapabilities } from './capabilities.ts';
import { isRetryable, isUnreachable, toModelError, unreachable } from './errors.ts';
import { type IncomingBytes, readCompletion, type StreamEnd } from './stream.ts';

export interface OpenAiEndpoint {
  readonly model: string;
  /** Absent for endpoints that need none. */
  readonly apiKey?: string | undefined;
  /** https://api.openai.com/v1 by default. */
  readonly baseUrl?: string | undefined;
  /** Must expose an event stream as `incoming` of its response: see `IncomingBytes`. */
  readonly fetch: typeof fetch;
  /** Timeout until a response begins, ms; 30,000 by default. */
  readonly callMs?: number | undefined;
  /** Inactivity timeout within a stream, ms; 20,000 by default. */
  readonly idleMs?: number | undefined;
  /** Delay before the first retry, ms, doubled for each further one; 400 by default. */
  readonly retryMs?: number | undefined;
}

export interface Calls {
  /** The whole text of a completion. Rejects with a `ModelError`, `BudgetSpent` or the signal's reason. */
  complete(call: Call, context: StageContext): Promise<string>;
  /** The text of a completion as it is written. Rejects in the same way. */
  stream(call: Call, context: StageContext): AsyncIterableIterator<string>;
}

/** Set by hand, like the times below. */
const maxRetries = 2;
/** How many of the endpoint's complaints one call may adapt to: one for each capability that can be missing. */
const maxAdaptations = 6;
/** An endpoint that asks for a longer wait is given up: the fallback answers meanwhile. */
const maxRetryDelayMs = 5_000;
/** A cautious estimate: English has about four characters per token, most other languages fewer. */
const charactersPerToken = 3.5;
/** Text this far beyond `maxTokens` means that the endpoint ignores the limit. */
const maxCharactersPerToken = 8;
/** Roughly what vision models charge for one image. */
const tokensPerImage = 1_000;
/** How long an unreachable endpoint is not tried again, by any search. */
const unreachableMs = 10_000;

/** Calls to one endpoint. What they learn about it is shared by all searches. */
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
  const capabilities = createCapabilities(model);
  let unreachableUntil = 0;

  /** One request with its retries, made by `send`. `estimate` is in input tokens. */
  async function attempt<Answer>(
    call: Call,
    context: StageContext,
    send: (body: Body) => Promise<Answer>,
  ): Promise<{ answer: Answer; estimate: number }> {
    const { signal, meter } = context;
    for (let retries = 0, adaptations = 0; ; ) {
      signal.throwIfAborted();
      if (performance.now() < unreachableUntil) throw unreachable();
      if (call.image !== undefined && !capabilities.hasVision()) throw new ModelError('it does not accept images.');
      const body = capabilities.buildBody(call, meter.left());
      const estimate = estimateTokens(capabilities.lengthOf(call), call.image);
      meter.admit(estimate);
      try {
        return { answer: await send(body), estimate };
      } catch (error) {
        signal.throwIfAborted();
        if (adaptations < maxAdaptations && capabilities.learnFrom(error, body)) {
          adaptations += 1;
          continue;
        }
        const failure = toModelError(error);
        if (call.image !== undefined) capabilities.noteImageFailure(failure);
        const delay = failure.retryAfterMs ?? retryMs * 2 ** retries * (0.5 + Math.random());
        if (!isRetryable(failure, error) || retries >= maxRetries || delay > maxRetryDelayMs) {
          if (isUnreachable(error)) unreachableUntil = performance.now() + unreachableMs;
          throw failure;
        }
        retries += 1;
        await sleep(delay, signal);
      }
    }
  }

  return {
    async complete(call, context) {
      const { signal, meter } = context;
      const { answer, estimate } = await attempt(call, context, (body) =>
        client.chat.completions.create(body, { signal, timeout: callMs }),
      );
      const message = answer?.choices?.[0]?.message;
      const text = typeof message?.content === 'string' ? message.content : '';
      const { prompt_tokens, completion_tokens } = answer?.usage ?? {};
      meter.record({ in: prompt_tokens ?? estimate, out: completion_tokens ?? estimateTokens(text.length) });
      if (message?.refusal || answer?.choices?.[0]?.finish_reason === 'content_filter')
        throw new ModelError('it refused to answer.');
      if (text.trim() === '') throw new ModelError('it returned an empty answer.');
      return text;
    },

    stream(call, context) {
      const { signal, meter } = context;
      let pieces: Promise<AsyncIterableIterator<string>> | AsyncIterableIterator<string> | undefined;

      async function start(): Promise<AsyncIterableIterator<string>> {
        let begunAt = 0;
        const { answer, estimate } = await attempt(call, context, async (body) => {
          begunAt = performance.now();
          const streamed = { ...body, stream: true as const, ...capabilities.streamOptions() };
          return client.chat.completions.create(streamed, { signal, timeout: callMs }).asResponse();
        });
        const { incoming } = answer as { incoming?: IncomingBytes };
        if (incoming === undefined) {
          meter.record({ in: estimate, out: 0 });
          throw new ModelError('it did not return a stream.');
        }
        const onOver = (ended: StreamEnd, characters: number) => {
          meter.record(ended.usage ?? { in: estimate, out: estimateTokens(characters) });
        };
        // The first words are due within the same time as a completion in one piece.
        const firstMs = callMs - (performance.now() - begunAt);
        const maxCharacters = maxCharactersPerToken * call.maxTokens;
        pieces = readCompletion(incoming, { signal, firstMs, idleMs, maxCharacters, onOver });
        return pieces;
      }

      return {
        next() {
          pieces ??= start();
          return pieces instanceof Promise ? pieces.then((started) => started.next()) : pieces.next();
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

function estimateTokens(characters: number, image?: Call['image']): number {
  return Math.ceil(characters / charactersPerToken) + (image === undefined ? 0 : tokensPerImage);
}
