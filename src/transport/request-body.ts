/**
 * The body of one request as it arrives. Until somebody asks for it, which is once the caller is known, only its first bytes
 * are read. It is kept only while it may still be needed: once it is too large, or the request is answered without it, the
 * rest is read and discarded, so that a client that sends before it reads can finish and read its answer.
 */
import { requestLimits, sourceLimits } from '../../protocol/index.ts';
import { AppError } from '../base/errors.ts';
import type { BodyBudget, HeldBody } from './body-budget.ts';
import type { Framing } from './framing.ts';

export interface RequestBody {
  add(chunk: ArrayBuffer | Uint8Array, isLast: boolean): void;
  /**
   * Reads all of it, at most `maxBytes`, by default what a body with an image may have. Rejects with `payload_too_large`,
   * `overloaded`, or the signal's reason once the client has left.
   */
  whole(maxBytes?: number): Promise<Uint8Array>;
  /** Discards it, because it is no longer needed. */
  drop(): void;
  /** Whether it has been read to its end. */
  isComplete(): boolean;
  /** Whether anything of it has arrived. */
  hasBegun(): boolean;
  /** Whether it is still needed. */
  isWanted(): boolean;
  /** Resolves when no more of it will be read: it is complete, or too large even to be discarded. */
  readonly over: Promise<void>;
}

/** The connection that the body comes from. Neither is called once the client has left. */
export interface BodySource {
  /** No more of the body is to be read for now. */
  pause(): void;
  resume(): void;
}

/** How much is read of a body that was not asked for yet: as much as an unknown caller may send. */
const unaskedBytes = requestLimits.unknown_caller_bytes;
/** The largest body that any call takes. */
const largest = Math.max(requestLimits.body_with_image_bytes, sourceLimits.upload_bytes);
/**
 * A body that is too large is read and discarded up to this size, which costs no memory: clients that still send when the connection
 * is closed do not see the answer. Set by hand.
 */
const maxDiscardedBytes = 128 * 1024 * 1024;

/** `signal` fires when the client leaves. */
export function createRequestBody(
  { length, chunked }: Framing,
  budget: BodyBudget,
  signal: AbortSignal,
  source: BodySource,
): RequestBody {
  const whole = createDeferred<Uint8Array>();
  const over = createDeferred<void>();
  // The limit is not known until it is asked for.
  let limit: number = largest;
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = true;
  let paused = false;
  let complete = length === 0 && !chunked;
  const held: HeldBody = { isAsked: false, evict: () => fail(overBudget()) };

  function drop(): void {
    wanted = false;
    budget.release(held);
    chunks = [];
    resume();
  }

  function resume(): void {
    if (!paused) return;
    paused = false;
    if (!signal.aborted) source.resume();
  }

  function fail(error: AppError): void {
    drop();
    whole.reject(error);
  }

  whole.promise.catch(() => {});
  signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  if (complete) {
    whole.resolve(new Uint8Array());
    over.resolve();
  }
  if (length > limit) fail(tooLarge(limit));
  if (length > maxDiscardedBytes) over.resolve();

  /** Keeps a chunk of a body that has more of them, if there is room. */
  function keep(chunk: ArrayBuffer | Uint8Array): void {
    if (!budget.hold(held, chunk.byteLength)) return fail(overBudget());
    // The native server reuses the chunk's memory, so a copy is kept.
    chunks.push(Buffer.from(new Uint8Array(chunk)));
  }

  return {
    add(chunk, isLast) {
      size += chunk.byteLength;
      if (size > limit) fail(tooLarge(limit));
      if (isLast) {
        complete = true;
        // A body in one piece is never held, so a full budget does not refuse it.
        if (wanted) whole.resolve(Buffer.concat([...chunks, new Uint8Array(chunk)]));
        drop();
      } else if (wanted) {
        keep(chunk);
        if (wanted && !held.isAsked && size > unaskedBytes) {
          paused = true;
          source.pause();
        }
      }
      if (isLast || size > maxDiscardedBytes) over.resolve();
    },
    whole(maxBytes = requestLimits.body_with_image_bytes) {
      limit = Math.min(limit, maxBytes);
      // A small limit says nothing about the caller, who may still be unknown: the key may be in the body.
      held.isAsked = limit > unaskedBytes;
      if (Math.max(size, length) > limit) {
        drop();
        return Promise.reject(tooLarge(limit));
      }
      resume();
      return whole.promise;
    },
    drop,
    isComplete: () => complete,
    hasBegun: () => size > 0,
    isWanted: () => wanted,
    over: over.promise,
  };
}

function tooLarge(limit: number): AppError {
  return new AppError('payload_too_large', `Expected a body of at most ${limit} bytes; got more.`);
}

function overBudget(): AppError {
  const message = 'Too many large requests are arriving; try again in a moment.';
  return new AppError('overloaded', message, { retry_after_ms: 1_000 });
}

/** Promise.withResolvers, which Node 20 does not have. */
function createDeferred<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<Value>((whenResolved, whenRejected) => {
    resolve = whenResolved;
    reject = whenRejected;
  });
  return { promise, resolve, reject };
}
