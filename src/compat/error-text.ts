/** An error as one text, for clients that show nothing else of it. */
import type { AppError } from '../base/errors.ts';

/** Of an invalid request, the first field that is wrong and what is wrong with it. */
export function errorText({ message, details }: Pick<AppError, 'message' | 'details'>): string {
  const [issue] = details.issues ?? [];
  return issue === undefined ? message : `${issue.loc.join('.')}: ${issue.msg}`;
}
