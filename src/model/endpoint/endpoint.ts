/** One endpoint with one model, as the settings describe it, and the requests to it. */
import { urlBelow } from '../../base/upstream/base-url.ts';
import { isObject } from '../../base/values/is-object.ts';
import { ModelError } from '../model-error.ts';
import type { CallQueue } from './call-queue.ts';
import { rejectionOf, tooSlow } from './errors.ts';
import type { LessonName } from './lessons.ts';
import { type IncomingBytes, readWholeStream, type StreamLimits } from './stream.ts';
import type { Completion, Reasoning, Wire, WireCall } from './wire.ts';

/** Of `Endpoint.callMs`; set by hand. */
export const defaultCallMs = 30_000;

export interface Endpoint {
  readonly wire: Wire;
  readonly model: string;
  /** It may have a query, which stays at the end. */
  readonly baseUrl: string;
  /** Must expose an event stream as `incoming` of its response: see `IncomingBytes`. */
  readonly fetch: typeof fetch;
  /** Places for calls at the same time, shared by all models of the endpoint. */
  readonly queue: CallQueue;
  readonly tuning: Tuning;
  readonly watch: EndpointWatch;
  /** Called before each call: finds out what the endpoint has not said yet, if it has not been asked a moment ago. Never rejects. */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Timeout until a response begins, ms; 30,000 by default. */
  readonly callMs?: number | undefined;
  /** Inactivity timeout within a stream, ms; 20,000 by default. */
  readonly idleMs?: number | undefined;
  /** Delay before the first retry, ms, doubled for each further one; 400 by default. */
  readonly retryMs?: number | undefined;
}

/** What the operator can set about every call. */
export interface Tuning {
  /** Length of the context in tokens. Read before each call, since it may become known later. */
  readonly context?: (() => number | undefined) | undefined;
  /** 0 to 2; undefined leaves it to the endpoint. */
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
  readonly reasoning?: ((call: Pick<WireCall, 'schema'>) => Reasoning | undefined) | undefined;
  readonly keepAlive?: string | undefined;
  /** Whether the model takes images, if that is known beforehand. */
  readonly hasVision?: (() => boolean) | undefined;
  /** Added to every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Added to the body of every call; objects are merged with those that it has. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** Notified of what operators want to know. */
export interface EndpointWatch {
  learned?(lesson: LessonName): void;
  /** A call failed for good. `message` is that of a `ModelError`. */
  failed?(error: ModelError): void;
}

/**
 * The response to a call: never later than `callMs`. Throws a `ModelError`, the error of the connection, or the signal's reason.
 */
export async function postCall(
  { wire, model, baseUrl, fetch, tuning, callMs = defaultCallMs }: Endpoint,
  call: WireCall,
  signal: AbortSignal,
  headers?: Readonly<Record<string, string>>,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooSlow()), callMs);
  try {
    const response = await fetch(urlBelow(baseUrl, wire.path(call)), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...wire.headers, ...tuning.headers, ...headers },
      body: JSON.stringify(withFields(wire.body(call), tuning.body)),
      signal: AbortSignal.any([signal, late.signal]),
    });
    if (!response.ok)
      throw rejectionOf(response.status, response.headers, await response.text(), wire.missingModel(model));
    return response;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Objects of the body, such as Ollama's `options`, get the fields of those that are added, and keep the others; one of another `type`, such
 * as a `response_format`, is replaced.
 */
function withFields(body: Record<string, unknown>, added: Tuning['body'] = {}): Record<string, unknown> {
  const merged = { ...body, ...added };
  for (const [name, value] of Object.entries(added)) {
    const own = body[name];
    if (!isObject(own) || !isObject(value)) continue;
    if (value.type === undefined || value.type === own.type) merged[name] = { ...own, ...value };
  }
  return merged;
}

/** The stream of a response; undefined if the endpoint answered in one piece. */
export function streamOf(response: Response): IncomingBytes | undefined {
  return (response as { incoming?: IncomingBytes }).incoming;
}

/**
 * The whole answer of a response, also if the endpoint streams it without having been asked to. Throws a `ModelError` if it cannot be
 * read, or the signal's reason.
 */
export async function readAnswer({ wire }: Endpoint, response: Response, limits: StreamLimits): Promise<Completion> {
  const incoming = streamOf(response);
  try {
    if (incoming !== undefined) return await readWholeStream(incoming, wire.createParser(), limits);
    return wire.readWhole(await response.json());
  } catch (error) {
    limits.signal.throwIfAborted();
    if (error instanceof ModelError) throw error;
    throw new ModelError('its response could not be read.', { cause: error });
  }
}
