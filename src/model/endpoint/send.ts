/**
 * Sends a call until it has a response: in its turn, admitted by the meter, with retries and with the changes that a rejection
 * asks for.
 */
import { sleep } from '../../base/abort.ts';
import type { OpenCall } from '../../engine/ports/call-watch.ts';
import type { StageContext } from '../../engine/ports/model.ts';
import { ModelError } from '../model-error.ts';
import type { Call } from './call.ts';
import type { Draft } from './draft.ts';
import { defaultCallMs, type Endpoint, postCall } from './endpoint.ts';
import { isRetryable, isUnreachable, ReportedError, rejectionIn, toModelError, unreachable } from './errors.ts';
import type { WireCall } from './wire.ts';

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
export interface Retries {
  count: number;
}

/** Set by hand, like the times below. */
const maxRetries = 2;
/** An endpoint that asks for a longer wait is given up: the fallback answers meanwhile. */
const maxRetryDelayMs = 5_000;
/** How long an unreachable endpoint is not tried again, by any search. */
const unreachableMs = 10_000;

export interface Sender {
  /** The response to a draft, with retries. `over` is to be called once, when it has been read or has failed. */
  send(draft: Draft, call: Call, context: StageContext, stream: boolean, retries: Retries): Promise<Sent>;
  /**
   * Resolves when a call whose answer was an error is to be sent again, changed or as it was. Throws what it has failed with if that is
   * of no use, and any other error as it is.
   */
  recover(error: unknown, draft: Draft, retries: Retries, signal: AbortSignal): Promise<void>;
}

/** A sender for one model of one endpoint. `hasVision` says whether it takes images. */
export function createSender(endpoint: Endpoint, hasVision: () => boolean): Sender {
  const { queue, retryMs = 400, callMs = defaultCallMs } = endpoint;
  let unreachableUntil = 0;

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
        await tryAgain(error, draft, retries, signal);
      }
    }
  }

  /** Resolves when the call is to be sent again, changed or as it was. Throws what it has failed with if that is of no use. */
  async function tryAgain(error: unknown, draft: Draft, retries: Retries, signal: AbortSignal): Promise<void> {
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

  return {
    send,
    async recover(error, draft, retries, signal) {
      if (!(error instanceof ReportedError)) throw error;
      await tryAgain(rejectionIn(error, endpoint.model), draft, retries, signal);
    },
  };
}

/** Of the engine, whose classes are not known here. */
function isBudget(error: unknown): boolean {
  return error instanceof Error && error.name === 'BudgetSpent';
}
