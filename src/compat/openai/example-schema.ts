/**
 * The JSON Schema of a JSON object that shows the form of an answer: an example of one, or an object whose values say what belongs
 * there, such as `{"name": "string", "year": 1990, "tone": "warm|cold", "about": "<a sentence>"}`.
 */
import { isObject } from '../../base/values/is-object.ts';
import { maxDepth } from '../plain-schema.ts';
import type { Schema } from '../schema-values.ts';

/** Characters of an alternative in "warm|cold"; set by hand. */
const maxAlternative = 60;
/** A text in lower case of several words says what belongs there; one that begins in upper case may be an example of it. */
const description = /^\p{Ll}\S*\s+\S+\s+\S/u;

/** Undefined where the example does not show the type of a field: an empty object, or too many levels. */
export function schemaOfExample(example: Schema, depth = 0): Schema | undefined {
  const fields = Object.entries(example).map(([name, value]) => [name, schemaOfValue(value, depth)] as const);
  if (depth > maxDepth || fields.length === 0 || fields.some(([, field]) => field === undefined)) return undefined;
  return { type: 'object', properties: Object.fromEntries(fields) };
}

function schemaOfValue(value: unknown, depth: number): Schema | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return { type: typeof value };
  if (typeof value === 'string') return schemaOfText(value.trim());
  if (value === null) return { type: 'string' };
  if (isObject(value)) return schemaOfExample(value, depth + 1);
  const [first = 'string'] = value as readonly unknown[];
  const items = schemaOfValue(first, depth + 1);
  return items && { type: 'array', items };
}

function schemaOfText(text: string): Schema {
  if (/^true\s*(?:\/|\bor\b)\s*false$/i.test(text)) return { type: 'boolean' };
  const said = /^(?:<.*>|\[.*\]|\{.*\})$/s.test(text) ? text.slice(1, -1).trim() : text;
  const alternatives = said.split(/\s*(?:\||\s\/\s)\s*/).filter((each) => !/^(?:null|none|undefined)$/i.test(each));
  const types = alternatives.map(typeNamed);
  const [type] = types;
  if (type !== undefined && types.every((each) => each === type)) return { type };
  if (alternatives.length > 1 && types.every((each) => each === undefined)) {
    const values = alternatives.map((each) => each.replace(/^(["'])(.*)\1$/, '$2'));
    if (values.every((each) => each !== '' && each.length <= maxAlternative)) return { type: 'string', enum: values };
  }
  // "number of rooms", "integer, in metres"
  const described = /^(\w+)(?:[,:;(]|\s+(?:of|in|for|from|between)\b)/.exec(said);
  const describedType = described === null ? undefined : typeNamed(described[1]!);
  const isDescribing = said !== text || describedType !== undefined || description.test(said);
  return { type: describedType ?? 'string', ...(isDescribing && said !== '' ? { description: said } : {}) };
}

/** The type that a word names, undefined if it names none. */
function typeNamed(word: string): 'string' | 'number' | 'integer' | 'boolean' | undefined {
  switch (word.toLowerCase()) {
    case 'string':
    case 'str':
    case 'text':
      return 'string';
    case 'number':
    case 'float':
    case 'double':
    case 'decimal':
      return 'number';
    case 'integer':
    case 'int':
      return 'integer';
    case 'boolean':
    case 'bool':
    case 'true':
    case 'false':
      return 'boolean';
    default:
      return undefined;
  }
}
