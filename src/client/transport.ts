/**
 * What it takes to read a search over any transport: begin it, or read on behind the last seq, until its terminal event.
 * A transport makes one try; whether there is another is the search's own business (search-stream.ts).
 */
import type { SearchFrame, SearchRequest } from '../../protocol/index.ts';

/** A request; what the protocol fills in may be left out. */
export type SearchInput = Omit<SearchRequest, 'effort' | 'output_format' | 'include'> & {
  readonly effort?: SearchRequest['effort'] | undefined;
  readonly output_format?: Template | undefined;
  readonly include?: readonly 'evidence'[] | undefined;
};

/** An `output_format`. */
export type Template = {
  readonly [field: string]: 'string' | 'number' | 'boolean' | Template | readonly [Template];
};

/** What a run of an API asks, as `request` of `search.start` has it. */
export interface RunInput {
  readonly api_stub: string;
  readonly version: number | 'newest' | 'draft';
  readonly inputs: ApiInputs;
}

/** The inputs of an API, by name. */
export type ApiInputs = Readonly<Record<string, string | number | boolean>>;

export interface Asked {
  readonly request: SearchInput | RunInput;
  readonly idempotency_key: string;
  readonly on_disconnect: 'grace' | 'cancel' | 'continue';
}

export interface Position {
  /** What to begin; undefined for a search that someone else has begun. */
  readonly asked: Asked | undefined;
  /** Once it is known the search is read on, not begun. */
  readonly search_id: string | undefined;
  readonly after: number;
  /** Told when the request is on its way: from here on the server may have begun. */
  readonly onSent: () => void;
  /** Told the id as soon as the server gives it, once. */
  readonly onAttached: (search_id: string) => void;
}

/**
 * Gives the frames as they come, and ends after the terminal one. Throws CitewireError (`connection_failed` when the line
 * was cut) or Unresumable. Leaving it, or the signal, detaches from the search.
 */
export type Read = (position: Position, signal: AbortSignal) => AsyncGenerator<SearchFrame, void>;

/** The search cannot be read on from here; its reasons are those of the frame `resume.failed`. */
export class Unresumable extends Error {
  readonly reason: 'not_found' | 'expired' | 'seq_ahead' | 'lost';
  constructor(reason: Unresumable['reason']) {
    super(`The search cannot be read on: ${reason}.`);
    this.reason = reason;
  }
}

export type TerminalFrame = Extract<SearchFrame, { type: `search.${'completed' | 'failed' | 'cancelled'}` }>;

export function isEnding(frame: SearchFrame): frame is TerminalFrame {
  return frame.type === 'search.completed' || frame.type === 'search.failed' || frame.type === 'search.cancelled';
}

/** An event of a search among what came, known or not yet known; undefined for anything else. */
export function asSearchFrame(message: unknown): SearchFrame | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, search_id, seq, first_seq = seq } = message as Partial<SearchFrame>;
  const placed = isSeq(seq) && isSeq(first_seq) && first_seq <= seq;
  return typeof type === 'string' && typeof search_id === 'string' && placed ? (message as SearchFrame) : undefined;
}

function isSeq(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
