/** What can go wrong with a request, as a `ModelError` with what the next attempt needs to know. */

import { parseRetryAfter } from '../../base/upstream/retry-after.ts';
import { ModelError } from '../model-error.ts';
import { isTooLong } from './stated-limits.ts';

/** An endpoint's refusal of a request. `complaint` is what it wrote, in lower case: to be read here, never to be shown. */
export class Rejection extends ModelError {
  readonly complaint: string;
  constructor(message: string, complaint: string, options: ConstructorParameters<typeof ModelError>[1]) {
    super(message, options);
    this.complaint = complaint;
  }
}

/** Characters of a complaint that are read; set by hand. */
const maxComplaint = 4_000;

/**
 * An account that is to be paid for, whatever the status. Not "check your plan and billing": Google says so of limits that are over in
 * a minute.
 */
const unpaid =
  /credit balance is too low|insufficient[_ ](?:quota|credits?|balance|funds)|billing[_ ](?:error|hard limit|not active)|payment required|out of credits/;
/** Google answers a wrong key with 400. */
const refusedKey = /api key not valid|api_key_invalid|api key expired|invalid api key/;

/** The error of a response that is not 2xx. `text` is its body, `missing` the sentence for a model that the endpoint does not have. */
export function rejectionOf(status: number, headers: Headers, text: string, missing: string): Rejection {
  const complaint = complaintIn(text).slice(0, maxComplaint).toLowerCase();
  const retryAfterMs = parseRetryAfter(headers.get('retry-after')) ?? retryDelayIn(text);
  const isUnpaid = status === 402 || unpaid.test(complaint);
  const isRefused = status === 401 || status === 403 || refusedKey.test(complaint);
  const permanent = status === 404 || isUnpaid || isRefused;
  const isMissing = status === 404 && /model/.test(complaint) && !/image|vision/.test(complaint);
  const message = isContentFilter(complaint)
    ? 'it refused to answer.'
    : isMissing
      ? missing
      : isUnpaid
        ? `its account has too little credit left (status ${status}).`
        : isRefused
          ? `its endpoint refused the key (status ${status}).`
          : `its endpoint returned status ${status}.`;
  return new Rejection(message, complaint, { status, permanent, retryAfterMs });
}

/** The statuses that errors in an answer of status 200 mean by their type or code, in the words of Anthropic and OpenAI. */
const statusOfName: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  context_length_exceeded: 400,
  exceed_context_size_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  api_error: 500,
  server_error: 500,
  internal_server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/**
 * An error that an endpoint reported in an answer that began with status 200. `status` is the one that it names, as a number
 * or by its code or type; undefined if it names none. `reported` is the error as it came: read here, never shown.
 */
export class ReportedError extends ModelError {
  readonly reported: unknown;
  constructor(reported: unknown) {
    super('it reported an error in the middle of its answer.', { status: statusIn(reported) });
    this.reported = reported;
  }
}

function statusIn(reported: unknown): number | undefined {
  const { code, status, type } = (reported ?? {}) as { code?: unknown; status?: unknown; type?: unknown };
  const numbers = [code, status].map(Number).filter((each) => Number.isInteger(each) && each >= 400 && each < 600);
  // The type may be that of all refusals, and the code says which it was.
  const names = [code, type].map(String).filter((each) => Object.hasOwn(statusOfName, each));
  return numbers[0] ?? (names[0] === undefined ? undefined : statusOfName[names[0]]);
}

/** An error that came instead of an answer, as if the request had been rejected with its status. `missing` as in `rejectionOf`. */
export function rejectionIn({ status, reported }: ReportedError, missing: string): ModelError {
  const text = JSON.stringify({ error: reported });
  // TGI says no status where a prompt is too long.
  const meant = status ?? (isTooLong(text.toLowerCase()) ? 400 : undefined);
  if (meant === undefined) return new ModelError('it reported an error.');
  return rejectionOf(meant, new Headers(), text, missing);
}

/** Names shown when the configured one is not among them; set by hand. */
const maxNames = 8;

/** The sentence for a model that an endpoint does not have; `names` are the models that it has, if it lists them. */
export function missingModel(model: string, names: readonly string[] = []): string {
  const shown = names.slice(0, maxNames).join(', ');
  const others = names.length === 0 ? '' : `; it has ${shown}${names.length > maxNames ? ', …' : ''}`;
  return `its endpoint has no model named "${model}"${others}.`;
}

/** Message, code and parameter of an error, in the forms of OpenAI, Anthropic, Gemini and Ollama. Google has some in a list. */
function complaintIn(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    const { error, message, detail } = (Array.isArray(answer) ? answer[0] : answer) as Record<string, unknown>;
    const fields =
      typeof error === 'object' && error !== null ? Object.entries(error) : Object.entries({ error, message, detail });
    return fields.map(([name, value]) => textOf(name, value)).join(' ');
  } catch {
    return text;
  }
}

/** Numbers with their name, such as llama.cpp's `n_ctx`. Lists of details may repeat the request, which is not the endpoint's word. */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return /^(?:code|status)$/.test(name) ? '' : `${name} ${value}`;
  return value ? JSON.stringify(value, (key, each: unknown) => (key === 'input' ? undefined : each)) : '';
}

/** Gemini's `"retryDelay": "34s"`, in milliseconds. */
function retryDelayIn(text: string): number | undefined {
  const [, seconds] = /"retryDelay":\s*"(\d{1,6}(?:\.\d{1,9})?)s"/.exec(text) ?? [];
  return seconds === undefined ? undefined : 1000 * Number(seconds);
}

/** Whether a complaint is about what the prompt says. */
export function isContentFilter(complaint: string): boolean {
  return /content.?(?:filter|policy|management)|moderation|safety (?:system|setting|polic)/.test(complaint);
}

/** Whether a retry may help. Not after a timeout: that much time is better spent on the rest of the search. */
export function isRetryable({ status, permanent }: ModelError, error: unknown): boolean {
  if (permanent) return false;
  if (status === undefined) return isConnectionError(error);
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Any error of a request as a `ModelError`. Its message never repeats what the endpoint wrote. */
export function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (isUnreachable(error)) return unreachable(error);
  if (isConnectionError(error)) return new ModelError('its connection was lost.', { cause: error });
  return new ModelError('its response could not be read.', { cause: error });
}

/** Whether nothing could be connected to, as opposed to a connection that was lost. */
export function isUnreachable(error: unknown): boolean {
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(codeOf(error));
}

function isConnectionError(error: unknown): boolean {
  return /^(?:E[A-Z_]+|UND_ERR_\w+)$/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return String(code ?? cause?.code ?? '');
}

/** Permanent: further calls would fail, too. */
export function unreachable(cause?: unknown): ModelError {
  return new ModelError('its endpoint could not be reached.', { cause, permanent: true });
}

/** Permanent: the next call would take as long, and a search waits for such an endpoint only once. */
export function tooSlow(cause?: unknown): ModelError {
  return new ModelError('it did not answer in time.', { cause, permanent: true });
}

/** The answer was cut off at the limit of its tokens. */
export class CutOff extends ModelError {
  constructor() {
    super('its answer was too long and was cut off.');
  }
}
