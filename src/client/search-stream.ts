/**
 * One search as its user holds it: events to iterate over, a result to wait for, and between those and the server
 * whatever it takes. The search is read while somebody wants it: from the start until the last iteration was left early
 * and nobody has asked for the result; asked for again, it is read on from where it was.
 *
 * Each seq comes once and in order. A search that the server has lost is asked again under the same idempotency key: its
 * events then begin anew, with `search.accepted` and another `search_id`.
 */
import type { SearchFrame, SearchRecord } from '../../protocol/index.ts';
import { createPace, type Pace, type PaceOptions } from './backoff.ts';
import { CitewireError, connectionFailed, worthAnotherTry } from './citewire-error.ts';
import { createFeed } from './replay-buffer.ts';
import { createOrder } from './sequencer.ts';
import { type Asked, type Read, type TerminalFrame, Unresumable } from './transport.ts';

export interface SearchStream<Result> extends AsyncIterable<SearchFrame> {
  /** Undefined until the server has given it. */
  readonly search_id: string | undefined;
  /** What `search.completed` holds; rejects with CitewireError when the search fails, is cancelled or cannot be read. */
  readonly result: Promise<Result>;
  /** Ends the search on the server. Resolves when it has ended, or after five seconds; never rejects. */
  cancel(): Promise<void>;
}

export interface StreamOptions extends PaceOptions {
  /** What to begin; undefined to read a search that someone else has begun. */
  readonly asked: Asked | undefined;
  readonly search_id?: string;
  readonly after?: number;
  readonly signal: AbortSignal | undefined;
  /** How many tries in a row may bring nothing. */
  readonly maxRetries: number;
  /** The transport for the next try. */
  readonly reader: () => Read;
  /** Asks the server for the end of a search. */
  readonly sendCancel: (search_id: string) => void;
  readonly readRecord: (search_id: string) => Promise<SearchRecord>;
  /** Told why nothing is read for the moment; undefined once events come again. */
  readonly onPause: (why: CitewireError | undefined) => void;
  /** Told all events, and the terminal one among them if there is one. */
  readonly onEnd: (frames: readonly SearchFrame[], terminal: TerminalFrame | undefined) => void;
}

export interface OpenStream {
  readonly stream: SearchStream<unknown>;
  /** Ends it from outside. */
  fail(error: CitewireError): void;
}

const cancelMs = 5_000;
const restartsAllowed = 3;

export function openStream(options: StreamOptions): OpenStream {
  const { asked, signal, maxRetries } = options;
  const order = createOrder(options.after);
  let search_id = options.search_id;
  let iterations = 0;
  let resultWanted = false;
  let cancelling = false;
  /** A start was sent, and what came of it is not known. */
  let unanswered = false;
  let restarts = 0;
  let paused = false;
  let reading: AbortController | undefined;
  let driving = Promise.resolve();

  const feed = createFeed((terminal) => {
    reading?.abort();
    signal?.removeEventListener('abort', cancel);
    options.onEnd(feed.frames, terminal);
  });

  async function drive(stop: AbortSignal): Promise<void> {
    const pace = createPace(options);
    while (!feed.hasEnded() && !stop.aborted) {
      const before = order.after();
      try {
        await tryToRead(stop);
      } catch (error) {
        if (stop.aborted) return;
        if (order.after() > before) pace.worked();
        await recover(error, pace);
      }
      if (cancelling && search_id === undefined && !unanswered) feed.fail(cancelled());
      await pace.wait(stop);
    }
  }

  async function tryToRead(stop: AbortSignal): Promise<void> {
    const onSent = () => {
      unanswered = search_id === undefined;
    };
    const position = { asked, search_id, after: order.after(), onSent, onAttached };
    for await (const frame of options.reader()(position, stop)) {
      if (stop.aborted) return;
      if (isLost(frame) && mayBeginAnew()) throw new Unresumable('lost');
      const fresh = order.admit(frame);
      if (fresh !== undefined) feed.push(fresh);
      goOn();
    }
    if (!feed.hasEnded()) throw connectionFailed('The events ended before the search did.');
  }

  function mayBeginAnew(): boolean {
    return asked !== undefined && restarts < restartsAllowed;
  }

  /** After a try that failed: another one, the record of the search, its beginning anew, or the end. */
  async function recover(error: unknown, pace: Pace): Promise<void> {
    if (error instanceof Unresumable) {
      if (error.reason === 'expired' && (await takeFromRecord())) return;
      if (!mayBeginAnew()) return feed.fail(gone(error.reason));
      restarts += 1;
      search_id = undefined;
      order.restart();
      pause(gone(error.reason));
      return pace.failed();
    }
    const failure = asFailure(error);
    if (failure.code !== 'connection_failed') unanswered = false;
    if (pace.failures() >= maxRetries || !worthAnotherTry(failure)) return feed.fail(failure);
    pace.failed(failure.retry_after_ms);
    pause(failure);
  }

  function pause(why: CitewireError): void {
    paused = true;
    options.onPause(why);
  }

  function goOn(): void {
    if (paused) options.onPause(undefined);
    paused = false;
  }

  /** The events are no longer kept but the result is, and the terminal event suffices. */
  async function takeFromRecord(): Promise<boolean> {
    const record = await options.readRecord(search_id!).catch(() => undefined);
    if (record === undefined || record.state === 'running') return false;
    feed.push(terminalOf(record, order.after() + 1));
    return true;
  }

  function onAttached(id: string): void {
    unanswered = false;
    search_id = id;
    if (cancelling) options.sendCancel(id);
  }

  /** Reads when somebody wants it, stops when nobody does. */
  function update(): void {
    const wanted = iterations > 0 || resultWanted || cancelling;
    if (feed.hasEnded() || wanted === (reading !== undefined)) return;
    if (wanted) read();
    else {
      reading?.abort();
      reading = undefined;
    }
  }

  function read(): void {
    const { signal: stop } = (reading = new AbortController());
    driving = driving.then(() => drive(stop)).catch((error) => feed.fail(asFailure(error)));
  }

  function cancel(): Promise<void> {
    const ended = feed.result.then(ignore, ignore);
    if (feed.hasEnded() || cancelling) return ended;
    cancelling = true;
    if (search_id === undefined && !unanswered) feed.fail(cancelled());
    if (search_id !== undefined) options.sendCancel(search_id);
    update();
    const timer = setTimeout(() => feed.fail(cancelled()), cancelMs);
    return ended.finally(() => clearTimeout(timer));
  }

  function cancelled(): CitewireError {
    return new CitewireError('cancelled', 'The search was cancelled.', { cause: signal?.reason });
  }

  if (signal?.aborted) queueMicrotask(() => feed.fail(cancelled()));
  else {
    signal?.addEventListener('abort', cancel);
    read();
  }
  return {
    fail: feed.fail,
    stream: {
      get search_id() {
        return search_id;
      },
      get result() {
        resultWanted = true;
        update();
        return feed.result;
      },
      cancel,
      [Symbol.asyncIterator]() {
        iterations += 1;
        update();
        return feed.iterate(() => {
          iterations -= 1;
          update();
        });
      },
    },
  };
}

/** A search that was answered before: the same events, the same result. */
export function replayStream(frames: readonly SearchFrame[]): SearchStream<unknown> {
  const feed = createFeed();
  for (const frame of frames) feed.push(frame);
  return {
    search_id: frames[0]?.search_id,
    result: feed.result,
    cancel: async () => {},
    [Symbol.asyncIterator]: () => feed.iterate(ignore),
  };
}

/** The process that ran the search went away: it is begun anew before its reader hears of that. */
function isLost(frame: SearchFrame): boolean {
  return frame.type === 'search.failed' && frame.error.code === 'lost';
}

function ignore(): void {}

function asFailure(error: unknown): CitewireError {
  return error instanceof CitewireError ? error : connectionFailed(String(error), error);
}

function gone(reason: Unresumable['reason']): CitewireError {
  const message = `The search cannot be read on: ${reason}.`;
  return reason === 'lost'
    ? new CitewireError('lost', message, { status: 500, retryable: true })
    : new CitewireError('not_found', message, { status: 404 });
}

/** What `GET /v1/search/{search_id}` says of a search that has ended, as the event that ended it. */
function terminalOf({ state, ...record }: SearchRecord, seq: number): SearchFrame {
  const at = new Date().toISOString();
  return { at, ...record, type: `search.${state}`, seq } as unknown as SearchFrame;
}
