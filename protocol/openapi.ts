/**
 * The OpenAPI 3.1 document of the HTTP calls, built from the routes, the error table and the schemas. It states nothing
 * that those do not state, so the document cannot promise more than the server checks.
 */
import { designLimits } from './designs.ts';
import { type DoorName, doors, searchChannels, statusAt } from './doors.ts';
import { type ErrorCode, errorTable } from './errors.ts';
import { searchEvents } from './events.ts';
import { errorExamples, eventExamples, requestExamples, resultExamples } from './examples.ts';
import { sessionLimits } from './frames.ts';
import { componentSchemas, type JsonSchema, reference } from './json-schemas.ts';
import { jsonLimits, requestLimits, searchOutcomes } from './requests.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { scheduleLimits } from './schedules.ts';
import { sourceLimits } from './sources.ts';
import { templateLimits } from './template-issues.ts';
import { webhookLimits } from './webhooks.ts';

/** Of the interface. */
export const apiVersion = '1.6.0';
/** Of the package that these documents are part of; `npm version` writes it. */
export const packageVersion = '0.1.0';

/** Returns the document as a JSON object, in the order in which it is written to openapi.json. */
export function openApiDocument(): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Citewire',
      version: apiVersion,
      summary: 'Researched answers with citations that can be checked',
      description:
        'Every call accepts and returns JSON. Calls and fields marked (+) go beyond the 1.6.0 interface. ' +
        'Every error response has `detail`, and `error` with a code. The WebSocket is described in /asyncapi.json.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-citewire-version': packageVersion,
    },
    servers: [{ url: '/' }],
    'x-limits': {
      request: requestLimits,
      json: jsonLimits,
      template: templateLimits,
      design: designLimits,
      session: sessionLimits,
      webhook: webhookLimits,
      schedule: scheduleLimits,
      source: sourceLimits,
    },
    paths,
    components: {
      schemas: componentSchemas('draft-2020-12'),
      securitySchemes: { apiKey, bearer, session, csrf },
      headers,
    },
  };
}

const apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Rate limits apply per key.' };

const bearer = { type: 'http', scheme: 'bearer', description: '(+) The same key as `Authorization: Bearer <key>`.' };

const session = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-citewire',
  description:
    '(+) The session of a browser, only for pages of this server. Over plain HTTP the cookie is called `citewire_<port>`.',
};

const csrf = {
  type: 'apiKey',
  in: 'header',
  name: 'X-CSRF-Token',
  description: '(+) Required with the session cookie on every call that is not a GET; `GET /v1/session` returns it.',
};

const headers = {
  'X-Request-Id': { description: "Identifies this call in the server's log.", schema: { type: 'string' } },
  'X-Search-Id': { description: 'The search that produced this response.', schema: { type: 'string' } },
  'X-Search-Stored': {
    description: '(+) `no` when the search could not be stored, or not yet; absent otherwise.',
    schema: { type: 'string', enum: ['no'] },
  },
  'RateLimit-Policy': {
    description: 'The limit of the key: `"<policy>";q=<requests>;w=<seconds>`.',
    schema: { type: 'string', examples: ['"starter";q=10;w=60'] },
  },
  RateLimit: {
    description: 'What is left of the limit: `"<policy>";r=<requests>;t=<seconds until more>`.',
    schema: { type: 'string', examples: ['"starter";r=9;t=60'] },
  },
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': { description: '(+) `Bearer realm="citewire"`.', schema: { type: 'string' } },
  Allow: { description: 'The methods that this path supports.', schema: { type: 'string' } },
};

type HeaderName = keyof typeof headers;

const queryParameters: Record<string, { description: string; schema: JsonSchema }> = {
  only: {
    description: '`server`: only whether this server is being stopped, not whether what it shares with others works.',
    schema: { type: 'string', enum: ['server'] },
  },
  cursor: { description: 'The `cursor` of the previous page.', schema: { type: 'string' } },
  limit: {
    description: 'Maximum number of items.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
  key_id: {
    description: 'Only of this key, or `browser` for signed-in browsers.',
    schema: { type: 'string' },
  },
  minutes: {
    description: 'How many minutes to look back, including the current one.',
    schema: { type: 'integer', minimum: 1, maximum: 1440, default: 60 },
  },
  q: {
    description: 'Words that must all occur in what the list shows of an item: see the schema of its query.',
    schema: { type: 'string', maxLength: 200 },
  },
  name: {
    description: '(+) The name of the file, without a path.',
    schema: { type: 'string', minLength: 1, maxLength: sourceLimits.name_characters },
  },
  shared: {
    description: '(+) Whether the searches of every account find it; for administrators.',
    schema: { enum: ['true', 'false'] },
  },
  version: { description: 'The version; defaults to the newest.', schema: { type: 'integer', minimum: 1 } },
  background: {
    description: '(+) `true` answers 202 with the id at once; see `SearchRequest`.',
    schema: { type: 'boolean', default: false },
  },
  webhook: {
    description:
      '(+) The URL of an endpoint of the account, which is sent an event when the run has ended; see `Webhook`.',
    schema: { type: 'string', maxLength: webhookLimits.url_characters },
  },
  search_id: {
    description: '(+) Only the ratings of this search.',
    schema: { type: 'string', minLength: 1, maxLength: 64 },
  },
  webhook_id: { description: 'Only what is sent to this endpoint.', schema: { type: 'string' } },
  state: {
    description: '(+) `running` lists background searches that have not ended, on one page; others are not listed.',
    schema: { enum: ['running'] },
  },
  status: {
    description: '(+) Only accounts with this status.',
    schema: { enum: ['active', 'suspended', 'banned'] },
  },
  outcome: {
    description: '(+) Only searches that ended so; `cancelled` are those that were stopped.',
    schema: { enum: [...searchOutcomes] },
  },
  channel: { description: '(+) Only searches that came this way.', schema: { enum: [...searchChannels] } },
  since: {
    description: '(+) Only searches that ended at this time or later.',
    schema: { type: 'string', format: 'date-time' },
  },
  until: {
    description: '(+) Only searches that ended before this time.',
    schema: { type: 'string', format: 'date-time' },
  },
  stream: { description: '`true` streams the events.', schema: { type: 'boolean', default: false } },
  starting_after: {
    description: 'The `sequence_number` of the last event received; only those after it are sent.',
    schema: { type: 'integer', minimum: 0 },
  },
  timeout: {
    description: 'How long to wait, in whole seconds; 1,800 at most, and 600 by default.',
    schema: { type: 'integer', minimum: 0, default: 600 },
  },
  return_to: {
    description: 'The path of a page of this server to lead back to; any other address counts as `/`.',
    schema: { type: 'string', default: '/' },
  },
  after: {
    description:
      'The `seq` of the last event received; 0 is the start. A `Last-Event-ID` of this search comes first (+).',
    schema: { type: 'integer', minimum: 0 },
  },
};

const requestHeaders: Record<string, { description: string; schema: JsonSchema }> = {
  Accept: {
    description:
      '`text/event-stream` streams the events of the search; otherwise the response is sent when the search is complete.',
    schema: { type: 'string', default: 'application/json' },
  },
  'Last-Event-ID': {
    description: 'The `id` of the last event received, `<search_id>:<seq>`; browsers send it when they reconnect.',
    schema: { type: 'string' },
  },
  'X-Share-Token': {
    description: '(+) The secret part of a share link, after its `#`.',
    schema: { type: 'string', minLength: 43, maxLength: 43 },
  },
  'Idempotency-Key': {
    description:
      '(+) Repeating the key with the same body attaches to the running search, or returns its result again, free of charge; a different body is rejected.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
};

function operation(name: string, route: Route): JsonSchema {
  return {
    operationId: name,
    summary: route.summary,
    description: describe(route),
    parameters: parameters(route),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route.body, route.bodyOptional) }),
    ...(route.binary === undefined ? {} : { requestBody: fileBody }),
    responses: { [route.success.status]: success(route), ...others(route), ...failures(route) },
    security: security(route),
  };
}

function security({ key, keyOnly, browser, method }: Route): JsonSchema[] {
  const session = method === 'GET' ? { session: [] } : { session: [], csrf: [] };
  const takesSession = browser === true || (key && keyOnly === undefined);
  return [...(key ? [{ apiKey: [] }, { bearer: [] }] : []), ...(takesSession ? [session] : [])];
}

function describe(route: Route): string {
  const { body_bytes, body_with_image_bytes, sign_in_bytes, unknown_caller_bytes, prompt_characters, list_entries } =
    requestLimits;
  const { design_keys, design_values, door_keys, door_values, chat_keys, chat_values } = jsonLimits;
  const parts = [`${route.ours ? '(+) ' : ''}${route.summary}.`];
  if (route.counted) parts.push("Counts as one request towards the key's limit.");
  if (route.body !== undefined) {
    const counts: Readonly<Record<string, readonly [number, number]>> = {
      Design: [design_keys, design_values],
      DesignChange: [design_keys, design_values],
      ChatCompletionRequest: [door_keys, door_values],
      ResponseRequest: [door_keys, door_values],
      ChatRequest: [chat_keys, chat_values],
    };
    const [keys, values] = counts[route.body] ?? [jsonLimits.keys, jsonLimits.values];
    const sizes: Readonly<Record<string, number>> = {
      SignInRequest: sign_in_bytes,
      ChatRequest: body_with_image_bytes,
      TavilySearchRequest: unknown_caller_bytes,
      TavilyExtractRequest: unknown_caller_bytes,
    };
    const bytes = sizes[route.body] ?? body_bytes;
    parts.push(
      `The body may have at most ${sizeOf(bytes)}, and (+) ${grouped(keys)} keys and ${grouped(values)} values in total.`,
    );
  }
  if (route.body === 'SearchRequest') {
    parts.push(
      `With \`image\` it may have at most ${sizeOf(body_with_image_bytes)}. The prompt may have at most ${grouped(prompt_characters)} characters, ` +
        `a source list at most ${list_entries} entries, a template at most ${templateLimits.depth} levels and ${templateLimits.leaves} leaves.`,
    );
  }
  return parts.join(' ');
}

function parameters(route: Route): JsonSchema[] {
  const path = pathParameters(route).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'version' ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }));
  const header = (route.headers ?? []).map((name) => ({
    name,
    in: 'header',
    required: false,
    ...requestHeaders[name],
  }));
  const query = (route.query ?? []).map((name) => {
    const parameter = queryParameters[name];
    if (parameter === undefined) throw new Error(`expected a description of the query parameter ${name}; found none`);
    return { name, in: 'query', required: false, ...parameter };
  });
  return [...path, ...query, ...(route.querySchema === undefined ? [] : fieldsOf(route.querySchema)), ...header];
}

/** The fields of the schema of a query as parameters. */
function fieldsOf(name: string): JsonSchema[] {
  const { properties = {}, required = [] } = componentSchemas('draft-2020-12')[name] as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([field, { description, ...schema }]) => ({
    name: field,
    in: 'query',
    required: required.includes(field),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function pathParameters(route: Route): string[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

function requestBody(name: string, isOptional = false): JsonSchema {
  const examples = name === 'SearchRequest' ? { examples: named(requestExamples) } : {};
  return { required: !isOptional, content: { 'application/json': { schema: reference(name), ...examples } } };
}

const fileBody = {
  required: true,
  description: `The file, at most ${sizeOf(sourceLimits.upload_bytes)}. Its type is detected from its content.`,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};

function success(route: Route): JsonSchema {
  const { means, bodies, events, status, text, stream } = route.success;
  const answerHeaders: HeaderName[] = [
    'X-Request-Id',
    ...(events ? (['X-Search-Id', 'X-Search-Stored'] as const) : []),
    ...(stream === undefined ? [] : (['X-Search-Id'] as const)),
    ...(route.counted ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
  ];
  const content = {
    ...(status === 101 || status === 303 || text || (stream !== undefined && bodies.length === 0)
      ? {}
      : { 'application/json': { ...oneOf(bodies), ...examplesOf(bodies) } }),
    ...(text ? { 'text/plain': { schema: { type: 'string' } } } : {}),
    ...(events ? { 'text/event-stream': eventStream } : {}),
    ...(stream === undefined ? {} : { 'text/event-stream': { schema: { type: 'string', description: stream } } }),
  };
  return {
    description: means,
    headers: headerReferences(answerHeaders),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

/** What a call may answer instead. */
function others({ success: { accepted, background, empty } }: Route): Record<string, JsonSchema> {
  const answerHeaders = headerReferences(['X-Request-Id']);
  return {
    ...(accepted === undefined ? {} : { 202: { description: accepted, headers: answerHeaders } }),
    ...(background === undefined
      ? {}
      : {
          202: {
            description: 'With `background`: the search runs, and is there until its record is removed.',
            headers: answerHeaders,
            content: { 'application/json': oneOf([background]) },
          },
        }),
    ...(empty === undefined ? {} : { 204: { description: empty, headers: answerHeaders } }),
  };
}

/** `anyOf`, because a structured result may have any fields, including those of a text result. */
function oneOf(bodies: readonly string[]): JsonSchema {
  const [only] = bodies;
  if (only === undefined) return { schema: {} };
  return { schema: bodies.length === 1 ? reference(only) : { anyOf: bodies.map(reference) } };
}

function examplesOf(bodies: readonly string[]): JsonSchema {
  const known = Object.entries<unknown>(resultExamples).filter(([name]) => bodies.includes(name));
  return known.length > 0 ? { examples: named(Object.fromEntries(known)) } : {};
}

const eventStream = {
  schema: {
    type: 'string',
    description:
      'Server-Sent Events: `id: <search_id>:<seq>`, `event: <type>`, `data:` the event as JSON on one line. The last ' +
      'one is `search.completed`, `search.failed` or `search.cancelled`; a comment is sent after 15 s of silence.',
  },
  'x-data-schema': { oneOf: Object.keys(searchEvents).map(reference) },
  examples: { stream: { value: (['search.accepted', 'answer.delta'] as const).map(serverSentEvent).join('') } },
};

function serverSentEvent(type: keyof typeof eventExamples): string {
  const event = eventExamples[type];
  return `id: ${event.search_id}:${event.seq}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** By status; its description lists the codes that share it. */
function failures(route: Route): Record<string, JsonSchema> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(route)) {
    const status = statusAt(doorOf(route), code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, failure(route, status, codes)]));
}

const signInErrors = ['unauthorized', 'forbidden'] as const;

function errorsOf(route: Route): Set<ErrorCode> {
  const hasPath = pathParameters(route).length > 0;
  return new Set<ErrorCode>([
    ...route.errors,
    // Failed sign-ins are limited by address, so any call that needs one may be refused.
    ...(route.key || route.browser
      ? ([...signInErrors, 'rate_limited', 'overloaded', 'server_shutdown'] as const)
      : []),
    ...(hasPath ? (['not_found', 'validation_error'] as const) : []),
    ...(route.body === undefined ? [] : (['payload_too_large', 'unsupported_media_type', 'validation_error'] as const)),
    ...(route.counted ? (['rate_limited'] as const) : []),
    'method_not_allowed',
    'internal',
  ]);
}

function doorOf({ door }: Route): DoorName {
  return door ?? 'native';
}

function failure(route: Route, status: number, codes: readonly ErrorCode[]): JsonSchema {
  const { error } = doors[doorOf(route)];
  const body = error === 'HTTPError' && status === 422 ? 'HTTPValidationError' : error;
  const answerHeaders: HeaderName[] = [
    'X-Request-Id',
    ...(codes.some((code) => errorTable[code].retryable && [429, 503].includes(status))
      ? (['Retry-After'] as const)
      : []),
    ...(route.counted && status === 429 ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
    ...(status === 405 ? (['Allow'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
  ];
  const isNative = body === 'HTTPError' || body === 'HTTPValidationError';
  const example = isNative && (status === 422 || status === 429) ? { example: errorExamples[body] } : {};
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].means}`).join(' '),
    headers: headerReferences(answerHeaders),
    content: { 'application/json': { schema: reference(body), ...example } },
  };
}

function headerReferences(names: readonly HeaderName[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function named(values: Readonly<Record<string, unknown>>): JsonSchema {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** Exact: a unit of 1,024 only where the size is a whole number of it. */
function sizeOf(bytes: number): string {
  if (bytes % 1_048_576 === 0) return `${grouped(bytes / 1_048_576)} MiB`;
  return bytes % 1_024 === 0 ? `${grouped(bytes / 1_024)} KiB` : `${grouped(bytes)} bytes`;
}
