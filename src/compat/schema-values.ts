/** What a part of a JSON Schema says of its value: its type, and which values of this type it allows. */
import type { AllowedValues } from '../base/values/allowed-values.ts';
import { isTextFormat } from '../base/values/text-formats.ts';

export type Schema = Readonly<Record<string, unknown>>;

/**
 * Characters of a pattern, as many as can be compiled: those of zod for dates and times have about 290. A longer one is not
 * checked.
 */
const maxPattern = 500;

/** What a schema allows of the values of its type; undefined if all. A keyword with a value that it cannot have is left out. */
export function allowedBy(schema: Schema): AllowedValues | undefined {
  const { enum: listed, const: only, format, pattern } = schema;
  const values = (Array.isArray(listed) ? listed : only === undefined ? [] : [only]).filter(isScalar);
  const bounds = {
    min: schema.minimum,
    max: schema.maximum,
    above: schema.exclusiveMinimum,
    below: schema.exclusiveMaximum,
  };
  const type = typeOf(schema);
  const isText = type === 'string' && values.length === 0;
  const counts = {
    ...(isText ? { minLength: schema.minLength, maxLength: schema.maxLength } : {}),
    ...(type === 'array' ? { minItems: schema.minItems, maxItems: schema.maxItems } : {}),
  };
  const { multipleOf } = schema;
  const isFixed =
    (Array.isArray(listed) ? listed.length : values.length) === 1 && values.length === 1 && !allowsNull(schema);
  const allowed: AllowedValues = {
    ...(values.length === 0 ? {} : { values }),
    ...(isFixed ? { isFixed } : {}),
    ...(type === 'integer' ? { isWhole: true } : {}),
    ...Object.fromEntries(Object.entries(bounds).filter(([, bound]) => typeof bound === 'number')),
    ...(typeof multipleOf === 'number' && multipleOf > 0 ? { multipleOf } : {}),
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => Number.isInteger(count) && Number(count) >= 0)),
    ...(type === 'array' && schema.uniqueItems === true ? { isUnique: true } : {}),
    ...(isText && isTextFormat(format) ? { format } : {}),
    ...(isText && typeof pattern === 'string' && pattern.length <= maxPattern ? { pattern } : {}),
  };
  return Object.keys(allowed).length === 0 ? undefined : allowed;
}

/** The type besides null, an array of several; by its values, that of an enum without one. A whole number is a number, too. */
export function typeOf({ type, enum: values, const: value, properties }: Schema): unknown {
  if (Array.isArray(type)) {
    const types = type.filter((each) => each !== 'null');
    return commonType(types) ?? types;
  }
  if (type !== undefined) return type;
  if (properties !== undefined) return 'object';
  return typeof (Array.isArray(values) ? values.find((each) => each !== null) : value);
}

/** The one type of values that may have any of these; undefined if there is none. */
export function commonType(types: readonly unknown[]): unknown {
  const [only, ...others] = new Set(types);
  if (others.length === 0) return only;
  return types.every((type) => type === 'integer' || type === 'number') ? 'number' : undefined;
}

/** Whether the schema of a value says that it may be null; a choice or a list of required fields can say so, too. */
export function allowsNull({ type, nullable, enum: listed }: Schema): boolean {
  return (
    nullable === true ||
    (Array.isArray(type) && type.includes('null')) ||
    (Array.isArray(listed) && listed.includes(null))
  );
}

/** Whether a value can be that of a leaf. */
export function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
