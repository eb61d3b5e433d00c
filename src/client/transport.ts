/**
 * What reading a search needs from any transport: start it, or resume it after the last seq, until its terminal event. A
 * transport makes one attempt; retries are the job of search-stream.ts.
 */
import type { SearchFrame, SearchRequest } from '../../protocol/index.ts';

/** A request; fields that the protocol has defaults for are optional. */
export type SearchInput = Omit<SearchRequest, 'effort' | 'output_format' | 'include'> & {
  readonly effort?: SearchRequest['effort'] | undefined;
  readonly output_format?: Template | undefined;
  readonly include?: readonly 'evidence'[] | undefined;
};

/** An `output_format`. */
export type Template = {
  readonly [field: string]: 'string' | 'number' | 'boolean' | Template | readonly [Template | 'string' | 'number'];
};

/** A run of an API, in the form of the `request` of `search.start`. */
export interface RunRequest {
  readonly api_stub: string;
  readonly version: number | 'newest' | 'draft';
  readonly inputs: ApiInputs;
}

/** The inputs of an API, by name. */
export type ApiInputs = Readonly<Record<string, string | number | boolean>>;

export interface StartRequest {
  readonly request: SearchInput | RunRequest;
  readonly idempotency_key: string;
  readonly on_disconnect: 'grace' | 'cancel' | 'continue';
}

export interface ReadPosition {
  /** What to start; undefined for a search that was started elsewhere. */
  readonly start: StartRequest | undefined;
  /** Once known, the search is resumed, not started. */
  readonly search_id: string | undefined;
  readonly after: number;
  /** Called when the request has been sent: from then on the server may have started the search. */
  readonly onSent: () => void;
  /** Called once, as soon as the server has sent the id. */
  readonly onAttached: (search_id: string) => void;
}

export interface Transport {
  /**
   * Yields the frames as they arrive, and returns after the terminal one. Throws CitewireError (`connection_failed` when
   * the connection was lost) or ResumeError. Leaving the iteration, or the signal, detaches from the search.
   */
  read(position: ReadPosition, signal: AbortSignal): AsyncGenerator<SearchFrame, void>;
}

/** The search cannot be resumed; the reasons are those of the frame `resume.failed`. */
export class ResumeError extends Error {
  readonly reason: 'not_found' | 'expired' | 'seq_ahead' | 'lost';
  constructor(reason: ResumeError['reason']) {
    super(`The search cannot be resumed: ${reason}.`);
    this.reason = reason;
  }
}

export type TerminalFrame = Extract<SearchFrame, { type: `search.${'completed' | 'failed' | 'cancelled'}` }>;

/** Whether the search ends with this frame. */
export function isTerminal(frame: SearchFrame): frame is TerminalFrame {
  return frame.type === 'search.completed' || frame.type === 'search.failed' || frame.type === 'search.cancelled';
}

/** The message if it is an event of a search, of a known or a future type; otherwise undefined. */
export function asSearchFrame(message: unknown): SearchFrame | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, search_id, seq, first_seq = seq } = message as Partial<SearchFrame>;
  const hasPlace = isSeq(seq) && isSeq(first_seq) && first_seq <= seq;
  return typeof type === 'string' && typeof search_id === 'string' && hasPlace ? (message as SearchFrame) : undefined;
}

function isSeq(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
