/**
 * A JSON Schema as a template, where a template can say the same: objects of strings, numbers, booleans, objects, and lists
 * of objects or strings. Any leaf may be null in the answer, whatever the schema says: what the sources do not say is not
 * made up.
 */
import { type OutputFormat, type TemplateNode, templateLimits } from '../../../protocol/index.ts';
import { invalid } from '../../base/errors.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Deeper than any template may be, so that a schema which contains itself ends. */
const maxDepth = 16;
/** More than any template may have: a schema of 1 KB whose parts refer to each other several times has billions of them. */
const maxNodes = templateLimits.leaves * templateLimits.depth;

interface Root {
  readonly schema: Schema;
  nodes: number;
}

/** Throws a 400 at `loc` that names the part which a template cannot express. */
export function templateOf(schema: unknown, loc: readonly string[]): OutputFormat {
  const root = { schema: isObject(schema) ? schema : {}, nodes: 0 };
  const node = nodeOf(root.schema, root, loc, 0);
  if (typeof node === 'string' || Array.isArray(node)) throw unsupported(loc, 'an object at the top');
  return node;
}

function nodeOf(given: unknown, root: Root, loc: readonly string[], depth: number): TemplateNode {
  root.nodes += 1;
  if (root.nodes > maxNodes) {
    throw invalid([...loc], `expected at most ${templateLimits.leaves} fields in total; got more`, 'too_long');
  }
  const schema = resolve(given, root.schema);
  if (schema === undefined || depth > maxDepth) throw unsupported(loc, 'a schema that can be resolved');
  const choices = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray);
  if (choices !== undefined) {
    const others = choices.filter((each) => !isObject(each) || each.type !== 'null');
    if (others.length !== 1) throw unsupported(loc, 'one type, or null');
    return nodeOf(others[0], root, loc, depth + 1);
  }
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, root, loc, depth);
    case 'array': {
      const items = nodeOf(schema.items, root, [...loc, 'items'], depth + 1);
      if (items === 'string') return ['string'];
      if (typeof items === 'string' || Array.isArray(items)) throw unsupported(loc, 'a list of objects or strings');
      return [items];
    }
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    default:
      throw unsupported(
        loc,
        `the type object, array, string, number, integer or boolean, not ${JSON.stringify(typeOf(schema))}`,
      );
  }
}

function objectOf(schema: Schema, root: Root, loc: readonly string[], depth: number): OutputFormat {
  const fields = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  if (fields.length === 0) throw unsupported(loc, 'an object whose properties are named');
  return Object.fromEntries(
    fields.map(([name, field]) => [name, nodeOf(field, root, [...loc, 'properties', name], depth + 1)]),
  );
}

/** The type besides null; by its values, that of an enum without one. */
function typeOf({ type, enum: values, const: value, properties }: Schema): unknown {
  if (Array.isArray(type)) return type.find((each) => each !== 'null');
  if (type !== undefined) return type;
  if (properties !== undefined) return 'object';
  return typeof (Array.isArray(values) ? values[0] : value);
}

function resolve(given: unknown, root: Schema): Schema | undefined {
  if (!isObject(given)) return undefined;
  if (typeof given.$ref !== 'string') return given;
  const names = given.$ref.split('/').slice(1);
  const found = names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), root);
  return isObject(found) && typeof found.$ref !== 'string' ? found : undefined;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unsupported(loc: readonly string[], expected: string) {
  return invalid([...loc], `expected ${expected}: templates can express nothing else`, 'value_error');
}
