/**
 * Calls to an OpenAI-compatible endpoint. The SDK makes the request; each attempt asks the meter first and tells it what it
 * came to. Two retries with jitter for what may pass. An endpoint that says nothing costs a search its time once.
 */

import OpenAI from 'openai';
import { sleep } from '../../base/abort.ts';
import type { StageContext } from '../../engine/ports/model.ts';
import { ModelError } from '../model-error.ts';
import { type Body, type Call, createCapabilities } from './capabilities.ts';
import { isUnreachable, mayPass, toModelError, unreachable } from './errors.ts';
import { type IncomingBytes, readCompletion, type StreamEnd } from './stream.ts';

export interface OpenAiEndpoint {
  readonly model: string;
  /** Absent for endpoints that ask for none. */
  readonly apiKey?: string | undefined;
  /** https://api.openai.com/v1 unless told. */
  readonly baseUrl?: string | undefined;
  /** Hands over an event stream as `incoming` of its response: see IncomingBytes. */
  readonly fetch: typeof fetch;
  /** Until an answer begins, ms; 30,000 unless told. */
  readonly callMs?: number | undefined;
  /** Longest silence within a streamed answer, ms; 20,000 unless told. */
  readonly idleMs?: number | undefined;
  /** First wait before a retry, ms; 400 unless told. */
  readonly retryMs?: number | undefined;
}

export interface Calls {
  /** The whole text of one answer. */
  complete(call: Call, context: StageContext): Promise<string>;
  /** The text as it is written. */
  stream(call: Call, context: StageContext): AsyncIterableIterator<string>;
}

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
  const abilities = createCapabilities(model);
  let unreachableUntil = 0;

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
      if (call.image !== undefined && !abilities.sees()) throw new ModelError('it cannot see.');
      const body = abilities.bodyOf(call, meter.left());
      const estimate = estimateTokens(abilities.lengthOf(call), call.image);
      meter.admit(estimate);
      try {
        return { answer: await send(body), estimate };
      } catch (error) {
        signal.throwIfAborted();
        if (lessons < 6 && abilities.learn(error, body)) {
          lessons += 1;
          continue;
        }
        const failure = toModelError(error);
        if (call.image !== undefined) abilities.noteBlind(failure);
        const wait = failure.retryAfterMs ?? retryMs * 2 ** retries * (0.5 + Math.random());
        if (!mayPass(failure, error) || retries >= mostRetries || wait > longestWaitMs) {
          if (isUnreachable(error)) unreachableUntil = performance.now() + unreachableMs;
          throw failure;
        }
        retries += 1;
        await sleep(wait, signal);
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
        throw new ModelError('it refused.');
      if (text.trim() === '') throw new ModelError('it gave an empty answer.');
      return text;
    },

    stream(call, context) {
      const { signal, meter } = context;
      let pieces: Promise<AsyncIterableIterator<string>> | AsyncIterableIterator<string> | undefined;

      async function start(): Promise<AsyncIterableIterator<string>> {
        let begun = 0;
        const { answer, estimate } = await attempt(call, context, async (body) => {
          begun = performance.now();
          const streamed = { ...body, stream: true as const, ...abilities.streamOptions() };
          return client.chat.completions.create(streamed, { signal, timeout: callMs }).asResponse();
        });
        const { incoming } = answer as { incoming?: IncomingBytes };
        if (incoming === undefined) {
          meter.record({ in: estimate, out: 0 });
          throw new ModelError('it answered with something else than a stream.');
        }
        const onOver = (ended: StreamEnd, characters: number) => {
          meter.record(ended.usage ?? { in: estimate, out: estimateTokens(characters) });
        };
        // The first words are due by the same time as an answer in one piece.
        const firstMs = callMs - (performance.now() - begun);
        const mostCharacters = 8 * call.maxTokens;
        pieces = readCompletion(incoming, { signal, firstMs, idleMs, mostCharacters, onOver });
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

function estimateTokens(characters: number, image?: Call['image']): number {
  return Math.ceil(characters / charactersPerToken) + (image === undefined ? 0 : 1_000);
}
