/** A design over the pages of the tests, and how to create and publish one. */
import { expect } from 'vitest';
import type { DesignRecord, VersionPublished } from '../../protocol/index.ts';
import type { TestApp } from './start-app.ts';

export const whoDesigned = {
  name: 'Who designed it',
  api_stub: 'who-designed',
  description: 'Names the engineer of a building.',
  prompt: 'Who designed the {{building}}, and in which year was it first lit?',
  inputs: { building: { type: 'string', max: 100, description: 'What people call it.' } },
  output_format: { designer: 'string', year: 'number' },
  examples: [{ inputs: { building: 'Heron Point Lighthouse' } }],
};

/** An `onFault` for tests that expect none. */
export function rethrow(error: unknown): never {
  throw error;
}

/** The only answer to it in the pages. */
export const expectedAnswer = { designer: 'Ingrid Solvay', year: 1887 };

/** `change` overrides fields of `whoDesigned`; `headers` may have another key. Fails unless answered with 201. */
export async function createDesign(
  app: TestApp,
  change: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<DesignRecord> {
  const response = await app.post('/v1/design-api', { ...whoDesigned, ...change }, headers);
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(201);
  return body as DesignRecord;
}

export async function publish(
  app: TestApp,
  api_id: string,
  headers: Record<string, string> = {},
): Promise<VersionPublished> {
  const response = await request(app, 'POST', `/v1/design-api/${api_id}/publish`, undefined, headers);
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(201);
  return body as VersionPublished;
}

/** A request of any method with the app's key; without a body it has no content-type. */
export function request(
  app: TestApp,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const all = { 'x-api-key': app.key, ...type, ...headers };
  return fetch(app.url + path, { method, headers: all, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

export async function keyOf(
  app: TestApp,
  plan: 'starter' | 'pro' = 'pro',
  name = 'other',
): Promise<Record<string, string>> {
  return { 'x-api-key': (await app.accounts.createKey({ plan, name })).plaintext };
}

/** The location and type of each issue of a 422. */
export async function issuesIn(response: Response): Promise<[string, string][]> {
  const { detail } = (await response.json()) as { detail: { loc: (string | number)[]; type: string }[] };
  expect(response.status, JSON.stringify(detail)).toBe(422);
  return detail.map(({ loc, type }) => [loc.join('.'), type]);
}
