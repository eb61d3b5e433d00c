/**
 * A template as a JSON Schema for the model's answer: the template's shape, with each leaf an object of the value, the
 * number of the evidence and a quote from it. Every field is required and no others are allowed, as strict modes demand.
 */
import { type LeafType, type OutputFormat, pointer, type TemplateNode } from '../../../protocol/index.ts';
import { statedNumbers } from '../../base/text/stated-numbers.ts';
import type { AllowedByPath, AllowedValues } from '../../base/values/allowed-values.ts';

type Schema = Record<string, unknown>;

/** The schema of a whole template, with the values that its leaves may have where this is said. */
export function templateSchema(template: OutputFormat, allowed: AllowedByPath): Schema {
  return nodeSchema(template, [], allowed);
}

/** The schema of an object with exactly these fields. */
export function objectSchema(properties: Record<string, Schema>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function nodeSchema(node: TemplateNode, keys: readonly string[], allowed: AllowedByPath): Schema {
  if (typeof node === 'string') return leafSchema(node, allowed[pointer(keys)]);
  if (Array.isArray(node)) return { type: 'array', items: nodeSchema(node[0], [...keys, '-'], allowed) };
  const fields = Object.entries(node).map(([key, child]) => [key, nodeSchema(child, [...keys, key], allowed)] as const);
  return objectSchema(Object.fromEntries(fields));
}

/**
 * The schema of one leaf: `{value, evidence, quote}`, each of which may be null. Bounds of numbers are left out: not every strict mode
 * has them.
 */
function leafSchema(type: LeafType, { values, isWhole }: AllowedValues = {}): Schema {
  const kind = type === 'number' && isWhole === true ? 'integer' : type;
  return objectSchema({
    value: { type: [kind, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }) },
    evidence: { type: ['integer', 'null'] },
    quote: { type: ['string', 'null'] },
  });
}

/** The leaf at the keys of an answer (array indices as digits), with its path; undefined if the template has no leaf there. */
export function leafAt(
  template: OutputFormat,
  keys: readonly string[],
): { path: string; type: LeafType; inList: boolean } | undefined {
  let node: TemplateNode | undefined = template;
  let inList = false;
  const place: string[] = [];
  for (const key of keys) {
    place.push(Array.isArray(node) ? '-' : key);
    if (node === undefined || typeof node === 'string') return undefined;
    if (Array.isArray(node)) {
      inList = true;
      node = /^\d+$/.test(key) ? node[0] : undefined;
    } else node = Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return typeof node === 'string' ? { path: pointer(place), type: node, inList } : undefined;
}

/**
 * The leaves that a value at these keys of an answer is, with their keys in the template's shape: none, itself, or the elements of a
 * list. Models also write a list of one element as that element, and wrap lists and objects in `{"value": …}` as they do leaves.
 */
export function leavesIn(
  template: OutputFormat,
  given: readonly string[],
  value: unknown,
): readonly (readonly [keys: readonly string[], answer: unknown])[] {
  const { keys, node } = placeIn(template, given);
  if (typeof node === 'string') return [[keys, value]];
  if (!Array.isArray(node) || typeof node[0] !== 'string' || Array.isArray(value) || (value ?? '') === '') return [];
  const { value: held } = Object(value) as { value?: unknown };
  const elements = Array.isArray(held) ? held.map((each) => ({ ...(value as object), value: each })) : [value];
  return elements.map((element, at) => [[...keys, String(at)], element] as const);
}

/** The place in the template's shape that the keys of an answer mean; without a node if they mean none. */
function placeIn(
  template: OutputFormat,
  given: readonly string[],
): { readonly keys: readonly string[]; readonly node: TemplateNode | undefined } {
  const keys: string[] = [];
  let node: TemplateNode | undefined = template;
  for (const key of given) {
    if (node === undefined || typeof node === 'string') return { keys, node: undefined };
    const isIndex = /^\d+$/.test(key);
    if (Array.isArray(node) && !isIndex && typeof node[0] === 'object' && has(node[0], key)) {
      keys.push('0');
      node = node[0];
    }
    const [element]: readonly (TemplateNode | undefined)[] = Array.isArray(node) ? node : [];
    if (key === 'value' && !has(node, key) && typeof element !== 'string') continue;
    keys.push(key);
    if (Array.isArray(node)) node = isIndex ? element : undefined;
    else node = has(node, key) ? (node as Record<string, TemplateNode>)[key] : undefined;
  }
  return { keys, node };
}

function has(node: TemplateNode, key: string): boolean {
  return !Array.isArray(node) && Object.hasOwn(node as object, key);
}

/**
 * A value converted to the leaf's type, if that is unambiguous: "1,234 m" is 1234, "12 million" 12000000, "about ten" 10 and
 * "yes" a boolean; "3 to 5" is not a number. With `asksForYear`, "May 14, 1931" is 1931. `null` if the model says that there is
 * none, `undefined` if the value cannot be converted.
 */
export function coerce(
  value: unknown,
  type: LeafType,
  asksForYear: boolean,
): string | number | boolean | null | undefined {
  if (value === null || value === undefined) return null;
  if (
    typeof value === 'string' &&
    /^(?:null|none|n\/?a|unknown|not (?:found|given|stated|specified))?$/i.test(value.trim())
  ) {
    return null;
  }
  if (type === 'string') {
    return typeof value === 'string'
      ? value.trim().toWellFormed()
      : typeof value === 'object'
        ? undefined
        : String(value);
  }
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string') return undefined;
    return /^\s*(?:true|yes)\s*$/i.test(value) ? true : /^\s*(?:false|no)\s*$/i.test(value) ? false : undefined;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const numbers = statedNumbers(value).map(({ value: stated }) => stated);
  const years = asksForYear
    ? numbers.filter((number) => Number.isInteger(number) && number >= 1000 && number < 3000)
    : [];
  return years.length === 1 ? years[0] : numbers.length === 1 ? numbers[0] : undefined;
}
