/** What becomes of failures of Postgres. */
import { AppError } from '../../base/errors.ts';
import { CorpusError } from '../corpus-error.ts';

/** A failure as a CorpusError: `unavailable` if it may be tried again. */
export function explainPostgresFailure(error: unknown): CorpusError {
  if (error instanceof CorpusError) return error;
  if (error instanceof AppError) return new CorpusError('unavailable', error.message);
  return new CorpusError('internal', `The corpus failed: ${error instanceof Error ? error.message : String(error)}`);
}
