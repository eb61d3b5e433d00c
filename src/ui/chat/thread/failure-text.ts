/** Failures in plain words: what went wrong, and what to do about it. */
import type { CitewireError, SearchState, TextResult } from '../../../client/client.ts';

export interface FailureText {
  readonly title: string;
  readonly text: string;
  /** Whether asking again may help. */
  readonly canRetry: boolean;
  /** Minimum wait before that, in milliseconds. */
  readonly wait_ms?: number | undefined;
}

type Failure = Pick<CitewireError, 'code' | 'message' | 'retryable'> & {
  readonly retry_after_ms?: number | undefined;
  readonly issues?: CitewireError['issues'] | undefined;
};

const titles: { readonly [code: string]: string } = {
  validation_error: 'Invalid request',
  idempotency_mismatch: 'Invalid request',
  payload_too_large: 'The request is too large',
  unauthorized: 'You are signed out',
  forbidden: 'Not allowed for this account',
  not_found: 'Not found in this account',
  gone: 'This search has expired',
  rate_limited: 'Rate limit reached',
  too_many_searches: 'Too many searches at the same time',
  overloaded: 'The server is at capacity',
  server_shutdown: 'The server is restarting',
  connection_failed: 'Could not reach the server',
  deadline_exceeded: 'The search timed out',
  upstream_error: 'A service that the server depends on failed',
  lost: 'The search was interrupted',
  internal: 'Internal server error',
};

export function describeFailure(failure: Failure): FailureText {
  const { code, message, retryable, retry_after_ms, issues = [] } = failure;
  const text = issues.length > 0 ? issues.map(describeIssue).join('\n') : message;
  const title = titles[code] ?? 'Something went wrong';
  return { title, text, canRetry: retryable || code === 'connection_failed', wait_ms: retry_after_ms };
}

const noAnswer = 'The sources do not answer this question. Try rephrasing the question, other sources or more effort.';

/** For a search that ended without an answer; otherwise undefined. */
export function describeEnding(search: SearchState): FailureText | undefined {
  if (search.error !== undefined) return describeFailure(search.error);
  if (search.state === 'cancelled') {
    return { title: 'Stopped', text: 'Everything found so far is shown above.', canRetry: false };
  }
  if (search.status === 'not_found') {
    const { message = noAnswer } = search.mode === 'text' ? (search.result as TextResult) : {};
    const title = search.usage?.searches === 0 ? 'Nothing to look up' : 'No answer found';
    return { title, text: message, canRetry: false };
  }
  return undefined;
}

/** Why a search is paused, shown while the client retries. */
export function describePause(why: CitewireError): string {
  if (why.code === 'rate_limited') return 'Rate limit reached; the search will continue automatically';
  if (why.code === 'too_many_searches' || why.code === 'overloaded') return 'Waiting for capacity';
  if (why.code === 'server_shutdown') return 'The server is restarting; the search will continue automatically';
  return 'Connection lost; reconnecting';
}

const fieldNames: { readonly [field: string]: string } = {
  prompt: 'Question',
  image: 'Image',
  source_whitelist: 'Allowed sources',
  source_blacklist: 'Excluded sources',
  output_format: 'Answer format',
  effort: 'Effort',
  model: 'Model',
  from: 'Published from',
  to: 'Published to',
  previous_search_id: 'Previous question',
};

function describeIssue({ loc, msg }: CitewireError['issues'][number]): string {
  const [, field, ...rest] = loc;
  const place = rest.length === 0 ? '' : ` (${rest.join(' › ')})`;
  return field === undefined ? msg : `${fieldNames[String(field)] ?? field}${place}: ${msg}`;
}
