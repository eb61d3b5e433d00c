/** JSON Schemas (draft 2020-12) of what a published API takes and returns, for every protocol that describes it. */
import * as z from 'zod';
import {
  type DesignInput,
  type OutputFormat,
  type PublishedApi,
  type TemplateNode,
  TextResult,
} from '../../protocol/index.ts';
import { isRequired } from '../../protocol/is-required.ts';

/** The inputs of an API: an object without other fields. */
export function inputsSchema(inputs: Readonly<Record<string, DesignInput>>): object {
  const names = Object.keys(inputs);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, inputSchema(inputs[name]!)])),
    required: names.filter((name) => isRequired(inputs[name]!)),
    additionalProperties: false,
  };
}

function inputSchema(input: DesignInput): object {
  const { type, description, default: preset } = input;
  const about = {
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
  };
  if (input.type === 'boolean') return { type, ...about };
  const [min, max] = input.type === 'string' ? ['minLength', 'maxLength'] : ['minimum', 'maximum'];
  return {
    type,
    ...about,
    ...(input.enum === undefined ? {} : { enum: input.enum }),
    ...(input.min === undefined ? {} : { [min!]: input.min }),
    ...(input.max === undefined ? {} : { [max!]: input.max }),
  };
}

/** What a caller of an API has to know, as JSON Schemas. */
export interface CallableSchemas {
  readonly takes: object;
  readonly returns: object;
}

/** The schemas of an API with these inputs and this template. */
export function schemasOf(api: Pick<PublishedApi, 'inputs' | 'output_format'>): CallableSchemas {
  return { takes: inputsSchema(api.inputs), returns: answerSchema(api.output_format) };
}

/** The answer of an API: exactly its template, or a `TextResult` if it has none. */
export function answerSchema(output_format: OutputFormat | undefined): object {
  return output_format === undefined ? schemaOf(TextResult) : templateSchema(output_format);
}

/** Every field is present; a leaf that the sources do not answer is null. */
function templateSchema(node: TemplateNode): object {
  if (typeof node === 'string') return { type: [node, 'null'] };
  if (Array.isArray(node)) return { type: 'array', items: templateSchema(node[0]) };
  const properties = Object.fromEntries(Object.entries(node).map(([field, child]) => [field, templateSchema(child)]));
  return { type: 'object', properties, required: Object.keys(node), additionalProperties: false };
}

/** The schema as clients must read it, open to new fields, with its parts inlined rather than referenced by name. */
export function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: 'input', metadata: z.registry() });
  return plain;
}
