/** POST /v1/search as plain JSON: waits for the run's terminal event and answers with it, unless the client leaves before. */
import type { TerminalEvent } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Run } from '../../runs/run.ts';
import type { Exchange, Headers } from '../exchange.ts';
import { replyError, replyJson } from './reply.ts';

export async function answerAsJson(exchange: Exchange, run: Run, headers: Headers): Promise<void> {
  const terminal = await Promise.race([run.done, leaving(exchange.signal)]);
  if (terminal === undefined) return;
  const all = { ...headers, 'x-search-id': run.search_id };
  if (terminal.type === 'search.completed') replyJson(exchange, 200, terminal.result, all);
  else replyError(exchange, failure(terminal), all);
}

/** A run of another process, once nobody reads it here, has no end that is heard of here. */
function leaving(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    if (signal.aborted) resolve(undefined);
  });
}

function failure(terminal: Exclude<TerminalEvent, { type: 'search.completed' }>): AppError {
  if (terminal.type === 'search.cancelled') {
    return new AppError('upstream_error', `The search was cancelled (by ${terminal.by}) before it had an answer.`);
  }
  const { code, message, retry_after_ms } = terminal.error;
  return new AppError(code, message, retry_after_ms === undefined ? {} : { retry_after_ms });
}
