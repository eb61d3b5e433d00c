/**
 * The OpenAPI document of one published API: its unversioned path and the path of one version, with the inputs as the
 * body and the template as the answer. It refers to nothing outside itself, so that any tool can read it.
 */
import { z } from 'zod';
import {
  type DesignInput,
  HTTPError,
  HTTPValidationError,
  type TemplateNode,
  TextResult,
} from '../../protocol/index.ts';
import type { PublishedVersion } from './designs.ts';
import { isRequired } from './read-inputs.ts';

export function apiDocument({ api_stub, version, design }: PublishedVersion): object {
  const { name, description, inputs, output_format } = design;
  const path = `/v1/published-service/${api_stub}`;
  const about = description === undefined ? {} : { description };
  const needsBody = Object.values(inputs).some(isRequired);
  const call = (summary: string, operationId: string) => ({
    post: {
      operationId,
      summary,
      requestBody: { required: needsBody, content: { 'application/json': { schema: componentOf('Inputs') } } },
      responses: {
        200: { description: 'The answer.', content: { 'application/json': { schema: componentOf('Answer') } } },
        ...failures,
      },
    },
  });
  return {
    openapi: '3.1.0',
    info: { title: name, version: String(version), ...about },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths: {
      [path]: call('Runs the newest version', 'run_newest'),
      [`${path}/v${version}`]: call(`Runs version ${version}`, `run_v${version}`),
    },
    components: {
      schemas: {
        Inputs: inputsSchema(inputs),
        Answer: output_format === undefined ? schemaOf(TextResult) : templateSchema(output_format),
        HTTPError: schemaOf(HTTPError),
        HTTPValidationError: schemaOf(HTTPValidationError),
      },
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    },
  };
}

const failures = Object.fromEntries(
  [
    [401, 'The key is missing or not valid.'],
    [404, 'There is no such version.'],
    [422, 'The inputs do not fit.'],
    [429, 'The key has used its requests of the last minute.'],
  ].map(([status, description]) => {
    const schema = componentOf(status === 422 ? 'HTTPValidationError' : 'HTTPError');
    return [status, { description, content: { 'application/json': { schema } } }];
  }),
);

function inputsSchema(inputs: Readonly<Record<string, DesignInput>>): object {
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
  const [least, most] = input.type === 'string' ? ['minLength', 'maxLength'] : ['minimum', 'maximum'];
  return {
    type,
    ...about,
    ...(input.enum === undefined ? {} : { enum: input.enum }),
    ...(input.min === undefined ? {} : { [least!]: input.min }),
    ...(input.max === undefined ? {} : { [most!]: input.max }),
  };
}

/** Every field is there; a leaf that the sources do not give is null. */
function templateSchema(node: TemplateNode): object {
  if (typeof node === 'string') return { type: [node, 'null'] };
  if (Array.isArray(node)) return { type: 'array', items: templateSchema(node[0]) };
  const properties = Object.fromEntries(Object.entries(node).map(([field, child]) => [field, templateSchema(child)]));
  return { type: 'object', properties, required: Object.keys(node), additionalProperties: false };
}

function componentOf(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** As clients must read it: more fields may come. Whatever it holds stands in it, under no name of its own. */
function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: 'input', metadata: z.registry() });
  return plain;
}
