/** Requests to an app of the tests, and what their answers say. */
import { expect } from 'vitest';
import type { TestApp } from './start-app.ts';

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

/** The header with a new key of an account of its own. */
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

/** An `onFault` for tests that expect none. */
export function rethrow(error: unknown): never {
  throw error;
}
