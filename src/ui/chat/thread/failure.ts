/** What went wrong, in words for whoever asked: what it is, and what to do about it. */
import type { CitewireError, SearchState } from '../../../client/client.ts';

export interface FailureWords {
  readonly title: string;
  readonly text: string;
  /** Whether asking the same again may help. */
  readonly again: boolean;
  /** Milliseconds to wait before it does. */
  readonly wait_ms?: number | undefined;
}

type Failure = Pick<CitewireError, 'code' | 'message' | 'retryable'> & {
  readonly retry_after_ms?: number | undefined;
  readonly issues?: CitewireError['issues'] | undefined;
};

const titles: { readonly [code: string]: string } = {
  validation_error: 'The question cannot be asked like this',
  idempotency_mismatch: 'The question cannot be asked like this',
  payload_too_large: 'That is too large',
  unauthorized: 'You are not signed in any more',
  forbidden: 'This account may not do that',
  not_found: 'There is no such search in this account',
  gone: 'This search is no longer kept',
  rate_limited: 'The limit of this key is reached',
  too_many_searches: 'Too many searches at once',
  overloaded: 'The server is busy',
  server_shutdown: 'The server is restarting',
  connection_failed: 'The server cannot be reached',
  deadline_exceeded: 'The search took too long',
  upstream_error: 'Something the server relies on failed',
  lost: 'The server lost this search',
  internal: 'The server made a mistake',
};

export function failureWords(failure: Failure): FailureWords {
  const { code, message, retryable, retry_after_ms, issues = [] } = failure;
  const text = issues.length > 0 ? issues.map(issueWords).join('\n') : message;
  const title = titles[code] ?? 'That did not work';
  return { title, text, again: retryable || code === 'connection_failed', wait_ms: retry_after_ms };
}

/** Of a search that ended without an answer; undefined while there is nothing to say. */
export function endingWords(search: SearchState): FailureWords | undefined {
  if (search.error !== undefined) return failureWords(search.error);
  if (search.state === 'cancelled') {
    return { title: 'Stopped', text: 'What was found until then stands above.', again: false };
  }
  if (search.status === 'not_found') {
    return {
      title: 'The sources do not say',
      text: 'Nothing that was found answers this. Try other words, other sources, or more effort.',
      again: false,
    };
  }
  return undefined;
}

/** What pauses a search, shown while the client tries again. */
export function pauseWords(why: CitewireError): string {
  if (why.code === 'rate_limited') return 'The limit of this key is reached; the search goes on by itself';
  if (why.code === 'too_many_searches' || why.code === 'overloaded') return 'Waiting for a free place';
  if (why.code === 'server_shutdown') return 'The server is restarting; the search goes on by itself';
  return 'The line was cut; reconnecting';
}

const fieldNames: { readonly [field: string]: string } = {
  prompt: 'Question',
  image: 'Picture',
  source_whitelist: 'Only these sources',
  source_blacklist: 'Never these sources',
  output_format: 'Format',
  effort: 'Effort',
  previous_search_id: 'Earlier question',
};

function issueWords({ loc, msg }: CitewireError['issues'][number]): string {
  const [, field, ...rest] = loc;
  const place = rest.length === 0 ? '' : ` (${rest.join(' › ')})`;
  return field === undefined ? msg : `${fieldNames[String(field)] ?? field}${place}: ${msg}`;
}
