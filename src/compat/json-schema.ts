/**
 * A JSON Schema as a template, where a template can say the same: objects of strings, numbers, booleans, objects, and lists
 * of objects, strings or numbers. Any leaf may be null in the answer, whatever the schema says: what the sources do not say is not
 * made up.
 */
import { type OutputFormat, pointer, type TemplateNode, templateLimits } from '../../protocol/index.ts';
import { preview } from '../../protocol/preview.ts';
import { invalid } from '../base/errors.ts';
import { type AllowedByPath, type AllowedValues, describeAllowed } from '../base/values/allowed-values.ts';
import { isObject } from '../base/values/is-object.ts';
import { maxDepth, plainSchema, type Scope, shortNote, unresolved, unsupported } from './plain-schema.ts';
import { allowedBy, type Schema, typeOf } from './schema-values.ts';

/** Characters of all notes and of a pattern, and values of an enum that they show. Set by hand. */
const maxNotes = 6_000;
const maxShownPattern = 200;
const maxShown = 50;
/** Values of all enums, as in the strict mode of OpenAI, and their characters. Every page is searched for them. */
const maxValues = 1_000;
const maxValueText = 20_000;
/** More than any template may have: a schema of 1 KB whose parts refer to each other several times has billions of them. */
const maxNodes = templateLimits.leaves * templateLimits.depth;

interface Root extends Scope {
  nodes: number;
  values: number;
  valueText: number;
  /** What the schema says of its fields besides their types, a line each. */
  readonly notes: string[];
  readonly allowed: Map<string, AllowedValues>;
}

interface Place {
  /** Where a part of the schema is in the request. */
  readonly loc: readonly string[];
  /** The keys of the field that it is of, with "-" for an element of an array; none at the top. */
  readonly keys: readonly string[];
}

/** A schema as a search takes it. */
export interface Shape {
  readonly template: OutputFormat;
  /** What the schema says of its fields that a template cannot: their descriptions and values. For the model; empty if nothing. */
  readonly notes: string;
  /** The values that it allows, of the fields for which it says so. */
  readonly allowed: AllowedByPath;
}

/** A `json_object` says nothing about its fields, so it gets the one that every answer can fill. */
const anyObject: Shape = { template: { answer: 'string' }, notes: '', allowed: {} };

/**
 * The shape of the answer that a format asks for, undefined for text. `schema` is that of a `json_schema`, or of a `json_object`:
 * some clients send one with it. `at` says where in the body both are. Throws a 400 for another format, and one that names the
 * part which a template cannot express.
 */
export function readFormat(
  format: { readonly type: string } | null | undefined,
  schema: unknown,
  at: { readonly format: readonly string[]; readonly schema: readonly string[] },
): Shape | undefined {
  if (format == null || format.type === 'text') return undefined;
  if (format.type === 'json_object' && !isObject(schema)) return anyObject;
  if (format.type === 'json_schema' || format.type === 'json_object') return shapeOf(schema, ['body', ...at.schema]);
  const msg = `expected text, json_object or json_schema; got ${preview(format.type)}`;
  throw invalid(['body', ...at.format, 'type'], msg, 'value_error');
}

/** What the application says of the answer, and what its schema says of the fields; nothing if neither says anything. */
export function withInstructions(
  shape: Shape | undefined,
  ...texts: readonly (string | null | undefined)[]
): { readonly instructions?: string; readonly allowed?: AllowedByPath } {
  const said = [...texts, shape?.notes].filter((text) => text != null && text !== '').join('\n\n');
  return {
    ...(said === '' ? {} : { instructions: said }),
    ...(shape === undefined || Object.keys(shape.allowed).length === 0 ? {} : { allowed: shape.allowed }),
  };
}

function shapeOf(schema: unknown, loc: readonly string[]): Shape {
  const root: Root = {
    schema: isObject(schema) ? schema : {},
    parts: 0,
    nodes: 0,
    values: 0,
    valueText: 0,
    notes: [],
    allowed: new Map(),
  };
  if (Object.keys(root.schema).length === 0) {
    const got = schema == null ? 'none' : isObject(schema) ? 'an empty schema' : preview(schema);
    throw invalid([...loc], `expected a schema of an object whose properties are named; got ${got}`, 'value_error');
  }
  const node = nodeOf(root.schema, root, { loc, keys: [] }, 0);
  if (typeof node === 'string' || Array.isArray(node)) throw unsupported(loc, 'an object at the top');
  const notes = root.notes.length === 0 ? '' : `The fields of the answer:\n${root.notes.join('\n')}`;
  return { template: node, notes: notes.slice(0, maxNotes), allowed: Object.fromEntries(root.allowed) };
}

/** Notes what a schema says of a field: "- colour: of the cover; one of \"red\", \"blue\"", and which values it allows. */
function note(schema: Schema, root: Root, { keys, loc }: Place): void {
  const { notes, allowed } = root;
  const { description } = schema;
  const values = allowedBy(schema);
  const isList = typeOf(schema) === 'array';
  countValues(values?.values ?? [], root, loc);
  const said = [
    ...(typeof description === 'string' && description.trim() !== '' ? [shortNote(description)] : []),
    ...(values === undefined ? [] : [`${describeAllowed(shortened(values))}${isList ? '' : ', else null'}`]),
  ];
  if (keys.length === 0) return;
  if (said.length > 0) notes.push(`- ${keys.join('.').replaceAll('.-', '[]')}: ${said.join('; ')}`);
  const path = pointer(keys);
  if (values !== undefined) allowed.set(path, { ...allowed.get(path), ...values });
}

function countValues(values: readonly unknown[], root: Root, loc: Place['loc']): void {
  root.values += values.length;
  root.valueText += values.reduce<number>((sum, value) => sum + String(value).length, 0);
  const max = root.values > maxValues ? `${maxValues} values` : `${maxValueText} characters of values`;
  if (root.values > maxValues || root.valueText > maxValueText)
    throw invalid([...loc, 'enum'], `expected at most ${max} in total; got more`, 'too_long');
}

function shortened({ pattern, values, ...allowed }: AllowedValues): AllowedValues {
  return {
    ...allowed,
    ...(values === undefined ? {} : { values: values.slice(0, maxShown) }),
    ...(pattern === undefined || pattern.length > maxShownPattern ? {} : { pattern }),
  };
}

function nodeOf(given: unknown, root: Root, place: Place, depth: number): TemplateNode {
  const { loc, keys } = place;
  root.nodes += 1;
  if (root.nodes > maxNodes) {
    throw invalid([...loc], `expected at most ${templateLimits.leaves} fields in total; got more`, 'too_long');
  }
  if (depth > maxDepth) throw unresolved(loc);
  const { schema, mayBeNull } = plainSchema(given, root, loc);
  note(schema, root, place);
  const node = nodeOfPlain(schema, root, place, depth);
  if (mayBeNull) setFree(root, keys);
  return node;
}

function nodeOfPlain(schema: Schema, root: Root, place: Place, depth: number): TemplateNode {
  const { loc, keys } = place;
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, root, place, depth);
    case 'array': {
      if (!isObject(schema.items)) throw unsupported(loc, '"items" that say what every element is');
      const items = nodeOf(schema.items, root, { loc: [...loc, 'items'], keys: [...keys, '-'] }, depth + 1);
      if (items === 'string' || items === 'number') return [items];
      if (typeof items === 'string' || Array.isArray(items))
        throw unsupported(loc, 'a list of objects, strings or numbers');
      return [items];
    }
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    default: {
      const type = typeOf(schema);
      if (Array.isArray(type)) throw unsupported(loc, 'one type, or null');
      const got = type === 'undefined' ? 'got no type' : `not ${JSON.stringify(type)}`;
      throw unsupported(loc, `the type object, array, string, number, integer or boolean, ${got}`);
    }
  }
}

function objectOf(schema: Schema, root: Root, { loc, keys }: Place, depth: number): OutputFormat {
  const fields = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  if (fields.length === 0) throw unsupported(loc, 'an object whose properties are named');
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const place = { loc: [...loc, 'properties', name], keys: [...keys, name] };
      const node = nodeOf(field, root, place, depth + 1);
      // A "true" that may be left out says something where it is there.
      if (!Array.isArray(schema.required) || !schema.required.includes(name)) setFree(root, place.keys);
      return [name, node];
    }),
  );
}

/** Notes that a field, and what is in it, need not have the one value that its schema names. */
function setFree({ allowed }: Root, keys: Place['keys']): void {
  const path = pointer(keys);
  for (const [at, { isFixed, ...rest }] of allowed)
    if (isFixed === true && (at === path || at.startsWith(`${path}/`))) allowed.set(at, rest);
}
