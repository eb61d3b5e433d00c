/** Why the signal of an exchange, or of a connection, fires. */
import { AppError } from '../base/errors.ts';

/** The reason, which no client sees: it has left. */
export function clientLeft(): AppError {
  return new AppError('internal', 'The client left before the answer.');
}
