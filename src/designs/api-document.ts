/**
 * The OpenAPI document of a published API: its unversioned path and the path of one version, with the inputs as request
 * body and the template as response. It is self-contained, so any tool can read it.
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

/** An OpenAPI 3.1 document. */
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
    [401, 'The key is missing or invalid.'],
    [404, 'There is no such version.'],
    [422, 'The inputs are invalid.'],
    [429, 'The key has reached its limit of requests per minute.'],
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
  const [min, max] = input.type === 'string' ? ['minLength', 'maxLength'] : ['minimum', 'maximum'];
  return {
    type,
    ...about,
    ...(input.enum === undefined ? {} : { enum: input.enum }),
    ...(input.min === undefined ? {} : { [min!]: input.min }),
    ...(input.max === undefined ? {} : { [max!]: input.max }),
  };
}

/** Every field is present; a leaf that the sources do not answer is null. */
function templateSchema(node: TemplateNode): object {
  if (typeof node === 'string') return { type: [node, 'null'] };
  if (Array.isArray(node)) return { type: 'array', items: templateSchema(node[0]) };
  const properties = Object.fromEntries(Object.entries(node).map(([field, child]) => [field, templateSchema(child)]));
  return { type: 'object', properties, required: Object.keys(node), additionalProperties: false };
}

function componentOf(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema as clients must read it, open to new fields, with its parts inlined rather than referenced by name. */
function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: 'input', metadata: z.registry() });
  return plain;
}
