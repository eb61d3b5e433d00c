/** Failures in plain words: what went wrong, and what to do about it. */
import type { CitewireError, SearchState, TextResult } from '../../../../client/client.ts';
import { type Explanation, explain } from '../../../language/describe-error.ts';
import { fill } from '../../../language/message.ts';
import { describeIssue } from '../../../language/server-text.ts';
import { t } from '../../../language/text.ts';
import { describeRefusal } from './refusal-text.ts';

export interface FailureText extends Explanation {
  /** Whether asking again may help. */
  readonly canRetry: boolean;
  /** Minimum wait before that, in milliseconds. */
  readonly wait_ms?: number | undefined;
  /** The label of the button that asks again. */
  readonly retryLabel?: string | undefined;
}

type Failure = Pick<CitewireError, 'code' | 'message' | 'retryable'> & {
  readonly retry_after_ms?: number | undefined;
  readonly issues?: CitewireError['issues'] | undefined;
};

const stopped: FailureText = { title: t.ending.stopped, text: t.ending.stoppedText, canRetry: false };
/** Why, where nobody asked for it. */
const causes: { readonly [by: string]: string } = { admin: t.ending.byServer, deadline: t.ending.byDeadline };

/** The form to sign in is elsewhere on the page. */
export const signedOut: FailureText = { title: t.failures.unauthorized, text: '', canRetry: false };
/** Its thread names it, and the server does not have it. */
export const lost: FailureText = { title: t.ending.lost, text: '', canRetry: true };
const deletedThread: FailureText = {
  title: t.thread.deletedTitle,
  text: t.thread.deletedText,
  canRetry: true,
  retryLabel: t.thread.askInNew,
};
/** Nothing was found. */
const neverBegun: FailureText = { ...stopped, text: '' };

/** Of a search that was stopped here, before the server confirms it. */
export function describeStop(search: SearchState): FailureText {
  return search.search_id === undefined ? neverBegun : stopped;
}

/** The question cannot be part of its thread: what it follows up, or the thread, was deleted meanwhile, or the thread is full. */
export function needsNewThread({ code, issues = [] }: Failure): boolean {
  return (
    code === 'validation_error' &&
    issues.some(({ loc }) => ['previous_search_id', 'thread'].includes(String(loc.at(-1))))
  );
}

export function describeFailure(failure: Failure): FailureText {
  if (needsNewThread(failure)) {
    const isFull = failure.issues?.some(({ msg }) => /thread with fewer/.test(msg)) === true;
    return isFull ? { ...deletedThread, ...explain(failure, describePlaced) } : deletedThread;
  }
  const { code, retryable, retry_after_ms } = failure;
  // It was stopped before it began: one that had begun ends with an event.
  if (code === 'cancelled') return neverBegun;
  const canRetry = retryable || code === 'connection_failed';
  return { ...explain(failure, describePlaced), canRetry, wait_ms: retry_after_ms };
}

/**
 * For a search that ended without an answer; otherwise undefined. `failure` is why it could not be read further, if the search has no
 * error of its own.
 */
export function describeEnding(search: SearchState, failure?: Failure): FailureText | undefined {
  if (search.error !== undefined) return describeFailure(search.error);
  if (search.state === 'cancelled') return describeCancelled(search);
  if (search.status === 'not_found') {
    const isNothing = search.usage?.searches === 0;
    const title = isNothing ? t.ending.nothing : t.ending.noAnswerTitle;
    const said = search.mode === 'text' ? describeRefusal((search.result as TextResult).message) : undefined;
    return { title, text: said ?? (isNothing ? t.ending.nothingText : t.ending.noAnswer), canRetry: false };
  }
  if (failure === undefined) return undefined;
  // It had begun, and the server never said that it stopped.
  const isUnconfirmed = failure.code === 'cancelled' && search.search_id !== undefined;
  return isUnconfirmed ? { ...stopped, text: t.ending.unconfirmed } : describeFailure(failure);
}

function describeCancelled({ cancelled_by, blocks, output, sources }: SearchState): FailureText {
  const cause = cancelled_by && causes[cancelled_by];
  const isNothing = blocks.length === 0 && Object.keys(output).length === 0 && sources.length === 0;
  const texts = [...(cause === undefined ? [] : [cause]), ...(isNothing ? [] : [stopped.text])];
  return { ...stopped, text: texts.join('\n'), canRetry: cause !== undefined };
}

/** What a reader of an answer should know of it; otherwise undefined. */
export function describeCaveat({ status, citations }: SearchState): string | undefined {
  const cited = new Set(citations.map(({ source_id }) => source_id)).size;
  if (status === 'conflicting' && cited > 1) return t.ending.disagree;
  return status === 'partial' ? t.ending.partial : undefined;
}

/** Why a search is paused, shown while the client retries. */
export function describePause(why: CitewireError): string {
  if (why.code === 'rate_limited') return t.pause.limited;
  if (why.code === 'too_many_searches' || why.code === 'overloaded') return t.pause.capacity;
  if (why.code === 'server_shutdown') return t.pause.restarting;
  return t.pause.connection;
}

const fieldNames: { readonly [field: string]: string } = t.fields;

function describePlaced({ loc, msg }: CitewireError['issues'][number]): string {
  // Of a frame, the request is in a field of its own.
  const [field, ...rest] = loc.slice(loc[1] === 'request' ? 2 : 1);
  const place = rest.length === 0 ? '' : ` (${rest.join(' › ')})`;
  const detail = describeIssue(msg);
  return field === undefined
    ? detail
    : fill(t.failures.detail, { title: `${fieldNames[String(field)] ?? field}${place}`, detail });
}
