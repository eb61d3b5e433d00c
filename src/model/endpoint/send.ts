/**
 * Sends a call until it has a response: in its turn, admitted by the meter, with retries and with the changes that a rejection
 * asks for.
 */
import { sleep } from '../../base/abort.ts';
import { backoffMs } from '../../base/upstream/backoff.ts';
import type { OpenCall } from '../../engine/ports/call-watch.ts';
import type { StageContext } from '../../engine/ports/model.ts';
import type { TokenCounts } from '../../engine/ports/token-counts.ts';
import { ModelError } from '../model-error.ts';
import type { AdaptiveCall } from './adaptive-call.ts';
import type { Call } from './call.ts';
import { defaultCallMs, type Endpoint, postCall } from './endpoint.ts';
import { isRetryable, isUnreachable, ReportedError, rejectionIn, toModelError, unreachable } from './errors.ts';
import type { WireCall } from './wire.ts';

/** A response, and what its reading needs. */
interface Sent {
  readonly response: Response;
  /** Frees its place in the queue and reports what it used, if that is known. */
  readonly settle: (tokens: TokenCounts | undefined, error?: unknown) => void;
  /** Tokens of its input. */
  readonly estimate: number;
  readonly sentAt: number;
}

/** A call that is sent until it has a response. */
export interface Attempt {
  readonly call: Call;
  /** The same, as it is sent now. */
  readonly adaptive: AdaptiveCall;
  readonly context: StageContext;
  readonly stream: boolean;
  /** How often it has been retried since it was last changed after an answer. */
  retries: number;
}

/** Set by hand, like the times below. */
const maxRetries = 2;
/** An endpoint that asks for a longer wait is given up: the fallback answers meanwhile. */
const maxRetryDelayMs = 5_000;
/** How long an unreachable endpoint is not tried again, by any search. */
const unreachableMs = 10_000;

export interface Sender {
  /** The response, with retries. `settle` is to be called once, when it has been read or has failed. */
  send(attempt: Attempt): Promise<Sent>;
  /**
   * After a response that turned out to be an error: resolves when the call is to be sent again, changed or as it was. Throws what
   * it has failed with if that is of no use, and any other error as it is.
   */
  recover(error: unknown, attempt: Attempt): Promise<void>;
}

/** A sender for one model of one endpoint. `hasVision` says whether it takes images. */
export function createSender(endpoint: Endpoint, hasVision: () => boolean): Sender {
  const { queue, retryMs = 400, callMs = defaultCallMs } = endpoint;
  let unreachableUntil = 0;

  async function send(attempt: Attempt): Promise<Sent> {
    const { context } = attempt;
    const { wire, model, baseUrl } = endpoint;
    const watched = context.watch?.begin({ kind: 'model', model, provider: wire.telemetryName, baseUrl });
    try {
      const headers = watched?.headers;
      const { response, release, estimate, sentAt } = await tryToSend(attempt, headers);
      const settle: Sent['settle'] = (tokens, error) => {
        release();
        if (tokens !== undefined) context.meter.record(tokens);
        watched?.end({ tokens, error });
      };
      return { response, settle, estimate, sentAt };
    } catch (error) {
      watched?.end({ error });
      throw error;
    }
  }

  async function tryToSend(
    attempt: Attempt,
    headers: OpenCall['headers'] | undefined,
  ): Promise<{ response: Response; release: () => void; estimate: number; sentAt: number }> {
    const { call, adaptive, context, stream } = attempt;
    const { signal, meter, owner, firstMs = callMs } = context;
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
        const body: WireCall = adaptive.write(stream, meter.left());
        const estimate = adaptive.tokens();
        meter.admit(estimate, body.maxTokens);
        kept = estimate + body.maxTokens;
        const sentAt = performance.now();
        const soon = { ...endpoint, callMs: Math.min(callMs, firstMs) };
        return { response: await postCall(soon, body, signal, headers), release, estimate, sentAt };
      } catch (error) {
        release();
        await tryAgain(error, attempt);
      }
    }
  }

  /** Changes the call, or waits until it may be sent as it was. Throws what it has failed with if neither is of use. */
  async function tryAgain(error: unknown, attempt: Attempt): Promise<void> {
    const { adaptive, context } = attempt;
    context.signal.throwIfAborted();
    if (isBudget(error)) throw error;
    if (adaptive.adapt(error)) return;
    const failure = toModelError(error);
    const delay = failure.retryAfterMs ?? backoffMs(retryMs, attempt.retries);
    if (!isRetryable(failure, error) || attempt.retries >= maxRetries || delay > maxRetryDelayMs) {
      if (isUnreachable(error)) unreachableUntil = performance.now() + unreachableMs;
      throw failure;
    }
    attempt.retries += 1;
    await sleep(delay, context.signal);
  }

  return {
    send,
    async recover(error, attempt) {
      if (!(error instanceof ReportedError)) throw error;
      await tryAgain(rejectionIn(error, endpoint.wire.missingModel(endpoint.model)), attempt);
    },
  };
}

/** Of the engine, whose classes are not known here. */
function isBudget(error: unknown): boolean {
  return error instanceof Error && error.name === 'BudgetSpent';
}
