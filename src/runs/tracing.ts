/**
 * The port to traces. Spans are made of a run's log once it has ended, and of the calls that it made; nothing here is called
 * for an event or a token. A span is known to others by its `traceparent` (base/traceparent.ts) before it is over.
 */
import type { CallWatch } from '../engine/ports/call-watch.ts';
import type { Run } from './run.ts';

export interface Tracing {
  /** The span of an HTTP call, under that of its caller if `traceparent` names one. Exported if a search began under it. */
  call(traceparent: string | undefined): CallSpan;
  /** The span of a search, under the span that `parent` names. */
  search(parent: string | undefined): SearchSpan;
}

export interface CallSpan {
  readonly traceparent: string;
  /** The call is over; only the first time counts. */
  end(about: {
    readonly method: string;
    /** The template of its path: `/v1/search/{search_id}`. Undefined for an unknown path. */
    readonly route: string | undefined;
    readonly path: string;
    readonly host: string | undefined;
    readonly isSecure: boolean;
    /** Undefined when the client left before the answer was complete. */
    readonly status: number | undefined;
  }): void;
}

export interface SearchSpan {
  readonly traceparent: string;
  /** Notified of the calls of the search. */
  readonly watch: CallWatch;
  /** The run has ended. */
  end(run: Pick<Run, 'search_id' | 'created_at' | 'prompts' | 'log' | 'attempt'>, about: SearchAbout): void;
}

export interface SearchAbout {
  readonly door: string;
  readonly mode: string;
  readonly api_stub?: string | undefined;
  /** The conversation that the search belongs to. */
  readonly conversation?: string | undefined;
}
