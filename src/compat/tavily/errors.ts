/** Errors as Tavily's clients read them. */
import { statusAt, type TavilyError } from '../../../protocol/index.ts';
import type { AppError } from '../../base/errors.ts';
import { errorText } from '../error-text.ts';

/** The status and the body of an error. */
export function tavilyError(error: AppError): { readonly status: number; readonly body: TavilyError } {
  return { status: statusAt('tavily', error.code), body: { detail: { error: errorText(error) } } };
}
