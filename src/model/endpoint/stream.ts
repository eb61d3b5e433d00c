/**
 * The lean reader of a streamed completion: bytes in, text out, with as few allocations per token as
 * possible. While many streams run in this process, each delivers its text every 40 ms instead of token by token: further
 * processing costs the same for one token as for three.
 */

import { ModelError } from '../model-error.ts';
import { deliverBatched } from './batch-delivery.ts';
import { CutOff, tooSlow } from './errors.ts';
import { FaultAfterText, InvalidJson } from './line-reader.ts';
import type { Completion, CompletionParser, Finish } from './wire.ts';

/** The body of a response. Nothing is read before `read` is called. */
export interface IncomingBytes {
  /** Call once. `onEnd` is called once, with an error if the connection was lost or the body cancelled. */
  read(onBytes: (bytes: Buffer) => void, onEnd: (error?: Error) => void): void;
  /** Stops receiving. */
  cancel(): void;
}

export interface StreamEnd extends Pick<CompletionParser, 'usage' | 'finish' | 'reasoning'> {
  /** Why it ended before its time, if it did. */
  readonly fault?: unknown;
}

export interface StreamLimits {
  readonly signal: AbortSignal;
  /** Timeout until the first bytes that are not comments, ms. */
  readonly firstMs: number;
  /** Timeout without progress, ms: without any bytes but comments at first, without text once it has begun. */
  readonly idleMs: number;
  /** Longer text is a failure. */
  readonly maxCharacters: number;
}

export interface StreamOptions extends StreamLimits {
  /** Called once, when the stream has ended or was abandoned; `characters` is the length of the text received. */
  readonly onOver: (end: StreamEnd, characters: number) => void;
  /** The error of an answer that was cut off; a `CutOff` by default. */
  readonly onCutOff?: () => Error;
}

/** With at most this many streams, the process is idle enough to deliver each token as it comes; set by hand. */
const maxUnbatched = 8;
/**
 * After `[DONE]` only the end of the body is missing; waiting for it keeps the connection alive for the next call. As long is
 * waited for `[DONE]` itself, and for what was used, once the end of the answer was said beyond doubt.
 */
const bodyEndMs = 1_000;
const lineFeed = Buffer.from('\n');
const [lineFeedCode, carriageReturnCode, colonCode] = [0x0a, 0x0d, 0x3a];

let open = 0;

/**
 * The text of the completion that `parser` reads, in pieces. Rejects with a `ModelError`, or with the signal's reason. Not a
 * generator: that would cost every token two more microtasks.
 */
export function readStream(
  body: IncomingBytes,
  parser: CompletionParser,
  options: StreamOptions,
): AsyncIterableIterator<string> {
  const { signal, firstMs, idleMs, maxCharacters, onOver, onCutOff } = options;
  let text = '';
  let characters = 0;
  let over = false;
  let closed = false;
  let failure: unknown;
  let waiting: { resolve(result: IteratorResult<string>): void; reject(error: unknown): void } | undefined;
  let lastChunkAt: number | undefined;
  let isRollingUp = false;
  let ended = false;
  let bodyEndTimer: NodeJS.Timeout | undefined;
  let doneTimer: NodeJS.Timeout | undefined;
  const saysMore = createCommentFilter();

  function deliver(): void {
    isRollingUp = false;
    if (waiting === undefined || (text === '' && !over)) return;
    const { resolve, reject } = waiting;
    waiting = undefined;
    if (text !== '') {
      const value = text;
      text = '';
      resolve({ value, done: false });
    } else {
      close();
      if (failure === undefined) resolve({ value: undefined, done: true });
      else reject(failure);
    }
  }

  function settle(error?: unknown): void {
    if (over) return;
    over = true;
    failure = error;
    deliver();
  }

  /** Takes the text of these bytes. Throws what is wrong with the rest of them. */
  function take(chunk: Buffer): string {
    let received = '';
    try {
      received = parser.push(chunk);
      return received;
    } catch (error) {
      if (!(error instanceof FaultAfterText)) throw error;
      received = error.text;
      throw error.fault;
    } finally {
      text += received;
      characters += received.length;
    }
  }

  function onBytes(chunk: Buffer): void {
    if (over) return;
    try {
      const received = take(chunk);
      // Once it has begun, only text is progress; before, thoughts are, too. Comments that keep a connection open never are.
      if (received !== '' || (characters === 0 && saysMore(chunk))) lastChunkAt = performance.now();
    } catch (error) {
      return settle(error);
    }
    if (parser.isEndDoubtful) clearTimeout(doneTimer);
    else if (parser.finish !== undefined) doneTimer ??= setTimeout(() => settle(faultOf(parser, onCutOff)), bodyEndMs);
    if (parser.done) settle(faultOf(parser, onCutOff));
    else if (characters > maxCharacters) settle(new ModelError('it wrote far more than was requested.'));
    else if (text === '') return;
    else if (open <= maxUnbatched) deliver();
    else if (!isRollingUp) {
      isRollingUp = true;
      deliverBatched(deliver);
    }
  }

  /** The last line need not end in a line feed; one that was cut off says nothing. */
  function readLastLine(): void {
    try {
      take(lineFeed);
    } catch (error) {
      // Its end is missing, which is said below.
      if (!(error instanceof InvalidJson)) settle(error);
    }
  }

  function onEnd(error?: Error): void {
    ended = true;
    clearTimeout(bodyEndTimer);
    if (!over && error === undefined) readLastLine();
    // The request listens to the signal, too, and may have broken off first: that is not a lost connection.
    if (signal.aborted) settle(signal.reason);
    const isLost = parser.finish === undefined || (error !== undefined && parser.isEndDoubtful);
    settle(isLost ? connectionLost() : faultOf(parser, onCutOff));
  }

  const onAbort = () => {
    settle(signal.reason);
    close();
  };
  /** Re-arms itself: a timer per chunk would cost more than reading the clock per chunk. */
  function checkInactivity(): void {
    const left = lastChunkAt === undefined ? 0 : lastChunkAt + idleMs - performance.now();
    if (left > 0) inactivityTimer = setTimeout(checkInactivity, Math.ceil(left));
    else if (lastChunkAt === undefined) settle(tooSlow());
    else settle(new ModelError('it stopped in the middle of its answer.'));
  }
  let inactivityTimer = setTimeout(checkInactivity, Math.max(0, firstMs));

  function close(): void {
    if (closed) return;
    closed = true;
    over = true;
    open -= 1;
    clearTimeout(inactivityTimer);
    clearTimeout(doneTimer);
    signal.removeEventListener('abort', onAbort);
    if (!parser.done && !ended) body.cancel();
    else if (!ended) bodyEndTimer = setTimeout(body.cancel, bodyEndMs).unref();
    const { usage, finish, reasoning } = parser;
    onOver({ usage, finish, reasoning, ...(failure === undefined ? {} : { fault: failure }) }, characters);
  }

  open += 1;
  signal.addEventListener('abort', onAbort, { once: true });
  body.read(onBytes, onEnd);
  if (signal.aborted) onAbort();

  return {
    next: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (over || (text !== '' && !isRollingUp)) deliver();
      }),
    async return() {
      close();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * The whole answer of a stream, for a caller who did not ask for one. Rejects as `readStream` does, but an answer that was cut off
 * is one.
 */
export async function readWholeStream(
  body: IncomingBytes,
  parser: CompletionParser,
  limits: StreamLimits,
): Promise<Completion> {
  let text = '';
  try {
    for await (const piece of readStream(body, parser, { ...limits, onOver: () => {} })) text += piece;
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
  }
  const { finish = 'stop', usage, reasoning } = parser;
  return { text, finish, usage, reasoning };
}

/** A function that takes bytes, cut anywhere, and returns whether there is more in them than comments of Server-Sent Events. */
function createCommentFilter(): (bytes: Buffer) => boolean {
  let isLineStart = true;
  let isComment = false;
  return (bytes) => {
    let saysMore = false;
    for (const byte of bytes) {
      if (isLineStart) isComment = byte === colonCode;
      isLineStart = byte === lineFeedCode;
      saysMore ||= !isComment && !isLineStart && byte !== carriageReturnCode;
    }
    return saysMore;
  };
}

/** What is wrong with a complete answer, if anything. */
function faultOf(
  { finish }: { readonly finish: Finish | undefined },
  onCutOff: () => Error = () => new CutOff(),
): Error | undefined {
  if (finish === 'refused') return new ModelError('it refused to answer.');
  return finish === 'length' ? onCutOff() : undefined;
}

function connectionLost(): ModelError {
  return new ModelError('its connection was lost in the middle of the answer.');
}
