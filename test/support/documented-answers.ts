/** Checks what the server sends against the generated OpenAPI and AsyncAPI documents: anything they do not describe fails. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { z } from 'zod';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../protocol/${name}`, import.meta.url), 'utf8'));
const openapi = read('openapi.json');
const asyncapi = read('asyncapi.json');

/** Checks status, headers and body against an operation such as `POST /v1/search`; returns the body. */
export async function expectDocumented(operation: string, response: Response): Promise<unknown> {
  const [method = '', path = ''] = operation.split(' ');
  const described = openapi.paths[path]?.[method.toLowerCase()]?.responses[response.status];
  expect(described, `${operation} does not describe ${response.status}`).toBeDefined();
  for (const name of Object.keys(described.headers ?? {})) {
    // It is there only when something went wrong.
    if (name === 'X-Search-Stored') continue;
    // Failures before a call is counted, such as a bad key, have no rate limit to show.
    if (!(name.startsWith('RateLimit') && response.status !== 200))
      expect([...response.headers.keys()]).toContain(name.toLowerCase());
  }
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  expect(Object.keys(described.content)).toContain(type);
  const text = await response.text();
  if (type !== 'application/json') return text;
  const body: unknown = JSON.parse(text);
  expectFits(described.content[type].schema, openapi, body);
  return body;
}

/** Checks a frame of the WebSocket, or an event, against the message of its type. */
export function expectDocumentedFrame(frame: { type: string }): void {
  const message = asyncapi.components.messages[frame.type];
  expect(message, `no message ${frame.type}`).toBeDefined();
  expectFits(message.payload, asyncapi, frame);
}

function expectFits(schema: object, document: { components: { schemas: object } }, value: unknown): void {
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
  const whole = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'));
  const { error } = z.fromJSONSchema(whole).safeParse(value);
  expect(error?.issues, JSON.stringify(value).slice(0, 300)).toBeUndefined();
}
