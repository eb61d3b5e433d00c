/** A search as plain JSON: waits for the run's terminal event and answers with it, unless the client leaves before. */
import type { CompletedEvent, TerminalEvent } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Run } from '../../runs/run.ts';
import { notStored } from '../../runs/start-run.ts';
import { inLaterTick } from '../tick-queue.ts';
import type { Context } from './context.ts';

/**
 * Answers 200 with the result, as `show` makes it or promises to, or with the status of the error that the search ended with; 502
 * for a cancelled one, and 503 if the server cancelled it.
 */
export async function answerWithResult(
  ctx: Context,
  run: Run,
  show: (completed: CompletedEvent) => unknown = ({ result }) => result,
): Promise<void> {
  const terminal = await Promise.race([run.done, aborted(ctx.signal)]);
  if (terminal === undefined) return;
  if (isUnstored(run)) ctx.header('x-search-stored', 'no');
  // Many may wait for one search.
  await inLaterTick(() => {
    if (terminal.type !== 'search.completed') {
      const error = errorOf(terminal);
      // Nothing runs any more that another search would repeat.
      if (error.code === 'server_shutdown' || error.code === 'lost') ctx.header('x-should-retry', 'true');
      return ctx.error(error);
    }
    const body = show(terminal);
    return body instanceof Promise ? body.then((whole) => ctx.json(200, whole)) : ctx.json(200, body);
  });
}

/** The warning that a search is not stored comes directly before its terminal event. */
function isUnstored({ log }: Run): boolean {
  const before = log.entry(log.head() - 1)?.event;
  return before?.type === 'warning' && before.code === notStored;
}

/** Needed because the end of another process's run is not noticed here once nobody reads the run here. */
function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    if (signal.aborted) resolve(undefined);
  });
}

/** The error of a search that ended without an answer. The server cancels searches only when it shuts down. */
export function errorOf(terminal: Exclude<TerminalEvent, { type: 'search.completed' }>): AppError {
  if (terminal.type === 'search.cancelled') {
    if (terminal.by === 'admin') {
      const message = 'The server shut down before the search had an answer.';
      return new AppError('server_shutdown', message, { retry_after_ms: 1_000 });
    }
    return new AppError('upstream_error', `The search was cancelled (by ${terminal.by}) before it had an answer.`);
  }
  const { code, message, retry_after_ms } = terminal.error;
  return new AppError(code, message, retry_after_ms === undefined ? {} : { retry_after_ms });
}
