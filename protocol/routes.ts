/**
 * Every HTTP call: the interface document's, and ours beyond it (`ours: true`, marked (+) for users too). The router, the
 * OpenAPI document and the tests all read this table; a row without a handler does not compile.
 */
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

export const routes = {
  search: {
    method: 'POST',
    path: '/v1/search',
    summary: 'Researches a question and answers with citations, or in the shape of a template',
    key: true,
    counted: true,
    ours: false,
    body: 'SearchRequest',
    headers: ['Accept', 'Idempotency-Key'],
    success: {
      status: 200,
      means: 'The researched answer; with `output_format`, exactly the shape of the template.',
      bodies: ['TextResult', 'StructuredResult', 'StructuredResultWithEvidence'],
      events: true,
    },
    errors: [
      'validation_error',
      'idempotency_mismatch',
      'unsupported_media_type',
      'too_many_searches',
      'upstream_error',
      'deadline_exceeded',
    ],
  },
  search_socket: {
    method: 'GET',
    path: '/v1/ws/search',
    summary: 'Opens a WebSocket for searches',
    key: true,
    counted: true,
    ours: false,
    success: { status: 101, means: 'The connection speaks `citewire.v1` from here on; see asyncapi.json.', bodies: [] },
    errors: ['upgrade_required', 'subprotocol'],
  },
  list_searches: {
    method: 'GET',
    path: '/v1/search',
    summary: 'Lists the searches of the account that have ended, newest first',
    key: true,
    counted: false,
    ours: true,
    query: ['cursor', 'limit'],
    success: { status: 200, means: 'A page of them.', bodies: ['SearchList'] },
    errors: ['validation_error'],
  },
  read_search: {
    method: 'GET',
    path: '/v1/search/{search_id}',
    summary: 'Gives the result of a search, or where it stands',
    key: true,
    counted: false,
    ours: true,
    success: { status: 200, means: 'It has ended (200), or is under way (202).', bodies: ['SearchRecord'] },
    errors: [],
  },
  read_events: {
    method: 'GET',
    path: '/v1/search/{search_id}/events',
    summary: 'Reads the events of a search on, from the start or behind a seq',
    key: true,
    counted: false,
    ours: true,
    headers: ['Last-Event-ID'],
    query: ['after'],
    success: { status: 200, means: 'The events behind it.', bodies: [], events: true },
    errors: ['validation_error', 'gone'],
  },
  cancel_search: {
    method: 'DELETE',
    path: '/v1/search/{search_id}',
    summary: 'Cancels a search',
    key: true,
    counted: false,
    ours: true,
    success: {
      status: 202,
      means: 'It ends with `search.cancelled`, if it had not ended before.',
      bodies: ['Cancelling'],
    },
    errors: [],
  },
  contents: {
    method: 'POST',
    path: '/v1/contents',
    summary: 'Gives the contents of a web page in the form in which searches read it',
    key: true,
    counted: true,
    ours: false,
    body: 'ContentsRequest',
    success: { status: 200, means: 'The page, processed.', bodies: ['Contents'] },
    errors: [
      'validation_error',
      'unsupported_media_type',
      'blocked_address',
      'robots_denied',
      'unsupported_type',
      'too_large',
      'dns_error',
      'unreachable',
      'http_status',
      'too_many_redirects',
      'parse_failed',
      'timeout',
    ],
  },
  issue_ticket: {
    method: 'POST',
    path: '/v1/ws/tickets',
    summary: 'Gives a ticket with which a page opens one WebSocket without holding a key',
    key: true,
    counted: false,
    ours: true,
    body: 'TicketRequest',
    success: {
      status: 200,
      means: 'The ticket; it is used up by the first upgrade that names it.',
      bodies: ['Ticket'],
    },
    errors: ['validation_error', 'unsupported_media_type'],
  },
  usage: {
    method: 'GET',
    path: '/v1/usage',
    summary: 'Says what the key has used, of its minute and by day',
    key: true,
    counted: false,
    ours: true,
    success: { status: 200, means: 'What the key has used.', bodies: ['KeyUsage'] },
    errors: [],
  },
  sign_in: {
    method: 'POST',
    path: '/v1/session',
    summary: 'Signs a browser in with a sign-in link, which is used up',
    key: false,
    counted: false,
    ours: true,
    body: 'SignInRequest',
    success: { status: 200, means: 'Signed in: the session is in the cookie.', bodies: ['BrowserSession'] },
    errors: ['unauthorized', 'forbidden', 'rate_limited', 'overloaded', 'server_shutdown'],
  },
  read_session: {
    method: 'GET',
    path: '/v1/session',
    summary: 'Says who is signed in at this browser',
    key: false,
    browser: true,
    counted: false,
    ours: true,
    success: {
      status: 200,
      means: 'The account, and the token for calls that change something.',
      bodies: ['BrowserSession'],
    },
    errors: [],
  },
  sign_out: {
    method: 'DELETE',
    path: '/v1/session',
    summary: 'Ends the session of this browser',
    key: false,
    browser: true,
    counted: false,
    ours: true,
    success: { status: 200, means: 'Signed out.', bodies: ['SignedOut'] },
    errors: [],
  },
  list_keys: {
    method: 'GET',
    path: '/v1/keys',
    summary: 'Lists the keys of the account, without their secrets',
    key: false,
    browser: true,
    counted: false,
    ours: true,
    success: { status: 200, means: 'All of them, revoked ones too.', bodies: ['ApiKeyList'] },
    errors: [],
  },
  create_key: {
    method: 'POST',
    path: '/v1/keys',
    summary: 'Makes a key for the account',
    key: false,
    browser: true,
    counted: false,
    ours: true,
    body: 'ApiKeyName',
    success: { status: 201, means: 'The key, whole, this once.', bodies: ['NewApiKey'] },
    errors: [],
  },
  rename_key: {
    method: 'PATCH',
    path: '/v1/keys/{key_id}',
    summary: 'Renames a key',
    key: false,
    browser: true,
    counted: false,
    ours: true,
    body: 'ApiKeyName',
    success: { status: 200, means: 'The key as it now is.', bodies: ['ApiKey'] },
    errors: [],
  },
  revoke_key: {
    method: 'DELETE',
    path: '/v1/keys/{key_id}',
    summary: 'Revokes a key: within 30 seconds it opens nothing any more, anywhere',
    key: false,
    browser: true,
    counted: false,
    ours: true,
    success: { status: 200, means: 'The key as it now is.', bodies: ['ApiKey'] },
    errors: [],
  },
  account_usage: {
    method: 'GET',
    path: '/v1/account/usage',
    summary: 'Says what the account has used, by minute, by day and by key',
    key: false,
    browser: true,
    counted: false,
    ours: true,
    query: ['key_id', 'minutes'],
    success: { status: 200, means: 'What was used.', bodies: ['AccountUsage'] },
    errors: ['validation_error'],
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'What the process does, in numbers, in the text format of Prometheus',
    key: false,
    counted: false,
    ours: true,
    success: { status: 200, means: 'Text, one line a number.', bodies: [], text: true },
    errors: [],
  },
  read_snapshot: {
    method: 'GET',
    path: '/v1/contents/{snapshot}',
    summary: 'Gives the stored text that a citation points into',
    key: true,
    counted: false,
    ours: true,
    success: { status: 200, means: 'The page as it was read.', bodies: ['PageContents'] },
    errors: [],
  },
  health: {
    method: 'GET',
    path: '/healthz',
    summary: 'Says that the process runs',
    key: false,
    counted: false,
    ours: true,
    success: { status: 200, means: 'The process runs.', bodies: ['Health'] },
    errors: [],
  },
  ready: {
    method: 'GET',
    path: '/readyz',
    summary: 'Says whether new searches are accepted',
    key: false,
    counted: false,
    ours: true,
    success: { status: 200, means: 'New searches are accepted.', bodies: ['Ready'] },
    errors: ['overloaded', 'server_shutdown'],
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description of the HTTP calls',
    key: false,
    counted: false,
    ours: true,
    success: { status: 200, means: 'An OpenAPI 3.1 document.', bodies: [] },
    errors: [],
  },
  asyncapi: {
    method: 'GET',
    path: '/asyncapi.json',
    summary: 'The description of the WebSocket and its frames',
    key: false,
    counted: false,
    ours: true,
    success: { status: 200, means: 'An AsyncAPI 3 document.', bodies: [] },
    errors: [],
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
