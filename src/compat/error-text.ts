/** An error as clients of other protocols read it: by the names that fields have there, or as one text. */
import type { AppError } from '../base/errors.ts';

/** What fields of a search are made from, by their names there: a field of the client's request, or a path such as `a.b`. */
export type FieldNames = Readonly<Record<string, string>>;

type Details = AppError['details'];

/** The issues of an invalid request with the fields that the client gave. */
export function renamed(issues: NonNullable<Details['issues']>, fields: FieldNames): NonNullable<Details['issues']> {
  return issues.map(({ loc: [part, name, ...path], ...issue }) => {
    if (part === undefined || name === undefined) return { ...issue, loc: part === undefined ? [] : [part] };
    const names = Object.hasOwn(fields, name) ? fields[name]!.split('.') : [name];
    return { ...issue, loc: [part, ...names, ...path] };
  });
}

/** The first invalid field of a request and what is wrong with it, for clients that show nothing else of an error. */
export function errorText({ message, details }: Pick<AppError, 'message' | 'details'>, fields: FieldNames): string {
  const [issue] = renamed(details.issues ?? [], fields);
  return issue === undefined ? message : `${issue.loc.join('.')}: ${issue.msg}`;
}
