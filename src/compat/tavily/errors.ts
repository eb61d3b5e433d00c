/** Errors as Tavily's clients read them. */
import { statusAt, type TavilyError } from '../../../protocol/index.ts';
import type { AppError } from '../../base/errors.ts';
import { errorText, type FieldNames } from '../error-text.ts';

/** What fields of a search are made from, by their names there. */
const fields: FieldNames = {
  output_format: 'output_schema',
  source_whitelist: 'include_domains',
  source_blacklist: 'exclude_domains',
  from: 'start_date',
  to: 'end_date',
};

/** The status and the body of an error. */
export function tavilyError(error: AppError): { readonly status: number; readonly body: TavilyError } {
  return { status: statusAt('tavily', error.code), body: { detail: { error: errorText(error, fields) } } };
}
