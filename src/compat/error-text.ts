/** An error as clients of other protocols read it: by the names that fields have there, or as one text. */
import { AppError } from '../base/errors.ts';

/** What fields of a search are made from, by their names there: a field of the client's request, or a path such as `a.b`. */
export type FieldNames = Readonly<Record<string, string>>;

type Details = AppError['details'];

/** Issues that have the names of the client already. */
const withNames = new WeakSet<NonNullable<Details['issues']>>();

/** What is promised; an error of it names these fields, and not those that its door has elsewhere. */
export async function namedBy<Value>(fields: FieldNames, promised: Promise<Value>): Promise<Value> {
  try {
    return await promised;
  } catch (error) {
    if (!(error instanceof AppError) || error.details.issues === undefined) throw error;
    const issues = renamed(error.details.issues, fields);
    withNames.add(issues);
    const [first] = issues;
    // Some messages begin with the place of the first issue.
    const isPlaced = first !== undefined && error.message.endsWith(`: ${first.msg}`);
    const message = isPlaced ? `${first.loc.join('.')}: ${first.msg}` : error.message;
    throw new AppError(error.code, message, { ...error.details, issues, cause: error });
  }
}

/** What the searches are called that a client names, and what their ids begin with. */
export interface SearchNames {
  readonly what: string;
  readonly prefix: string;
}

/** The issues of an invalid request with the fields that the client gave. */
export function renamed(
  issues: NonNullable<Details['issues']>,
  fields: FieldNames,
  searches?: SearchNames,
): NonNullable<Details['issues']> {
  if (withNames.has(issues)) return issues;
  return issues.map(({ loc: [part, name, ...path], ...given }) => {
    const issue = { ...given, msg: inNames(given.msg, searches) };
    if (part === undefined || name === undefined) return { ...issue, loc: part === undefined ? [] : [part] };
    const names = Object.hasOwn(fields, name) ? fields[name]!.split('.') : [name];
    return { ...issue, loc: [part, ...names, ...path] };
  });
}

function inNames(msg: string, searches: SearchNames | undefined): string {
  if (searches === undefined) return msg;
  return msg.replace(
    'id of one of your searches; got "',
    `id of one of your ${searches.what}; got "${searches.prefix}`,
  );
}

/** The first invalid field of a request and what is wrong with it, for clients that show nothing else of an error. */
export function errorText(
  { message, details }: Pick<AppError, 'message' | 'details'>,
  fields: FieldNames,
  searches?: SearchNames,
): string {
  const [issue] = renamed(details.issues ?? [], fields, searches);
  return issue === undefined ? message : `${issue.loc.join('.')}: ${issue.msg}`;
}
