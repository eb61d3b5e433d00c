/**
 * A part of a JSON Schema without references and choices: what it refers to, what `allOf` adds, and what the alternatives of `anyOf`
 * and `oneOf` have in common. Generators of schemas write one type in many ways: a union of constants is an enum, and a list of
 * alternatives beside a type only restricts it.
 */
import { invalid } from '../base/errors.ts';
import { isObject } from '../base/values/is-object.ts';
import { commonType, isScalar, type Schema, typeOf } from './schema-values.ts';

/** Deeper than any template may be, so that a schema which contains itself ends. */
export const maxDepth = 16;
/** Parts of choices that are read in one schema; set by hand: ten times the values of all enums. */
const maxParts = 10_000;

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

/** Throws a 400 at `loc` for a reference that leads nowhere, and for alternatives of several types. */
export function plainSchema(given: unknown, scope: Scope, loc: readonly string[], depth = 0): PlainSchema {
  scope.parts += 1;
  if (scope.parts > maxParts)
    throw invalid([...loc], `expected at most ${maxParts} parts in total; got more`, 'too_long');
  const found = resolve(given, scope.schema);
  if (found === undefined || depth > maxDepth) throw unresolved(loc);
  const { allOf, anyOf, oneOf, ...own } = found;
  const plain = (part: unknown) => plainSchema(part, scope, loc, depth + 1);
  const parts = Array.isArray(allOf) ? allOf.map(plain) : [];
  let schema = joined([...parts.map((part) => part.schema), own], loc);
  let mayBeNull = parts.some((part) => part.mayBeNull);
  for (const choices of [anyOf, oneOf]) {
    if (!Array.isArray(choices)) continue;
    const alternatives = choices.map(plain);
    schema = oneOfAll(
      schema,
      alternatives.map((each) => each.schema),
      loc,
    );
    mayBeNull ||= alternatives.some((each) => each.mayBeNull || isNull(each.schema));
  }
  return { schema, mayBeNull };
}

/** What a schema says together with its alternatives. */
function oneOfAll(own: Schema, alternatives: readonly Schema[], loc: readonly string[]): Schema {
  const remarks = alternatives.filter(isRemark);
  const others = alternatives.filter((each) => !isRemark(each) && !isNull(each));
  const [first, ...more] = others;
  if (first === undefined) return own;
  if (more.length === 0) {
    const { description } = remarks.find((each) => each.description !== undefined) ?? {};
    return joined([...(description === undefined ? [] : [{ description }]), first, own], loc);
  }
  const type = commonType(others.map(typeOf));
  const isLeaf = type !== undefined && type !== 'object' && type !== 'array';
  if (isLeaf && others.every((each) => valuesOf(each).length > 0)) return asEnum({ type, ...own }, others);
  // What alternatives add to a type is not enforced.
  if (isComplete(own)) return own;
  if (isLeaf) return { ...own, type };
  throw unsupported(loc, 'one type, or null');
}

/** The values of all alternatives, with what is said of each that has only one. */
function asEnum(own: Schema, alternatives: readonly Schema[]): Schema {
  const said = alternatives.flatMap((each) => {
    const [value, ...more] = valuesOf(each);
    const isSaid = more.length === 0 && typeof each.description === 'string' && each.description.trim() !== '';
    return isSaid ? [`${JSON.stringify(value)}: ${(each.description as string).trim()}`] : [];
  });
  const description = [...(typeof own.description === 'string' ? [own.description] : []), ...said].join('; ');
  const values = [...new Set(alternatives.flatMap(valuesOf))];
  return { ...own, enum: values, ...(description === '' ? {} : { description }) };
}

function valuesOf({ enum: listed, const: only }: Schema): (string | number | boolean)[] {
  return (Array.isArray(listed) ? listed : [only]).filter(isScalar);
}

/** All parts together; where two say the same, the later one counts. */
function joined(parts: readonly Schema[], loc: readonly string[]): Schema {
  const types = parts.map(typeOf).filter((type) => type !== undefined && type !== 'undefined');
  if (types.length > 1 && commonType(types) === undefined) throw unsupported(loc, 'one type, or null');
  const properties = parts.flatMap((part) => (isObject(part.properties) ? [part.properties] : []));
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
  return {
    ...Object.assign({}, ...parts),
    ...(properties.length === 0 ? {} : { properties: Object.assign({}, ...properties) }),
    ...(required.length === 0 ? {} : { required }),
  };
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

/** Follows references, a JSON Pointer each, which may be to further ones. What is said beside one comes before what it refers to. */
function resolve(given: unknown, root: Schema, hops = 0): Schema | undefined {
  if (!isObject(given) || hops > maxDepth) return undefined;
  if (typeof given.$ref !== 'string') return given;
  const { $ref, ...beside } = given;
  const names = given.$ref.split('/').slice(1).map(nameOf);
  const target = names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), root);
  const found = resolve(target, root, hops + 1);
  return found && { ...found, ...beside };
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
