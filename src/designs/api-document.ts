/**
 * The OpenAPI document of a published API: its unversioned path and the path of one version, with the inputs as request
 * body and the template as response. It is self-contained, so any tool can read it.
 */
import { HTTPError, HTTPValidationError } from '../../protocol/index.ts';
import { isRequired } from '../../protocol/is-required.ts';
import { answerSchema, inputsSchema, schemaOf } from './api-schemas.ts';
import type { PublishedVersion } from './versions.ts';

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
        Answer: answerSchema(output_format),
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

function componentOf(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}
