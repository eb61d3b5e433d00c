/**
 * A client of an endpoint, in any protocol: what is asked again until there is an answer that can be used, in one piece or as a
 * stream. An error in place of the first words of an answer is a rejection, whatever the status of the response. An endpoint that
 * does not respond costs a search its timeout only once.
 */

import { untilAborted } from '../../base/abort.ts';
import type { StageContext } from '../../engine/ports/model.ts';
import type { TokenCounts } from '../../engine/ports/token-counts.ts';
import { ModelError } from '../model-error.ts';
import { type AdaptiveCall, createAdaptiveCall, giveUpGuessing } from './adaptive-call.ts';
import type { Call } from './call.ts';
import { defaultCallMs, type Endpoint, readAnswer, streamOf } from './endpoint.ts';
import { CutOff, Rejection, ReportedError, tooSlow } from './errors.ts';
import { createLessons } from './lessons.ts';
import { type Attempt, createSender } from './send.ts';
import { readStream, type StreamEnd, type StreamLimits } from './stream.ts';
import { type Completion, tokensIn } from './wire.ts';

export interface EndpointClient {
  /** The whole text of a completion. Rejects with a `ModelError`, `BudgetSpent` or the signal's reason. */
  complete(call: Call, context: StageContext): Promise<string>;
  /** The text of a completion as it is written. Rejects in the same way. */
  stream(call: Call, context: StageContext): AsyncIterableIterator<string>;
  /** Whether calls may have an image, as far as is known by now. Never rejects. */
  hasVision(): Promise<boolean>;
}

/** Text this long means that the endpoint ignores the limit of its answer; set by hand. */
const maxCharacters = 100_000;

/** A client for one model of one endpoint. What its calls learn about it is shared by all searches, as far as `Lessons` allow. */
export function createEndpointClient(endpoint: Endpoint): EndpointClient {
  const lessons = createLessons(endpoint.watch.learned);
  const { idleMs = 20_000, callMs = defaultCallMs, watch, tuning } = endpoint;
  const hasVision = () => lessons.hasVision() && tuning.hasVision?.() !== false;
  const { send, recover } = createSender(endpoint, hasVision);

  /** The first words of a stream are due within the same time as an answer in one piece, of which `sentAt` is the beginning. */
  function limitsOf({ signal, firstMs = Number.POSITIVE_INFINITY }: StageContext, sentAt: number): StreamLimits {
    const left = Math.min(callMs, firstMs) - (performance.now() - sentAt);
    return { signal, firstMs: left, idleMs: Math.min(idleMs, firstMs), maxCharacters };
  }

  /** A whole answer, which may be cut off, refused or invalid JSON. */
  async function ask(attempt: Attempt): Promise<Completion> {
    attempt.retries = 0;
    for (;;) {
      const { response, settle, estimate, sentAt } = await send(attempt);
      let answer: Completion;
      try {
        answer = await readAnswer(endpoint, response, limitsOf(attempt.context, sentAt));
      } catch (error) {
        settle(undefined, error);
        await recover(error, attempt);
        continue;
      }
      settle(answer.usage ?? tokensOf(answer, estimate));
      return answer;
    }
  }

  /** Runs `work` with an attempt at the call. Its failure is reported. */
  async function runAttempt<Value>(
    call: Call,
    context: StageContext,
    stream: boolean,
    work: (attempt: Attempt) => Promise<Value>,
  ): Promise<Value> {
    if (endpoint.prepare !== undefined) await untilAborted(endpoint.prepare(), context.signal);
    const adaptive = createAdaptiveCall(endpoint, lessons, call, context);
    try {
      return await work({ call, adaptive, context, stream, retries: 0 });
    } catch (error) {
      if (error instanceof Rejection) giveUpGuessing(context);
      const { aborted, reason } = context.signal;
      if (aborted && isTimeUp(reason)) watch.failed?.(tooSlow());
      else if (!aborted && error instanceof ModelError) watch.failed?.(error);
      throw error;
    }
  }

  /** The text of a whole answer; undefined if it is to be asked for again. */
  function accept({ call, adaptive, context }: Attempt, answer: Completion): string | undefined {
    const { text, finish, reasoning } = answer;
    lessons.reasoned(reasoning);
    if (finish === 'refused') throw new ModelError('it refused to answer.');
    if (finish === 'length' && adaptive.grow(context.meter.left())) return undefined;
    if (text.trim() === '') {
      throw finish === 'length' ? cutOff(adaptive, context) : new ModelError('it returned an empty answer.');
    }
    if (call.accepts?.(text) === false) {
      if (finish === 'length' && adaptive.isShort()) throw cutOff(adaptive, context);
      if (adaptive.askInWords()) return undefined;
    }
    adaptive.succeeded();
    return text;
  }

  return {
    async hasVision() {
      await endpoint.prepare?.();
      return hasVision();
    },

    complete: (call, context) =>
      runAttempt(call, context, false, async (attempt) => {
        for (;;) {
          const text = accept(attempt, await ask(attempt));
          if (text !== undefined) return text;
        }
      }),

    stream(call, context) {
      const { meter } = context;
      let pieces: AsyncIterableIterator<string> | undefined;
      let hasBegun = false;

      /** The stream with its first piece. An answer that was an error, or that reasoning left no room for, is asked for again. */
      const start = () =>
        runAttempt(call, context, true, async (attempt): Promise<IteratorResult<string>> => {
          for (;;) {
            const { response, settle, estimate, sentAt } = await send(attempt);
            const limits = limitsOf(context, sentAt);
            const incoming = streamOf(response);
            const onCutOff = () => cutOff(attempt.adaptive, context);
            if (incoming === undefined) {
              // It does not stream.
              pieces = inOnePiece(
                readAnswer(endpoint, response, limits).then(
                  (answer) => {
                    lessons.reasoned(answer.reasoning);
                    settle(answer.usage ?? tokensOf(answer, estimate));
                    return answer;
                  },
                  (error: unknown) => {
                    settle(undefined, error);
                    throw error;
                  },
                ),
                onCutOff,
              );
            } else {
              const onOver = ({ usage, reasoning, fault }: StreamEnd, characters: number) => {
                if (hasBegun && fault instanceof ModelError) watch.failed?.(fault);
                lessons.reasoned(reasoning);
                // What was rejected costs only what the endpoint counts.
                const isRejected = fault instanceof ReportedError && characters === 0;
                settle(
                  usage ?? (isRejected ? undefined : { in: estimate, out: tokensIn(characters) + reasoning }),
                  fault,
                );
              };
              pieces = readStream(incoming, endpoint.wire.createParser(), { ...limits, onOver, onCutOff });
            }
            try {
              const first = await pieces.next();
              hasBegun = true;
              attempt.adaptive.succeeded();
              return first;
            } catch (error) {
              if (!(error instanceof CutOff)) await recover(error, attempt);
              else if (attempt.adaptive.grow(meter.left())) attempt.retries = 0;
              else throw error;
            }
          }
        });

      return {
        next: () => pieces?.next() ?? start(),
        async return() {
          await pieces?.return?.();
          return { value: undefined, done: true };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
  };
}

/** What a whole answer cost whose endpoint does not say it: its prompt is an estimate, too. */
function tokensOf({ text, reasoning }: Completion, estimate: number): TokenCounts {
  return { in: estimate, out: tokensIn(text.length) + reasoning };
}

/** Why an answer ends that was cut off at the limit of its tokens. */
function cutOff(adaptive: AdaptiveCall, { meter }: StageContext): Error {
  return (adaptive.isShort() ? meter.exhausted?.() : undefined) ?? new CutOff();
}

async function* inOnePiece(answer: Promise<Completion>, onCutOff: () => Error): AsyncIterableIterator<string> {
  const { text, finish } = await answer;
  if (finish === 'refused') throw new ModelError('it refused to answer.');
  if (text !== '') yield text;
  if (finish === 'length') throw onCutOff();
}

/** Whether the engine ended a stage because it took too long, rather than a caller its search. */
function isTimeUp(reason: unknown): boolean {
  return reason instanceof Error && /^(?:StageTimeout|BudgetSpent)$/.test(reason.name);
}
