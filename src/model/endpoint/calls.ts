/**
 * Calls to an endpoint, in any protocol. Each waits for a place among those that the endpoint serves at the same time, is
 * admitted by the meter, and reports its tokens. Transient failures are retried twice, with jitter; a rejected call is
 * changed and sent again (draft.ts). An error in place of the first words of an answer is a rejection, too, whatever the status of the
 * response. An endpoint that does not respond costs a search its timeout only once.
 */

import { sleep, untilAborted } from '../../base/abort.ts';
import type { OpenCall } from '../../engine/ports/call-watch.ts';
import type { StageContext } from '../../engine/ports/model.ts';
import { ModelError } from '../model-error.ts';
import type { Call } from './call.ts';
import { createDraft, type Draft, giveUpGuessing } from './draft.ts';
import { type Endpoint, postCall, readAnswer, streamOf } from './endpoint.ts';
import {
  CutOff,
  isRetryable,
  isUnreachable,
  Rejection,
  ReportedError,
  rejectionIn,
  toModelError,
  tooSlow,
  unreachable,
} from './errors.ts';
import { createLessons, type Lessons } from './lessons.ts';
import { readStream, type StreamEnd, type StreamLimits } from './stream.ts';
import { type Completion, tokensIn, type WireCall } from './wire.ts';

export interface Calls {
  /** The whole text of a completion. Rejects with a `ModelError`, `BudgetSpent` or the signal's reason. */
  complete(call: Call, context: StageContext): Promise<string>;
  /** The text of a completion as it is written. Rejects in the same way. */
  stream(call: Call, context: StageContext): AsyncIterableIterator<string>;
  /** Whether calls may have an image, as far as is known by now. Never rejects. */
  hasVision(): Promise<boolean>;
}

/** A response, and what its reading needs. */
interface Sent {
  readonly response: Response;
  /** Frees its place in the queue and reports what it used, if that is known. */
  readonly over: (tokens: { readonly in: number; readonly out: number } | undefined, error?: unknown) => void;
  /** Tokens of its input. */
  readonly estimate: number;
  readonly sentAt: number;
}

/** How often a call has been retried since it was last changed after an answer. */
interface Retries {
  count: number;
}

/** Set by hand, like the times below. */
const maxRetries = 2;
/** An endpoint that asks for a longer wait is given up: the fallback answers meanwhile. */
const maxRetryDelayMs = 5_000;
/** Text this long means that the endpoint ignores the limit of its answer. */
const maxCharacters = 100_000;
/** How long an unreachable endpoint is not tried again, by any search. */
const unreachableMs = 10_000;

/** Calls to one model of one endpoint. What they learn about it is shared by all searches, as far as `Lessons` allow. */
export function createCalls(endpoint: Endpoint, lessons: Lessons = createLessons(endpoint.watch.learned)): Calls {
  const { queue, retryMs = 400, idleMs = 20_000, callMs = 30_000, watch, tuning } = endpoint;
  let unreachableUntil = 0;
  const hasVision = () => lessons.hasVision() && tuning.hasVision?.() !== false;

  /** The response to a draft, with retries. `over` is to be called once, when it has been read or has failed. */
  async function send(
    draft: Draft,
    call: Call,
    context: StageContext,
    stream: boolean,
    retries: Retries,
  ): Promise<Sent> {
    const { wire, model, baseUrl } = endpoint;
    const watched = context.watch?.begin({ kind: 'model', model, protocol: wire.name, baseUrl });
    try {
      const headers = watched?.headers;
      const { response, release, estimate, sentAt } = await tryToSend(draft, call, context, stream, retries, headers);
      const over: Sent['over'] = (tokens, error) => {
        release();
        if (tokens !== undefined) context.meter.record(tokens);
        watched?.end({ tokens, error });
      };
      return { response, over, estimate, sentAt };
    } catch (error) {
      watched?.end({ error });
      throw error;
    }
  }

  async function tryToSend(
    draft: Draft,
    call: Call,
    { signal, meter, owner, firstMs = callMs }: StageContext,
    stream: boolean,
    retries: Retries,
    headers: OpenCall['headers'] | undefined,
  ): Promise<{ response: Response; release: () => void; estimate: number; sentAt: number }> {
    for (;;) {
      const leave = await queue.enter(owner, signal);
      let kept = 0;
      const release = () => {
        leave();
        meter.free?.(kept);
        kept = 0;
      };
      try {
        if (performance.now() < unreachableUntil) throw unreachable();
        if (call.image !== undefined && !hasVision()) throw new ModelError('it does not accept images.');
        const body: WireCall = draft.write(stream, meter.left());
        const estimate = draft.tokens();
        meter.admit(estimate, body.maxTokens);
        kept = estimate + body.maxTokens;
        const sentAt = performance.now();
        const soon = { ...endpoint, callMs: Math.min(callMs, firstMs) };
        return { response: await postCall(soon, body, signal, headers), release, estimate, sentAt };
      } catch (error) {
        release();
        await recover(error, draft, retries, signal);
      }
    }
  }

  /** Resolves when the call is to be sent again, changed or as it was. Throws what it has failed with if that is of no use. */
  async function recover(error: unknown, draft: Draft, retries: Retries, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (isBudget(error)) throw error;
    if (draft.adapt(error)) return;
    const failure = toModelError(error);
    const delay = failure.retryAfterMs ?? retryMs * 2 ** retries.count * (0.5 + Math.random());
    if (!isRetryable(failure, error) || retries.count >= maxRetries || delay > maxRetryDelayMs) {
      if (isUnreachable(error)) unreachableUntil = performance.now() + unreachableMs;
      throw failure;
    }
    retries.count += 1;
    await sleep(delay, signal);
  }

  /** As `recover`, for an answer that was an error. Throws any other error as it is. */
  async function recoverFromAnswer(error: unknown, draft: Draft, retries: Retries, signal: AbortSignal): Promise<void> {
    if (!(error instanceof ReportedError)) throw error;
    await recover(rejectionIn(error, endpoint.model), draft, retries, signal);
  }

  /** The first words of a stream are due within the same time as an answer in one piece, of which `sentAt` is the beginning. */
  function limitsOf({ signal, firstMs = Number.POSITIVE_INFINITY }: StageContext, sentAt: number): StreamLimits {
    const left = Math.min(callMs, firstMs) - (performance.now() - sentAt);
    return { signal, firstMs: left, idleMs: Math.min(idleMs, firstMs), maxCharacters };
  }

  /** A whole answer, which may be cut off, refused or invalid JSON. */
  async function ask(draft: Draft, call: Call, context: StageContext): Promise<Completion> {
    for (const retries: Retries = { count: 0 }; ; ) {
      const { response, over, estimate, sentAt } = await send(draft, call, context, false, retries);
      let answer: Completion;
      try {
        answer = await readAnswer(endpoint, response, limitsOf(context, sentAt));
      } catch (error) {
        over(undefined, error);
        await recoverFromAnswer(error, draft, retries, context.signal);
        continue;
      }
      over(answer.usage ?? { in: estimate, out: tokensIn(answer.text.length) + answer.reasoning });
      return answer;
    }
  }

  /** Runs `work` with a draft of the call. Its failure is reported. */
  async function attempt<Value>(
    call: Call,
    context: StageContext,
    work: (draft: Draft) => Promise<Value>,
  ): Promise<Value> {
    if (endpoint.prepare !== undefined) await untilAborted(endpoint.prepare(), context.signal);
    const draft = createDraft(endpoint, lessons, call, context);
    try {
      return await work(draft);
    } catch (error) {
      if (error instanceof Rejection) giveUpGuessing(context);
      const { aborted, reason } = context.signal;
      if (aborted && isTimeUp(reason)) watch.failed?.(tooSlow());
      else if (!aborted && error instanceof ModelError) watch.failed?.(error);
      throw error;
    }
  }

  /** The text of a whole answer; undefined if it is to be asked for again. */
  function accept(draft: Draft, call: Call, answer: Completion, context: StageContext): string | undefined {
    const { text, finish, reasoning } = answer;
    lessons.reasoned(reasoning);
    if (finish === 'refused') throw new ModelError('it refused to answer.');
    if (finish === 'length' && draft.grow(context.meter.left())) return undefined;
    if (text.trim() === '') throw finish === 'length' ? new CutOff() : new ModelError('it returned an empty answer.');
    if (call.accepts?.(text) === false && draft.askInWords()) return undefined;
    draft.succeeded();
    return text;
  }

  return {
    async hasVision() {
      await endpoint.prepare?.();
      return hasVision();
    },

    complete: (call, context) =>
      attempt(call, context, async (draft) => {
        for (;;) {
          const answer = await ask(draft, call, context);
          const text = accept(draft, call, answer, context);
          if (text !== undefined) return text;
        }
      }),

    stream(call, context) {
      const { signal, meter } = context;
      let pieces: AsyncIterableIterator<string> | undefined;
      let hasBegun = false;

      /** The stream with its first piece. An answer that was an error, or that reasoning left no room for, is asked for again. */
      const start = () =>
        attempt(call, context, async (draft): Promise<IteratorResult<string>> => {
          for (let retries: Retries = { count: 0 }; ; ) {
            const { response, over, estimate, sentAt } = await send(draft, call, context, true, retries);
            const limits = limitsOf(context, sentAt);
            const incoming = streamOf(response);
            if (incoming === undefined) {
              // It does not stream.
              pieces = inOnePiece(
                readAnswer(endpoint, response, limits).then(
                  (answer) => {
                    over(answer.usage ?? { in: estimate, out: tokensIn(answer.text.length) });
                    return answer;
                  },
                  (error: unknown) => {
                    over(undefined, error);
                    throw error;
                  },
                ),
              );
            } else {
              const onOver = ({ usage, reasoning, fault }: StreamEnd, characters: number) => {
                if (hasBegun && fault instanceof ModelError) watch.failed?.(fault);
                lessons.reasoned(reasoning);
                // What was rejected costs only what the endpoint counts.
                const isRejected = fault instanceof ReportedError && characters === 0;
                over(
                  usage ?? (isRejected ? undefined : { in: estimate, out: tokensIn(characters) + reasoning }),
                  fault,
                );
              };
              pieces = readStream(incoming, endpoint.wire.createParser(), { ...limits, onOver });
            }
            try {
              const first = await pieces.next();
              hasBegun = true;
              draft.succeeded();
              return first;
            } catch (error) {
              if (!(error instanceof CutOff)) await recoverFromAnswer(error, draft, retries, signal);
              else if (draft.grow(meter.left())) retries = { count: 0 };
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

async function* inOnePiece(answer: Promise<Completion>): AsyncIterableIterator<string> {
  const { text, finish } = await answer;
  if (finish === 'refused') throw new ModelError('it refused to answer.');
  if (text !== '') yield text;
  if (finish === 'length') throw new CutOff();
}

/** Whether the engine ended a stage because it took too long, rather than a caller its search. */
function isTimeUp(reason: unknown): boolean {
  return reason instanceof Error && /^(?:StageTimeout|BudgetSpent)$/.test(reason.name);
}

/** Of the engine, whose classes are not known here. */
function isBudget(error: unknown): boolean {
  return error instanceof Error && error.name === 'BudgetSpent';
}
