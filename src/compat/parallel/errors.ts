/** Errors as Parallel's clients read them. */
import { type ParallelError, statusAt } from '../../../protocol/index.ts';
import type { AppError } from '../../base/errors.ts';
import { errorText, type FieldNames, renamed, type SearchNames } from '../error-text.ts';

/** What fields of a search are made from, by their names there: errors of the search name these. */
const fields: FieldNames = {
  prompt: 'input',
  output_format: 'task_spec.output_schema',
  previous_search_id: 'previous_interaction_id',
  source_whitelist: 'source_policy.include_domains',
  source_blacklist: 'source_policy.exclude_domains',
  from: 'source_policy.after_date',
};

const taskRuns: SearchNames = { what: 'task runs', prefix: 'trun_' };

/** The status and the body of an error. */
export function parallelError(
  error: AppError,
  ref_id: string,
): { readonly status: number; readonly body: ParallelError } {
  return { status: statusAt('parallel', error.code), body: { type: 'error', error: errorOf(error, ref_id) } };
}

/** The error itself, as a task run has it, too. */
export function errorOf(error: AppError, ref_id: string): ParallelError['error'] {
  const { code, details } = error;
  const detail = {
    code,
    ...(details.issues === undefined ? {} : { issues: renamed(details.issues, fields, taskRuns) }),
  };
  return { ref_id, message: errorText(error, fields, taskRuns), detail };
}
