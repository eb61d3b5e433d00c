/**
 * One search from the caller's side: events to iterate over and a result to await; retries and resumes happen in here. The
 * search is read while somebody wants it: from its start until the last iteration was left early and nobody awaits the
 * result. Wanted again, it resumes from where it was.
 *
 * Each seq comes once and in order. A search that the server has lost, or stopped with it, is started again under the same
 * idempotency key: its events then start over, with `search.accepted` and another `search_id`. If that key still leads to the
 * search, as before it is known that its process died, only its new events are delivered.
 */
import type { SearchFrame, SearchRecord } from '../../protocol/index.ts';
import { type Backoff, type BackoffOptions, createBackoff } from './backoff.ts';
import { CitewireError, connectionFailed, isRetryable } from './citewire-error.ts';
import { terminalOf } from './reduce-search.ts';
import { createReplayBuffer } from './replay-buffer.ts';
import { createSequencer } from './sequencer.ts';
import { isTerminal, ResumeError, type StartRequest, type TerminalFrame, type Transport } from './transport.ts';

export interface SearchStream<Result> extends AsyncIterable<SearchFrame> {
  /** Undefined until the server has sent it. */
  readonly search_id: string | undefined;
  /** The `result` of `search.completed`; rejects with CitewireError when the search fails, is cancelled or cannot be read. */
  readonly result: Promise<Result>;
  /** Ends the search on the server. Resolves when it has ended, or after five seconds; never rejects. */
  cancel(): Promise<void>;
}

export interface StreamOptions extends BackoffOptions {
  /** What to start; undefined to read a search that was started elsewhere. */
  readonly start: StartRequest | undefined;
  readonly search_id?: string;
  readonly after?: number;
  readonly signal: AbortSignal | undefined;
  /** Maximum number of consecutive attempts without a new event. */
  readonly maxRetries: number;
  /** The transport for the next attempt. */
  readonly chooseTransport: () => Transport;
  /** Requests the cancellation of a search from the server. */
  readonly sendCancel: (search_id: string) => void;
  readonly readRecord: (search_id: string) => Promise<SearchRecord>;
  /** Called with the reason while reading is paused, and with undefined once events arrive again. */
  readonly onPause: (why: CitewireError | undefined) => void;
  /** Called with false when nobody wants the search any more, and with true when somebody does again. */
  readonly onWanted: (isWanted: boolean) => void;
  /** Called once with all events, and with the terminal one if there is one. */
  readonly onEnd: (frames: readonly SearchFrame[], terminal: TerminalFrame | undefined) => void;
}

export interface OpenStream {
  readonly stream: SearchStream<unknown>;
  /** Ends it from outside. */
  fail(error: CitewireError): void;
}

// Both are set by hand.
const cancelTimeoutMs = 5_000;
const maxRestarts = 3;

/** Starts or resumes the search immediately. */
export function openStream(options: StreamOptions): OpenStream {
  const { start, signal, maxRetries } = options;
  const sequencer = createSequencer(options.after);
  let search_id = options.search_id;
  /** The search whose events were delivered, even while it is started again. */
  let delivered = options.search_id;
  let iterations = 0;
  let resultWanted = false;
  let cancelling = false;
  /** The request was sent, and there is no response yet. */
  let isPending = false;
  let restarts = 0;
  let paused = false;
  let reading: AbortController | undefined;
  let previousRead = Promise.resolve();

  const buffer = createReplayBuffer((terminal) => {
    // A request that has no response yet is read until it has a search_id, with which the search is cancelled.
    if (!cancelling || !isPending) reading?.abort();
    signal?.removeEventListener('abort', cancel);
    options.onEnd(buffer.frames, terminal);
  });

  /** Attempts until the search has ended or nobody wants it. */
  async function readToEnd(stop: AbortSignal): Promise<void> {
    const backoff = createBackoff(options);
    while (!buffer.hasEnded() && !stop.aborted) {
      const before = sequencer.after();
      try {
        await attempt(stop);
      } catch (error) {
        if (stop.aborted || buffer.hasEnded()) return;
        if (sequencer.after() > before) backoff.reset();
        await recover(error, backoff);
      }
      if (cancelling && search_id === undefined && !isPending) buffer.fail(cancelled());
      await backoff.wait(stop);
    }
  }

  async function attempt(stop: AbortSignal): Promise<void> {
    const onSent = () => {
      isPending = search_id === undefined;
    };
    const position = { start, search_id, after: sequencer.after(), onSent, onAttached };
    for await (const frame of options.chooseTransport().read(position, stop)) {
      if (stop.aborted) return;
      if (isLost(frame) && canRestart()) throw new ResumeError('lost');
      const unseen = sequencer.admit(frame) ?? endOfShorterLog(frame);
      if (unseen !== undefined) buffer.push(unseen);
      endPause();
    }
    if (!buffer.hasEnded()) throw connectionFailed('The events ended before the search did.');
  }

  /**
   * A log that the server rebuilt from the search's record is shorter than the one read before, so the seq of its terminal event
   * was already delivered for another event.
   */
  function endOfShorterLog(frame: SearchFrame): SearchFrame | undefined {
    return isTerminal(frame) ? { ...frame, seq: sequencer.after() + 1 } : undefined;
  }

  function canRestart(): boolean {
    return start !== undefined && restarts < maxRestarts;
  }

  /** After a failed attempt: prepares another one, falls back to the search's record, restarts the search or fails. */
  async function recover(error: unknown, backoff: Backoff): Promise<void> {
    if (error instanceof ResumeError) {
      if (error.reason === 'expired' && (await completeFromRecord())) return;
      if (!canRestart()) return buffer.fail(resumeFailure(error.reason));
      restarts += 1;
      search_id = undefined;
      pause(resumeFailure(error.reason));
      return backoff.recordFailure();
    }
    const failure = asFailure(error);
    if (failure.code !== 'connection_failed') isPending = false;
    if (backoff.failures() >= maxRetries || !isRetryable(failure)) return buffer.fail(failure);
    backoff.recordFailure(failure.retry_after_ms);
    pause(failure);
  }

  function pause(why: CitewireError): void {
    paused = true;
    options.onPause(why);
  }

  function endPause(): void {
    if (paused) options.onPause(undefined);
    paused = false;
  }

  /** The server keeps the result longer than the events: builds the terminal event from it. False when it has none. */
  async function completeFromRecord(): Promise<boolean> {
    const record = await options.readRecord(search_id!).catch(() => undefined);
    if (record === undefined || record.state === 'running') return false;
    const terminal = terminalOf(record, sequencer.after() + 1);
    if (isLost(terminal) && canRestart()) return false;
    buffer.push(terminal);
    return true;
  }

  function onAttached(id: string): void {
    isPending = false;
    search_id = id;
    if (delivered !== undefined && delivered !== id) sequencer.restart();
    delivered = id;
    if (cancelling) options.sendCancel(id);
    if (buffer.hasEnded()) reading?.abort();
  }

  /** Starts or stops reading, depending on whether anybody wants the events. */
  function update(): void {
    const wanted = iterations > 0 || resultWanted || cancelling;
    if (buffer.hasEnded() || wanted === (reading !== undefined)) return;
    options.onWanted(wanted);
    if (buffer.hasEnded()) return;
    if (wanted) read();
    else {
      reading?.abort();
      reading = undefined;
    }
  }

  function read(): void {
    const { signal: stop } = (reading = new AbortController());
    previousRead = previousRead.then(() => readToEnd(stop)).catch((error) => buffer.fail(asFailure(error)));
  }

  function cancel(): Promise<void> {
    const ended = buffer.result.then(ignore, ignore);
    if (buffer.hasEnded() || cancelling) return ended;
    cancelling = true;
    if (search_id === undefined && !isPending) buffer.fail(cancelled());
    if (search_id !== undefined) options.sendCancel(search_id);
    update();
    const timer = setTimeout(() => buffer.fail(cancelled()), cancelTimeoutMs);
    return ended.finally(() => clearTimeout(timer));
  }

  function cancelled(): CitewireError {
    return new CitewireError('cancelled', 'The search was cancelled.', { cause: signal?.reason });
  }

  if (signal?.aborted) queueMicrotask(() => buffer.fail(cancelled()));
  else {
    signal?.addEventListener('abort', cancel);
    read();
  }
  return {
    fail(error) {
      buffer.fail(error);
      reading?.abort();
    },
    stream: {
      get search_id() {
        return search_id;
      },
      get result() {
        resultWanted = true;
        update();
        return buffer.result;
      },
      cancel,
      [Symbol.asyncIterator]() {
        iterations += 1;
        update();
        return buffer.iterate(() => {
          iterations -= 1;
          update();
        });
      },
    },
  };
}

/** A search from the cache: the same events and the same result. */
export function replayStream(frames: readonly SearchFrame[]): SearchStream<unknown> {
  const buffer = createReplayBuffer();
  for (const frame of frames) buffer.push(frame);
  return {
    search_id: frames[0]?.search_id,
    result: buffer.result,
    cancel: async () => {},
    [Symbol.asyncIterator]: () => buffer.iterate(ignore),
  };
}

/** Its process is gone, or was stopped before it had ended: the search is restarted, and its reader never sees this frame. */
function isLost(frame: SearchFrame): boolean {
  if (frame.type === 'search.cancelled') return frame.by === 'admin';
  return frame.type === 'search.failed' && frame.error.code === 'lost';
}

function ignore(): void {}

function asFailure(error: unknown): CitewireError {
  return error instanceof CitewireError ? error : connectionFailed(String(error), error);
}

function resumeFailure(reason: ResumeError['reason']): CitewireError {
  const message = `The search cannot be resumed: ${reason}.`;
  return reason === 'lost'
    ? new CitewireError('lost', message, { status: 500, retryable: true })
    : new CitewireError('not_found', message, { status: 404 });
}
