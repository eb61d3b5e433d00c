/**
 * Parses a search call: either a search request, or the run of an API, whose design becomes one once the inputs are filled
 * in. Over HTTP the path names the API and the body holds the inputs; over a connection the request has both.
 */
import { createHash, webcrypto } from 'node:crypto';
import { z } from 'zod';
import { RunRequest, SearchRequest, SourceList, sourceListsIssue, type Webhook } from '../../../protocol/index.ts';
import { parse } from '../../base/errors.ts';
import type { ApiName } from '../../designs/designs.ts';
import type { RequestHashes } from '../../runs/idempotency.ts';
import type { Echoed } from '../../runs/records/run-records.ts';
import type { ExpectedTemplate, ForeignRequestFields, SearchCall } from '../calls.ts';

/** The request has both source lists where a call of another protocol has both; a native one is refused. */
export type ParsedSearch = ({ readonly request: SearchRequest } & ForeignRequestFields) | { readonly run: ApiRunCall };

/** A run of an API as it is asked for; its design makes an `ApiRun` of it. */
export interface ApiRunCall {
  readonly name: ApiName;
  /** Not yet validated, since that requires the design. */
  readonly inputs: unknown;
  /** Whether `inputs` is `{text}`, from which the design makes the inputs. */
  readonly isText?: boolean;
  /** The template that the design must have. */
  readonly expected?: ExpectedTemplate | undefined;
  /** Whether it runs in the background. */
  readonly background?: boolean | undefined;
  readonly webhook?: Webhook | undefined;
  /** The location of the inputs in the request, for errors. */
  readonly at: readonly string[];
}

/** What is excluded beside a whitelist, under the name that errors have for it. */
const Excluded = z.object({ source_blacklist: SourceList });

/** Longer than any URL that is fetched; set by hand. */
const largeCharacters = 64 * 1024;

/** Spends nothing. Rejects with 422 for a request that does not fit its schema, and as the call's body and path do. */
export async function parseSearch(call: SearchCall): Promise<ParsedSearch> {
  const { connection, api, input, body } = call;
  if (input !== undefined) {
    const given = await input();
    if ('text' in given) {
      const { api: name, text, expected, background, webhook } = given;
      return { run: { name, inputs: { text }, isText: true, expected, background, webhook, at: ['body'] } };
    }
    if ('api' in given) return { run: { name: given.api, inputs: given.inputs, at: ['body'] } };
    const { excluded, ...rest } = given;
    const request = parse(SearchRequest, rest.request);
    if (excluded === undefined) return { ...rest, request };
    return { ...rest, request: { ...request, ...parse(Excluded, { source_blacklist: excluded }) } };
  }
  if (api !== undefined) {
    const options = { background: call.background?.(), webhook: call.webhook?.() };
    return { run: { name: api(), ...options, inputs: await body(), at: ['body'] } };
  }
  if (connection === undefined) return { request: parse(SearchRequest, await body()) };
  const given = connection.lockFields(await body());
  if (!namesApi(given)) return { request: parse(SearchRequest, given) };
  const { inputs, background, webhook, ...name } = parse(RunRequest, given);
  return { run: { name, inputs, background, webhook, at: ['body', 'inputs'] } };
}

/** SHA-256 in base64url, equal for equal requests over any transport. What is repeated of a request is a part of it. */
export async function hashSearch(search: ParsedSearch, echoed: Echoed | undefined): Promise<RequestHashes> {
  if ('run' in search) {
    const { name, inputs, background, webhook } = search.run;
    const run = { ...name, inputs, ...(background === true ? { background } : {}), webhook };
    return { hash: digest({ ...run, echoed }), earlierHash: digest(run) };
  }
  const { previous, instructions, allowed } = search;
  const request = await digestImage(search.request);
  const foreign = { previous, instructions, allowed };
  const earlier = { ...withoutExcluded(request), ...foreign };
  return { hash: digest({ ...request, ...foreign, echoed }), earlierHash: digest(earlier) };
}

function digest(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

/** The request as earlier versions made it, which left out what is excluded beside a whitelist. */
function withoutExcluded(request: SearchRequest): SearchRequest {
  if (sourceListsIssue(request) === undefined) return request;
  const { source_blacklist: _, ...rest } = request;
  return rest;
}

/** The request with the SHA-256 of its image in place of the image, which may take megabytes. Hashed off the event loop. */
async function digestImage(request: SearchRequest): Promise<SearchRequest> {
  if (request.image === undefined) return request;
  // Base64 has one byte per character, and copying it as such takes a fraction of the time. URLs are shorter.
  const bytes = Buffer.from(request.image, request.image.length > largeCharacters ? 'latin1' : 'utf8');
  const digest = await webcrypto.subtle.digest('SHA-256', bytes);
  return { ...request, image: Buffer.from(digest).toString('base64url') };
}

function namesApi(request: unknown): boolean {
  return typeof request === 'object' && request !== null && Object.hasOwn(request, 'api_stub');
}
