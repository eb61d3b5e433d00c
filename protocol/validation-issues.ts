/**
 * Turns a zod error into the issues that the interface promises: `{loc, msg, type}`. `loc` is the exact place, `type`
 * one of a few stable names (pydantic's if it has one), and `msg` says what was expected and what was received. There
 * is one issue per place and at most twenty in total; they show at most 60 characters of a value and 200 of a key, and of
 * allowed values those that fit into 200.
 */
import type { z } from 'zod';
import type { ErrorCode, ValidationError } from './errors.ts';
import { type IssueType, isIssueType } from './issue-types.ts';
import { preview } from './preview.ts';

/** Set by hand. */
export const issueLimits = { issues: 20, key_length: 200, alternatives_length: 200 } as const;

export type RequestPart = 'body' | 'path' | 'query' | 'header';

type Issue = z.core.$ZodIssue;
type Loc = ValidationError['loc'];

/** Returns the issues of `error`. `input` is the value that was parsed, which the error does not contain. */
export function validationIssues(error: z.ZodError, part: RequestPart, input: unknown): ValidationError[] {
  const found = new Map<string, ValidationError>();
  for (const issue of error.issues) {
    for (const { loc, msg, type } of described(issue, input, [])) {
      if (found.size === issueLimits.issues) return [...found.values()];
      const shown = [part, ...loc.map((key) => (typeof key === 'string' ? key.slice(0, issueLimits.key_length) : key))];
      const place = JSON.stringify(shown);
      // Of two issues of the same type in one place, the later one is narrower: "at most 200" after "within 2^53".
      if ((found.get(place)?.type ?? type) === type) found.set(place, { loc: shown, msg, type });
    }
  }
  return [...found.values()];
}

/**
 * Returns the path of the first field called `__proto__`, or undefined. Zod skips such fields in records, but nothing
 * that was sent may be ignored.
 */
export function protoField(input: unknown, above: Loc = []): Loc | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  if (Object.hasOwn(input, '__proto__')) return [...above, '__proto__'];
  for (const [key, value] of Object.entries(input)) {
    if (typeof value !== 'object' || value === null) continue;
    const found = protoField(value, [...above, Array.isArray(input) ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function described(issue: Issue, input: unknown, above: Loc): ValidationError[] {
  const loc: Loc = [...above, ...issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, issueLimits.issues).map((key) => {
      const msg = `expected no field of this name; got ${preview(valueAt(input, [...loc, key]).value)}`;
      return { loc: [...loc, key], msg, type: 'extra_forbidden' };
    });
  }
  if (issue.code === 'invalid_key') {
    const [about] = issue.issues;
    const what = about === undefined ? 'expected another name' : expected(about);
    return [{ loc, msg: withReceived(what, loc.at(-1)), type: typeOf(issue) }];
  }
  if (issue.code === 'invalid_union') return [ofUnion(issue, input, loc)];
  const { present, value } = valueAt(input, loc);
  if (!present && issue.code !== 'custom') return [{ loc, msg: `${expected(issue)}; got nothing`, type: 'missing' }];
  return [{ loc, msg: withReceived(expected(issue), value), type: typeOf(issue) }];
}

/**
 * Reports the best matching branch of a union: the one with the fewest issues among those that match the kind of value.
 */
function ofUnion(issue: Extract<Issue, { code: 'invalid_union' }>, input: unknown, loc: Loc): ValidationError {
  const { present, value } = valueAt(input, loc);
  const kindFits = (branch: Issue[]) =>
    !branch.some((fault) => fault.code === 'invalid_type' && fault.path.length === 0);
  const fitting = issue.errors.filter(kindFits);
  const [best] = (fitting.length > 0 ? fitting : issue.errors).toSorted((a, b) => a.length - b.length);
  const inner = best?.[0] === undefined ? undefined : described(best[0], input, loc)[0];
  const type = present ? (inner?.type ?? 'value_error') : 'missing';
  if (!ownMessage(issue) && inner !== undefined) return { ...inner, type };
  return { loc, msg: withReceived(expected(issue), value, present), type };
}

const kinds: Record<string, { name: string; type: IssueType }> = {
  string: { name: 'a string', type: 'string_type' },
  number: { name: 'a number', type: 'float_type' },
  int: { name: 'a whole number', type: 'int_type' },
  boolean: { name: 'true or false', type: 'bool_type' },
  array: { name: 'a list', type: 'list_type' },
  object: { name: 'an object', type: 'dict_type' },
  record: { name: 'an object', type: 'dict_type' },
};

/** The kind named by a schema's own message: zod expects a "number" even where the schema accepts only integers. */
function kindInWords({ message }: Issue): { type: IssueType } | undefined {
  return Object.values(kinds).find(({ name }) => message === `expected ${name}`);
}

function typeOf(issue: Issue): IssueType | ErrorCode {
  switch (issue.code) {
    case 'invalid_type': {
      const inWords = kindInWords(issue);
      if (inWords !== undefined) return inWords.type;
      if ('received' in issue && issue.received === 'Infinity') return 'finite_number';
      return kinds[issue.expected]?.type ?? 'value_error';
    }
    case 'invalid_value':
      return issue.values.length === 1 ? 'literal_error' : 'enum';
    case 'too_small':
      if (issue.origin === 'string') return 'string_too_short';
      if (issue.origin === 'array') return 'too_short';
      return issue.inclusive ? 'greater_than_equal' : 'greater_than';
    case 'too_big':
      if (issue.origin === 'string') return 'string_too_long';
      if (issue.origin === 'array') return 'too_long';
      return issue.inclusive ? 'less_than_equal' : 'less_than';
    case 'not_multiple_of':
      return 'multiple_of';
    case 'invalid_format':
      return formats[issue.format]?.type ?? 'value_error';
    case 'custom':
      return isIssueType(issue.params?.type) ? issue.params.type : 'value_error';
    default:
      return 'value_error';
  }
}

const formats: Record<string, { readonly name?: string; readonly type: IssueType }> = {
  url: { name: 'a URL', type: 'url_parsing' },
  regex: { type: 'string_pattern_mismatch' },
  date: { name: 'a date, such as 2026-01-31', type: 'date_parsing' },
  datetime: { name: 'an ISO 8601 date-time, such as 2026-01-31T12:00:00Z', type: 'datetime_parsing' },
};

/** "expected …": the schema's own message if it has one, otherwise derived from the broken rule. */
function expected(issue: Issue): string {
  if (ownMessage(issue)) return issue.message.slice(0, 300);
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${kinds[issue.expected]?.name ?? issue.expected}`;
    case 'invalid_value':
      return `expected ${alternatives(issue.values)}`;
    case 'too_small':
      return `expected ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `expected ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return `expected ${formats[issue.format]?.name ?? `text of the form "${issue.format}"`}`;
    default:
      return 'expected a different value';
  }
}

/** `a`, `a or b`, `a, b or c`; of a long list the first few, and how many there are. */
function alternatives(values: readonly unknown[]): string {
  const names: string[] = [];
  let length = 0;
  for (const value of values) {
    const name = preview(value);
    length += name.length + 2;
    if (length > issueLimits.alternatives_length) return `${names.join(', ')} or another of ${values.length} values`;
    names.push(name);
  }
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function ownMessage(issue: Issue): boolean {
  return issue.message.startsWith('expected ');
}

function unit(origin: string, count: number | bigint): string {
  if (origin === 'string') return count === 1 ? ' character' : ' characters';
  if (origin === 'array') return count === 1 ? ' entry' : ' entries';
  return '';
}

function withReceived(what: string, value: unknown, present = true): string {
  if (what.includes('; got ')) return what;
  if (typeof value === 'string' && value.length > 60)
    return `${what}; got ${preview(value)} (${value.length} characters)`;
  if (Array.isArray(value) && value.length > 20) return `${what}; got a list of ${value.length}`;
  return `${what}; got ${present ? preview(value) : 'nothing'}`;
}

/** The value at `loc`, following own keys only; `present` is false if there is none. */
function valueAt(input: unknown, loc: Loc): { present: boolean; value: unknown } {
  let value = input;
  for (const key of loc) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      return { present: false, value: undefined };
    }
    value = (value as Record<string | number, unknown>)[key];
  }
  return { present: true, value };
}
