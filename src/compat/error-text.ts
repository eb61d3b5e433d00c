/** An error as one text, for clients that show nothing else of it. */
import type { AppError } from '../base/errors.ts';

/**
 * Of an invalid request, the first field that is wrong and what is wrong with it. `fields` has the names that fields of a search have
 * in the protocol of the client.
 */
export function errorText(
  { message, details }: Pick<AppError, 'message' | 'details'>,
  fields: Readonly<Record<string, string>> = {},
): string {
  const [issue] = details.issues ?? [];
  if (issue === undefined) return message;
  const [part, name, ...path] = issue.loc;
  const named = name === undefined ? [] : [fields[name] ?? name];
  return `${[part, ...named, ...path].join('.')}: ${issue.msg}`;
}
