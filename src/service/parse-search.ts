/**
 * What a search call asks: a search of the caller's own, or the run of an API, which is a search too once its design has
 * been filled with the inputs. Over HTTP the path names the API and the body is the inputs; over a connection the request
 * itself says both.
 */
import { createHash } from 'node:crypto';
import { RunRequest, SearchRequest } from '../../protocol/index.ts';
import { parse } from '../base/errors.ts';
import type { ApiName } from '../designs/designs.ts';
import type { SearchCall } from './calls.ts';

export type ParsedSearch = { readonly request: SearchRequest } | { readonly run: ApiRun };

export interface ApiRun {
  readonly name: ApiName;
  /** As they came: what they must be is the design's to say. */
  readonly inputs: unknown;
  /** Where they stand in the request. */
  readonly at: readonly string[];
}

/** Rejects with a 422 for what fits no request, or with what the body or the path has against it. */
export async function parseSearch({ connection, api, body }: SearchCall): Promise<ParsedSearch> {
  if (api !== undefined) return { run: { name: api(), inputs: await body(), at: ['body'] } };
  const given = connection === undefined ? await body() : connection.admit(await body());
  if (connection === undefined || !namesApi(given)) return { request: parse(SearchRequest, given) };
  const { inputs, ...name } = parse(RunRequest, given);
  return { run: { name, inputs, at: ['body', 'inputs'] } };
}

/** The same for what asks the same, whichever way it came. */
export function hashSearch(asked: ParsedSearch): string {
  const same = 'request' in asked ? asked.request : { ...asked.run.name, inputs: asked.run.inputs };
  return createHash('sha256').update(JSON.stringify(same)).digest('base64url');
}

function namesApi(request: unknown): boolean {
  return typeof request === 'object' && request !== null && Object.hasOwn(request, 'api_stub');
}
