/** Errors as Tavily's clients read them. */
import { statusAt, type TavilyError } from '../../../protocol/index.ts';
import type { AppError } from '../../base/errors.ts';

/** The status and the body of an error; of an invalid request, the first field that is wrong. */
export function tavilyError(error: AppError): { readonly status: number; readonly body: TavilyError } {
  const [issue] = error.details.issues ?? [];
  const message = issue === undefined ? error.message : `${issue.loc.join('.')}: ${issue.msg}`;
  return { status: statusAt('tavily', error.code), body: { detail: { error: message } } };
}
