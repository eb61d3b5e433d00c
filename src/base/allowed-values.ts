/** Which values a field of a structured answer may have, where the application that asks says more than its type. */

/** A value may be anything of its type that nothing here excludes. */
export interface AllowedValues {
  /** All that it may be. */
  readonly values?: readonly (string | number | boolean)[];
  /** Whether it has to be a whole number. */
  readonly isWhole?: boolean;
  /** The smallest and the largest number that it may be. */
  readonly min?: number;
  readonly max?: number;
  /** Numbers that it has to be above or below. */
  readonly above?: number;
  readonly below?: number;
}

/** Allowed values by the path of the field: a JSON Pointer, with `-` for an element of an array. */
export type AllowedByPath = Readonly<Record<string, AllowedValues>>;

/**
 * The value as it is allowed, undefined if it is not. A text that differs from one of `values` only in case, spaces or punctuation
 * becomes that one: "In stock" is "in_stock". Numbers are not rounded.
 */
export function allowedValue<Value extends string | number | boolean>(
  value: Value,
  allowed: AllowedValues | undefined,
): Value | undefined {
  if (allowed === undefined) return value;
  const { values } = allowed;
  if (typeof value === 'number' && !isInRange(value, allowed)) return undefined;
  if (values === undefined || values.includes(value)) return value;
  if (typeof value !== 'string') return undefined;
  const alike = values.filter((each) => typeof each === 'string' && folded(each) === folded(value));
  return alike.length === 1 ? (alike[0] as Value) : undefined;
}

/** What is allowed, in words: `one of "red", "blue"; a whole number`. Empty if everything is. */
export function describeAllowed({ values, isWhole, min, max, above, below }: AllowedValues): string {
  const said = [
    ...(values === undefined ? [] : [`one of ${JSON.stringify(values).slice(1, -1)}`]),
    ...(isWhole === true ? ['a whole number'] : []),
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
    ...(above === undefined ? [] : [`above ${above}`]),
    ...(below === undefined ? [] : [`below ${below}`]),
  ];
  return said.join('; ');
}

function isInRange(value: number, { isWhole, min = -Infinity, max = Infinity, above, below }: AllowedValues): boolean {
  if (isWhole === true && !Number.isInteger(value)) return false;
  return (
    value >= min && value <= max && !(above !== undefined && value <= above) && !(below !== undefined && value >= below)
  );
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
}
