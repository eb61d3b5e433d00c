/** The error of a store that is unreachable, full or too slow, which callers may retry: nothing is wrong with what they asked. */
import { AppError } from './errors.ts';

/** How soon callers should try again. Set by hand. */
const retryMs = 1_000;

/** An `overloaded` error. `message` is a sentence that callers see; `cause` is what the database reported. */
export function storeUnavailable(message: string, cause?: unknown): AppError {
  return new AppError('overloaded', message, { retry_after_ms: retryMs, cause });
}
