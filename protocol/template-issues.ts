/**
 * Checks templates. Free of schemas, so that a browser page can load it and check a template while it is being written.
 */
import type { IssueType } from './issue-types.ts';
import { preview } from './preview.ts';

/** Set by hand. */
export const templateLimits = { depth: 8, leaves: 200, key_length: 200 } as const;

export const leafTypes = ['string', 'number', 'boolean'] as const;

export interface TemplateIssue {
  path: (string | number)[];
  message: string;
  type: IssueType;
}

/**
 * Returns up to about twenty issues. Stops at the first leaf over the limit, so that a template of any size is rejected
 * quickly.
 */
export function templateIssues(template: unknown): TemplateIssue[] {
  if (isJsonSchema(template)) return [{ path: [], type: 'value_error', message: schemaMessage }];
  const issues: TemplateIssue[] = [];
  let leaves = 0;
  const fail = (path: (string | number)[], type: IssueType, message: string) => issues.push({ path, type, message });
  const walk = (node: unknown, path: (string | number)[], depth: number): void => {
    if (typeof node === 'string') {
      leaves += 1;
      if (!(leafTypes as readonly string[]).includes(node)) fail(path, 'literal_error', leafMessage(node));
    } else if (depth > templateLimits.depth) {
      fail(path, 'too_deep', `expected at most ${templateLimits.depth} levels`);
    } else if (Array.isArray(node)) {
      if (node.length !== 1 || !(isFieldObject(node[0]) || node[0] === 'string' || node[0] === 'number')) {
        fail(
          path,
          'list_of_one',
          `expected an array of exactly one object, "string" or "number"; got ${preview(node)}`,
        );
      } else walk(node[0], [...path, 0], depth);
    } else if (isFieldObject(node)) {
      const fields = Object.keys(node);
      if (fields.length === 0) fail(path, 'too_short', 'expected at least one field; got {}');
      for (const field of fields) {
        if (issues.length >= 20 || leaves > templateLimits.leaves) return;
        if (field === '__proto__') {
          fail([...path, field], 'value_error', 'expected another name; "__proto__" is reserved');
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

const schemaMessage =
  'expected a template, such as {"name": "string"}; got a JSON Schema, which POST /v1/chat/completions takes as response_format';

/** Whether it is a JSON Schema of an object, or the format of another API that holds one; none of these is a template. */
function isJsonSchema(value: unknown): boolean {
  if (!isFieldObject(value)) return false;
  const { type, properties, $schema } = value;
  return (type === 'object' && isFieldObject(properties)) || type === 'json_schema' || isUrl($schema);
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/.test(value);
}

function leafMessage(node: unknown): string {
  return `expected "string", "number" or "boolean", an object, or an array of one object, "string" or "number"; got ${preview(node)}`;
}

/** Whether a value is an object, and neither null nor an array. */
export function isFieldObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
