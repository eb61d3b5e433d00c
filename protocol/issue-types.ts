/**
 * The values of `ValidationError.type`, stable names for programs; pydantic's where it has one. The compiler refuses any
 * other. An issue that stands for a whole error other than `validation_error` has the code of that error.
 */
import { type ErrorCode, errorTable } from './errors.ts';

export const issueTypes = [
  'missing',
  'extra_forbidden',
  'string_type',
  'int_type',
  'float_type',
  'bool_type',
  'list_type',
  'dict_type',
  'int_parsing',
  'finite_number',
  'literal_error',
  'enum',
  'string_too_short',
  'string_too_long',
  'too_short',
  'too_long',
  'too_deep',
  'list_of_one',
  'greater_than',
  'greater_than_equal',
  'less_than',
  'less_than_equal',
  'multiple_of',
  'url_parsing',
  'date_parsing',
  'datetime_parsing',
  'string_pattern_mismatch',
  'mutually_exclusive',
  'json_invalid',
  'example_failed',
  'value_error',
] as const;

export type IssueType = (typeof issueTypes)[number];

/** Whether a value is the type of an issue, or the code of an error. */
export function isIssueType(value: unknown): value is IssueType | ErrorCode {
  return (
    (issueTypes as readonly unknown[]).includes(value) ||
    (typeof value === 'string' && Object.hasOwn(errorTable, value))
  );
}
