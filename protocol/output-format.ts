/**
 * The template of a structured answer: each key a field, each value its type: "string", "number", "boolean", an object
 * of the same kind, or an array holding one object that every element follows.
 */
import { z } from 'zod';
import { preview } from './preview.ts';

export const templateLimits = { depth: 8, leaves: 200, key_length: 200 } as const;

export type TemplateNode = 'string' | 'number' | 'boolean' | OutputFormat | [OutputFormat];
export type OutputFormat = { [field: string]: TemplateNode };

/** A structured answer: the template's shape, with `null` where the sources do not say. */
export type StructuredValue = string | number | boolean | null | StructuredObject | StructuredObject[];
export type StructuredObject = { [field: string]: StructuredValue };

export const leafTypes = ['string', 'number', 'boolean'] as const;
export type LeafType = (typeof leafTypes)[number];

export const OutputFormat = z
  .custom<OutputFormat>(isObject, { error: 'expected an object whose keys name fields', params: { type: 'dict_type' } })
  .superRefine((template, context) => {
    for (const { path, message, type } of templateIssues(template)) {
      context.addIssue({ code: 'custom', path, message, params: { type }, input: template });
    }
  })
  .meta({ id: 'OutputFormat' });

/** JSON Schema of the template itself, for the OpenAPI document. */
export const outputFormatSchema = {
  type: 'object',
  minProperties: 1,
  description: `Template of the response: at most ${templateLimits.depth} levels and ${templateLimits.leaves} leaves.`,
  additionalProperties: {
    anyOf: [
      { type: 'string', enum: [...leafTypes] },
      { $ref: '#/components/schemas/OutputFormat' },
      { type: 'array', items: { $ref: '#/components/schemas/OutputFormat' }, minItems: 1, maxItems: 1 },
    ],
  },
};

/** JSON Pointer of `keys`; `-` stands for "each element" of an array. */
export function pointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
}

/** The keys of a JSON Pointer. */
export function pointerKeys(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/** The leaves of a template in its order, `-` for each element of an array: `/items/-/price`. */
export function templateLeaves(template: OutputFormat): { path: string; type: LeafType }[] {
  const leaves: { path: string; type: LeafType }[] = [];
  const walk = (node: TemplateNode, keys: string[]): void => {
    if (typeof node === 'string') leaves.push({ path: pointer(keys), type: node });
    else if (Array.isArray(node)) walk(node[0], [...keys, '-']);
    else for (const [key, child] of Object.entries(node)) walk(child, [...keys, key]);
  };
  walk(template, []);
  return leaves;
}

/** The template's shape with nothing found: `null` leaves, empty arrays. */
export function emptyResult(template: OutputFormat): StructuredObject {
  const blank = (node: TemplateNode): StructuredValue => {
    if (typeof node === 'string') return null;
    return Array.isArray(node) ? [] : emptyResult(node);
  };
  return Object.fromEntries(Object.entries(template).map(([key, node]) => [key, blank(node)]));
}

interface TemplateIssue {
  path: (string | number)[];
  message: string;
  /** What kind of fault, as `ValidationError.type` names it. */
  type: string;
}

/** Every fault up to twenty; stops at the first leaf too many, so a template of any size is refused in no time. */
function templateIssues(template: unknown): TemplateIssue[] {
  const issues: TemplateIssue[] = [];
  let leaves = 0;
  const fail = (path: (string | number)[], type: string, message: string) => issues.push({ path, type, message });
  const walk = (node: unknown, path: (string | number)[], depth: number): void => {
    if (typeof node === 'string') {
      leaves += 1;
      if (!(leafTypes as readonly string[]).includes(node)) fail(path, 'literal_error', leafMessage(node));
    } else if (depth > templateLimits.depth) {
      fail(path, 'too_deep', `expected at most ${templateLimits.depth} levels`);
    } else if (Array.isArray(node)) {
      if (node.length !== 1 || !isObject(node[0])) {
        fail(path, 'list_of_one', `expected an array of exactly one object; got ${preview(node)}`);
      } else walk(node[0], [...path, 0], depth);
    } else if (isObject(node)) {
      const fields = Object.keys(node);
      if (fields.length === 0) fail(path, 'too_short', 'expected at least one field; got {}');
      for (const field of fields) {
        if (issues.length >= 20 || leaves > templateLimits.leaves) return;
        if (field === '__proto__') {
          fail([...path, field], 'value_error', 'expected another name: "__proto__" is reserved');
        } else if (field.length > templateLimits.key_length) {
          const message = `expected a name of at most ${templateLimits.key_length} characters; got ${field.length}`;
          fail([...path, field.slice(0, templateLimits.key_length)], 'string_too_long', message);
        } else walk(node[field], [...path, field], depth + 1);
      }
    } else fail(path, 'literal_error', leafMessage(node));
  };
  walk(template, [], 1);
  if (leaves > templateLimits.leaves) {
    fail([], 'too_long', `expected at most ${templateLimits.leaves} leaves; got more`);
  }
  return issues;
}

function leafMessage(node: unknown): string {
  return `expected "string", "number" or "boolean", an object, or an array of one object; got ${preview(node)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
