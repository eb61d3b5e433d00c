/** A design over the pages of the tests, and how to create and publish one. */
import { expect } from 'vitest';
import type { DesignRecord, VersionPublished } from '../../protocol/index.ts';
import { request } from './requests.ts';
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
