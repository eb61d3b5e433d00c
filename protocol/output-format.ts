/**
 * The template of a structured answer. Each key is a field and each value its type: "string", "number", "boolean", a
 * nested object, or an array of one element, an object, "string" or "number", that describes every element.
 */
import * as z from 'zod';
import type { IssueType } from './issue-types.ts';
import { isFieldObject, leafTypes, templateIssues, templateLimits } from './template-issues.ts';

export type TemplateNode = 'string' | 'number' | 'boolean' | OutputFormat | [OutputFormat | 'string' | 'number'];
export type OutputFormat = { [field: string]: TemplateNode };

/** A structured answer: the shape of the template, with `null` where the sources do not say. */
export type StructuredValue =
  | string
  | number
  | boolean
  | null
  | StructuredObject
  | StructuredObject[]
  | string[]
  | number[];
export type StructuredObject = { [field: string]: StructuredValue };

export type LeafType = (typeof leafTypes)[number];

export const OutputFormat = z
  .custom<OutputFormat>(isFieldObject, {
    error: 'expected an object whose keys name fields',
    params: { type: 'dict_type' satisfies IssueType },
  })
  .superRefine((template, context) => {
    for (const { path, message, type } of templateIssues(template)) {
      context.addIssue({ code: 'custom', path, message, params: { type }, input: template });
    }
  })
  .meta({ id: 'OutputFormat' });

/** JSON Schema of templates, for the OpenAPI document. */
export const outputFormatSchema = {
  type: 'object',
  minProperties: 1,
  description: `Template of the response: at most ${templateLimits.depth} levels and ${templateLimits.leaves} leaves.`,
  additionalProperties: {
    anyOf: [
      { type: 'string', enum: [...leafTypes] },
      { $ref: '#/components/schemas/OutputFormat' },
      {
        type: 'array',
        items: {
          anyOf: [{ $ref: '#/components/schemas/OutputFormat' }, { type: 'string', enum: ['string', 'number'] }],
        },
        minItems: 1,
        maxItems: 1,
      },
    ],
  },
};

/** Returns the JSON Pointer of `keys`; in the path of a template, `-` means each element of an array. */
export function pointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
}

/** Returns the keys of a JSON Pointer, unescaped. */
export function pointerKeys(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/** Returns the leaves of a template in its order, with `-` for the elements of an array: `/items/-/price`. */
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

/** Returns the result for a template when nothing was found: `null` leaves and empty arrays. */
export function emptyResult(template: OutputFormat): StructuredObject {
  const blank = (node: TemplateNode): StructuredValue => {
    if (typeof node === 'string') return null;
    return Array.isArray(node) ? [] : emptyResult(node);
  };
  return Object.fromEntries(Object.entries(template).map(([key, node]) => [key, blank(node)]));
}
