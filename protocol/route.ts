/** What there is to say of an HTTP call before it is served. */
import type { ErrorCode } from './errors.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PATCH';
  /** `{name}` is a path parameter. */
  readonly path: string;
  readonly summary: string;
  /** Whether `X-API-Key` is required; the session of a browser stands in for it. */
  readonly key: boolean;
  /** Whether only the session of a browser will do. */
  readonly browser?: true;
  /** Whether it costs one unit of the key's minute. */
  readonly counted: boolean;
  readonly ours: boolean;
  /** Name of the schema of the JSON body. */
  readonly body?: string;
  /** Whether the body may be left out. */
  readonly bodyOptional?: boolean;
  /** Names of query parameters; `openapi.ts` describes them. */
  readonly query?: readonly string[];
  /** Names of request headers besides `X-API-Key` that it reads; `openapi.ts` describes them. */
  readonly headers?: readonly string[];
  readonly success: {
    readonly status: number;
    readonly means: string;
    /** Names of the schemas that the JSON body may have; none: no JSON body, or any JSON. */
    readonly bodies: readonly string[];
    /** Whether the body is plain text. */
    readonly text?: boolean;
    /** Whether `Accept: text/event-stream` gives the events instead. */
    readonly events?: boolean;
  };
  /** Failures besides those that every call may have: 401, 403, 404, 405, 413, 429, 500, 503. */
  readonly errors: readonly ErrorCode[];
}

/** How a search may fail, a run of an API among them. */
export const searchErrors = [
  'validation_error',
  'idempotency_mismatch',
  'unsupported_media_type',
  'too_many_searches',
  'upstream_error',
  'deadline_exceeded',
] as const;
