/**
 * A part of a JSON Schema without references and choices: what it refers to, what `allOf` adds, and what the alternatives of `anyOf`
 * and `oneOf` have in common. Generators of schemas write one type in many ways: a union of constants is an enum, and a list of
 * alternatives beside a type only restricts it.
 */
import { invalid } from '../base/errors.ts';
import { isObject } from '../base/values/is-object.ts';
import { allowsNull, commonType, isScalar, type Schema, typeOf } from './schema-values.ts';

/** Deeper than any template may be, so that a schema which contains itself ends. */
export const maxDepth = 16;
/** Parts that are read in one schema, with their values and fields; set by hand: ten times the values of all enums. */
const maxParts = 10_000;

/** Characters of one description that are shown; set by hand. */
const maxNote = 400;

/** A description as it is shown. */
export function shortNote(description: string): string {
  return description.trim().slice(0, maxNote);
}

/** The schema that references are looked up in, and how much of it was read. */
export interface Scope {
  readonly schema: Schema;
  parts: number;
}

export interface PlainSchema {
  readonly schema: Schema;
  /** Whether one of its alternatives is null. */
  readonly mayBeNull: boolean;
}

/** Throws a 400 at `loc` for a reference that leads nowhere, alternatives of several types, and parts that allow no common value. */
export function plainSchema(given: unknown, scope: Scope, loc: readonly string[], depth = 0): PlainSchema {
  count(1, scope, loc);
  const found = given === true ? {} : given;
  if (!isObject(found) || depth > maxDepth) throw unresolved(loc);
  const { $ref, allOf, anyOf, oneOf, ...own } = found;
  for (const list of [own.type, own.enum]) if (Array.isArray(list)) count(list.length, scope, loc);
  const plain = (part: unknown) => plainSchema(part, scope, loc, depth + 1);
  const parts = [
    ...(typeof $ref === 'string' ? [targetOf($ref, scope.schema)] : []),
    ...(Array.isArray(allOf) ? allOf : []),
  ].map(plain);
  let schema = joined([...parts.map((part) => part.schema), own], scope, loc);
  let mayBeNull = allowsNull(own) || parts.some((part) => part.mayBeNull);
  for (const choices of [anyOf, oneOf]) {
    if (!Array.isArray(choices)) continue;
    const alternatives = choices.map(plain);
    schema = oneOfAll(
      schema,
      alternatives.map((each) => each.schema),
      scope,
      loc,
    );
    mayBeNull ||= alternatives.some((each) => each.mayBeNull || isNull(each.schema));
  }
  return { schema, mayBeNull };
}

function count(parts: number, scope: Scope, loc: readonly string[]): void {
  scope.parts += parts;
  if (scope.parts > maxParts)
    throw invalid([...loc], `expected at most ${maxParts} parts in total; got more`, 'too_long');
}

/** What a schema says together with its alternatives. */
function oneOfAll(own: Schema, alternatives: readonly Schema[], scope: Scope, loc: readonly string[]): Schema {
  const remarks = alternatives.filter(isRemark);
  const others = alternatives.filter((each) => !isRemark(each) && !isNull(each));
  const [first, ...more] = others;
  if (first === undefined) return own;
  const type = commonType(others.map(typeOf));
  const isLeaf = type !== undefined && type !== 'object' && type !== 'array';
  // A remark beside it is an alternative of any type, so that the values of a leaf are not all that is allowed.
  if (more.length === 0 && !(isLeaf && remarks.length > 0)) {
    const { description } = remarks.find((each) => each.description !== undefined) ?? {};
    return joined([...(description === undefined ? [] : [{ description }]), first, own], scope, loc);
  }
  if (isLeaf && remarks.length === 0 && others.every((each) => valuesOf(each).length > 0))
    return joined([asEnum(type, others, scope, loc), own], scope, loc);
  // What alternatives add to a type is not enforced.
  if (isComplete(own)) return own;
  if (isLeaf) return { ...own, type };
  throw unsupported(loc, 'one type, or null');
}

/** The values of all alternatives, with what is said of each that has only one. */
function asEnum(type: unknown, alternatives: readonly Schema[], scope: Scope, loc: readonly string[]): Schema {
  const said = alternatives.flatMap((each) => {
    const [value, ...more] = valuesOf(each);
    const said = typeof each.description === 'string' ? shortNote(each.description) : '';
    return more.length === 0 && said !== '' ? [`${JSON.stringify(value)}: ${said}`] : [];
  });
  const values = new Set<unknown>();
  for (const each of alternatives) {
    const listed = valuesOf(each);
    count(listed.length, scope, loc);
    for (const value of listed) values.add(value);
  }
  return { type, enum: [...values], ...(said.length === 0 ? {} : { description: said.join('; ') }) };
}

function valuesOf({ enum: listed, const: only }: Schema): (string | number | boolean)[] {
  return (Array.isArray(listed) ? listed : [only]).filter(isScalar);
}

/**
 * What a value is that all parts allow: the values that all have in common, the stricter bounds, the fields of all. Of two formats or
 * patterns the later one counts. What a later part says comes first.
 */
function joined(parts: readonly Schema[], scope: Scope, loc: readonly string[]): Schema {
  const [only, ...more] = parts;
  if (more.length === 0 && (only!.enum === undefined || only!.const === undefined)) return only!;
  const types = parts.map(typeOf).filter((type) => type !== undefined && type !== 'undefined');
  if (types.length > 1 && commonType(types) === undefined) throw unsupported(loc, 'one type, or null');
  const { enum: _, const: __, ...all } = Object.assign({}, ...parts) as Record<string, unknown>;
  const properties = parts.flatMap((part) => (isObject(part.properties) ? [part.properties] : []));
  const items = new Set(parts.flatMap((part) => (part.items === undefined ? [] : [part.items])));
  const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? [part.required] : [])));
  const said = parts.map(({ description }) => (typeof description === 'string' ? shortNote(description) : ''));
  const descriptions = new Set(said.reverse().filter((each) => each !== ''));
  return {
    ...all,
    ...(types.length === 0 ? {} : { type: types.includes('integer') ? 'integer' : types[0] }),
    ...(properties.length === 0 ? {} : { properties: joinedFields(properties, scope, loc) }),
    ...(items.size < 2 ? {} : { items: { allOf: [...items] } }),
    ...(required.size === 0 ? {} : { required: joinedLists([...required], scope, loc) }),
    ...commonValues(parts, scope, loc),
    ...boundsOf(parts),
    ...(parts.some((part) => part.uniqueItems === true) ? { uniqueItems: true } : {}),
    ...(descriptions.size === 0 ? {} : { description: [...descriptions].join('; ') }),
  };
}

/** The fields of all parts. One that several have is all that they say of it. */
function joinedFields(
  lists: readonly Readonly<Record<string, unknown>>[],
  scope: Scope,
  loc: readonly string[],
): Readonly<Record<string, unknown>> {
  const [only, ...more] = new Set(lists);
  if (more.length === 0) return only!;
  const fields = new Map<string, Set<unknown>>();
  for (const [name, field] of [only!, ...more].flatMap((list) => Object.entries(list))) {
    count(1, scope, loc);
    fields.set(name, (fields.get(name) ?? new Set()).add(field));
  }
  return Object.fromEntries(
    [...fields].map(([name, all]) => {
      const [field, ...others] = all;
      return [name, others.length === 0 ? field : { allOf: [field, ...others] }];
    }),
  );
}

function joinedLists(lists: readonly (readonly unknown[])[], scope: Scope, loc: readonly string[]): unknown[] {
  const [only, ...more] = lists;
  if (more.length === 0) return [...only!];
  for (const list of lists) count(list.length, scope, loc);
  return [...new Set(lists.flat())];
}

/** The values that every part which lists some allows; nothing if none does. */
function commonValues(parts: readonly Schema[], scope: Scope, loc: readonly string[]): Schema {
  const lists = parts.flatMap(({ enum: listed, const: only }): unknown[][] => [
    ...(Array.isArray(listed) ? [listed] : []),
    ...(only === undefined ? [] : [[only]]),
  ]);
  const [first, ...others] = new Set(lists);
  if (first === undefined) return {};
  if (others.length === 0) return { enum: first };
  for (const list of others) count(list.length, scope, loc);
  const sets = others.map((list) => new Set(list));
  const values = first.filter((value) => sets.every((set) => set.has(value)));
  if (values.some(isScalar)) return { enum: values };
  throw invalid([...loc], 'expected parts of which all allow a common value; got parts that have none', 'value_error');
}

/** Which of two numbers is the stricter one. Of two factors it is the larger: one that both divide is rarely meant. */
const stricter = {
  minimum: Math.max,
  maximum: Math.min,
  exclusiveMinimum: Math.max,
  exclusiveMaximum: Math.min,
  multipleOf: Math.max,
  minLength: Math.max,
  maxLength: Math.min,
  minItems: Math.max,
  maxItems: Math.min,
} as const;

function boundsOf(parts: readonly Schema[]): Schema {
  const bounds = Object.entries(stricter).map(([name, strictest]) => {
    const numbers = parts.map((part) => part[name]).filter((each) => typeof each === 'number');
    return [name, numbers.length === 0 ? undefined : numbers.reduce((a, b) => strictest(a, b))] as const;
  });
  return Object.fromEntries(bounds.filter(([, bound]) => bound !== undefined));
}

/** Whether a schema says alone what a value is. */
function isComplete(schema: Schema): boolean {
  const type = typeOf(schema);
  if (type === 'object') return isObject(schema.properties);
  if (type === 'array') return isObject(schema.items);
  return typeof type === 'string' && type !== 'undefined';
}

/** Whether a schema only says something about the one beside it: a description, a default, fields that have to be there. */
function isRemark(schema: Schema): boolean {
  return ['type', 'properties', 'items', 'enum', 'const'].every((name) => schema[name] === undefined);
}

function isNull({ type, enum: listed, const: only }: Schema): boolean {
  return type === 'null' || only === null || (Array.isArray(listed) && listed.every((each) => each === null));
}

/** What a reference, a JSON Pointer, leads to; undefined if nothing. */
function targetOf(ref: string, root: Schema): unknown {
  const names = ref.split('/').slice(1).map(nameOf);
  return names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), root);
}

/** A part of a JSON Pointer in a URL: RFC 6901, sections 3 and 6. */
function nameOf(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

/** The 400 of what cannot be resolved. */
export function unresolved(loc: readonly string[]) {
  return unsupported(loc, 'a schema that can be resolved');
}

/** The 400 of a part that no template can express. */
export function unsupported(loc: readonly string[], expected: string) {
  return invalid([...loc], `expected ${expected}: templates can express nothing else`, 'value_error');
}
