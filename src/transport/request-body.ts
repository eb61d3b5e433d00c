/**
 * The body of one request as it arrives. It is kept only while it may still be needed: once it is too large, or the request
 * is answered without it, the rest is read and discarded, so that a client that sends before it reads can finish and read
 * its answer. All bodies that are arriving share one memory budget.
 */
import { requestLimits } from '../../protocol/index.ts';
import { AppError } from '../base/errors.ts';
import type { Framing } from './framing.ts';

export interface RequestBody {
  add(chunk: ArrayBuffer | Uint8Array, isLast: boolean): void;
  /** Rejects with `payload_too_large`, `overloaded`, or the signal's reason once the client has left. */
  whole(): Promise<Uint8Array>;
  /** Discards it: it is not needed any more. */
  drop(): void;
  /** Whether it has been read to its end. */
  isComplete(): boolean;
  /** Resolves when no more of it will be read: it is complete, or too large even to be discarded. */
  readonly over: Promise<void>;
}

/** Shared by all bodies of a server. */
export interface BodyBudget {
  /** Bytes in memory. */
  held: number;
}

/** Set by hand: about 18 bodies of the largest size. */
const budgetBytes = 256 * 1024 * 1024;
/** A body that is too large is read and discarded up to this size; set by hand. */
const maxDiscardedBytes = 32 * 1024 * 1024;

/** `signal` fires when the client leaves. */
export function createRequestBody({ length, chunked }: Framing, budget: BodyBudget, signal: AbortSignal): RequestBody {
  const limit = requestLimits.body_with_image_bytes;
  const whole = createDeferred<Uint8Array>();
  const over = createDeferred<void>();
  let chunks: Buffer[] = [];
  let size = 0;
  let held = 0;
  let wanted = true;
  let complete = length === 0 && !chunked;

  function drop(): void {
    wanted = false;
    budget.held -= held;
    held = 0;
    chunks = [];
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

  return {
    add(chunk, isLast) {
      size += chunk.byteLength;
      if (size > limit) fail(tooLarge(limit));
      else if (wanted && budget.held + chunk.byteLength > budgetBytes) fail(overBudget());
      if (wanted) {
        // The native server reuses the chunk's memory, so a copy is kept.
        chunks.push(Buffer.from(new Uint8Array(chunk)));
        held += chunk.byteLength;
        budget.held += chunk.byteLength;
      }
      if (isLast) {
        complete = true;
        if (wanted) whole.resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
        drop();
      }
      if (isLast || size > maxDiscardedBytes) over.resolve();
    },
    whole: () => whole.promise,
    drop,
    isComplete: () => complete,
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
