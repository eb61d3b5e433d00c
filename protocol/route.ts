/** The description of an HTTP call, from which it is routed, documented and tested. */
import type { DoorName } from './doors.ts';
import type { ErrorCode } from './errors.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PATCH';
  /** `{name}` is a path parameter. */
  readonly path: string;
  readonly summary: string;
  /** Whether an API key is required; the session of a browser works instead. */
  readonly key: boolean;
  /** Whether no session works: a GET that starts a search must not follow from a link. */
  readonly keyOnly?: true;
  /** Whether it requires the session of a browser. */
  readonly browser?: true;
  /** The door it belongs to, if not `native`: another protocol than this one. */
  readonly door?: Exclude<DoorName, 'native'>;
  /** Whether it counts towards the key's limit of calls per minute. */
  readonly counted: boolean;
  /** Whether it goes beyond the interface; marked (+) in the documents. */
  readonly ours: boolean;
  /** Name of the schema of the JSON body. */
  readonly body?: string;
  /** Whether the body is a file, of any type. */
  readonly binary?: true;
  /** Whether the body may be omitted. */
  readonly bodyOptional?: boolean;
  /** Names of query parameters; `openapi.ts` describes them. */
  readonly query?: readonly string[];
  /** Name of the schema of the query, whose fields are further parameters. */
  readonly querySchema?: string;
  /** Names of the request headers it reads, except those with a key; `openapi.ts` describes them. */
  readonly headers?: readonly string[];
  readonly success: {
    readonly status: number;
    readonly means: string;
    /** Names of the schemas that the JSON body may have; empty for no JSON body, or for any JSON. */
    readonly bodies: readonly string[];
    /** What it means when the answer is a 202 without a body instead. */
    readonly accepted?: string;
    /** Name of the schema of the 202 that answers a search in the background. */
    readonly background?: string;
    /** Whether the body is plain text. */
    readonly text?: boolean;
    /** Whether `Accept: text/event-stream` returns the events instead. */
    readonly events?: boolean;
    /** What the body is where it is a stream of another protocol's events. */
    readonly stream?: string;
    /** Why the answer may be an empty 204 instead. */
    readonly empty?: string;
  };
  /** Error codes besides those that follow from the other fields: 401, 403, 404, 405, 413, 415, 422, 429, 500, 503. */
  readonly errors: readonly ErrorCode[];
}

/** The error codes of a search, including the run of an API. */
export const searchErrors = [
  'validation_error',
  'idempotency_mismatch',
  'unsupported_media_type',
  'too_many_searches',
  'quota_exceeded',
  'upstream_error',
  'deadline_exceeded',
] as const;
