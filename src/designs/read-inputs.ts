/** Validates the inputs of a run against their design. */

import * as z from 'zod';
import {
  type DesignInput,
  designLimits,
  type IssueType,
  type ValidationError,
  validationIssues,
} from '../../protocol/index.ts';
import { isRequired } from '../../protocol/is-required.ts';
import { isObject } from '../base/values/is-object.ts';

/** By name. An optional input without a value or default is absent. */
export type InputValues = ReadonlyMap<string, string | number | boolean>;

/** Either the values, or issues whose `loc` begins with `at`. */
export function readInputs(
  inputs: Readonly<Record<string, DesignInput>>,
  given: unknown,
  at: readonly (string | number)[],
): { values: InputValues; issues: readonly ValidationError[] } {
  const schema = z.strictObject(
    Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, ruleOf(input)])),
  );
  // No prototype, because an optional input may be called "constructor".
  const own = isObject(given) ? Object.assign(Object.create(null), given) : given;
  const parsed = schema.safeParse(own);
  if (!parsed.success) {
    const issues = validationIssues(parsed.error, 'body', given);
    return { values: new Map(), issues: issues.map((issue) => ({ ...issue, loc: [...at, ...issue.loc.slice(1)] })) };
  }
  const values = Object.entries(parsed.data).filter(([, value]) => value !== undefined);
  return { values: new Map(values as [string, string | number | boolean][]), issues: [] };
}

function ruleOf(input: DesignInput): z.ZodType {
  const rule = valueRuleOf(input);
  if (input.default !== undefined) return rule.default(input.default);
  return isRequired(input) ? rule : rule.optional();
}

function valueRuleOf(input: DesignInput): z.ZodType {
  if (input.type === 'boolean') return z.boolean();
  if (input.enum !== undefined) return z.literal(input.enum);
  if (input.type === 'string') {
    const { min = 0, max = designLimits.input_characters } = input;
    return z
      .string()
      .min(min)
      .max(max)
      .refine((text) => text.trim() !== '', {
        error: 'expected text; got an empty string',
        params: { type: 'string_too_short' satisfies IssueType },
      });
  }
  const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = input;
  return z.number().min(min).max(max);
}
