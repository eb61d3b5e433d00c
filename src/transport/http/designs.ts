/** The calls of designed and published APIs. Running one is a search whose request the path and the body say together. */
import { z } from 'zod';
import { ApiStub, type RouteName } from '../../../protocol/index.ts';
import { invalid, parse } from '../../base/errors.ts';
import type { SearchCall } from '../../service/calls.ts';
import type { Service } from '../../service/service.ts';
import type { Exchange } from '../exchange.ts';
import type { BaseUrl } from './base-url.ts';
import { callOf } from './call.ts';
import { readJson, readJsonIfAny } from './read-json.ts';
import { replyJson } from './reply.ts';
import type { Handle, Match } from './router.ts';

/** What a search asks, however it is answered. */
export type Asks = Pick<SearchCall, 'body' | 'api'>;

type Search = (exchange: Exchange, headers: Record<string, string>, asks: Asks) => Promise<void>;

export function designHandles({ designs }: Service, search: Search, baseUrl: BaseUrl) {
  const run =
    (version: (params: Match['params']) => number | 'newest' | 'draft'): Handle =>
    (exchange, headers, params) =>
      search(exchange, headers, {
        body: () => readJsonIfAny(exchange),
        api: () => ({ ...parse(StubInPath, { api_stub: params.api_stub }, 'path'), version: version(params) }),
      });

  return {
    run_draft: run(() => 'draft'),
    run_newest: run(() => 'newest'),
    run_version: run(({ version = '' }) => readVersion(version)),
    async list_designs(exchange, headers) {
      replyJson(exchange, 200, await designs.list(callOf(exchange, headers), queryOf(exchange)), headers);
    },
    async create_design(exchange, headers) {
      const call = { ...callOf(exchange, headers), body: () => readJson(exchange) };
      replyJson(exchange, 201, await designs.create(call), headers);
    },
    async read_design(exchange, headers, { api_id = '' }) {
      replyJson(exchange, 200, await designs.read(callOf(exchange, headers), api_id), headers);
    },
    async change_design(exchange, headers, { api_id = '' }) {
      const call = { ...callOf(exchange, headers), body: () => readJson(exchange) };
      replyJson(exchange, 200, await designs.change(call, api_id), headers);
    },
    async delete_design(exchange, headers, { api_id = '' }) {
      replyJson(exchange, 200, await designs.remove(callOf(exchange, headers), api_id), headers);
    },
    async publish_design(exchange, headers, { api_id = '' }) {
      const call = { ...callOf(exchange, headers), signal: exchange.signal };
      replyJson(exchange, 201, await designs.publish(call, api_id), headers);
    },
    async list_versions(exchange, headers, { api_id = '' }) {
      const page = await designs.versions(callOf(exchange, headers), api_id, queryOf(exchange));
      replyJson(exchange, 200, page, headers);
    },
    async browse_published(exchange, headers) {
      replyJson(exchange, 200, await designs.browse(callOf(exchange, headers), queryOf(exchange)), headers);
    },
    async read_published(exchange, headers, { api_stub = '' }) {
      const call = callOf(exchange, headers);
      replyJson(exchange, 200, await designs.published(call, api_stub, queryOf(exchange), baseUrl(exchange)), headers);
    },
    async describe_published(exchange, headers, { api_stub = '' }) {
      const document = await designs.document(callOf(exchange, headers), api_stub, queryOf(exchange));
      replyJson(exchange, 200, document, headers);
    },
  } satisfies Partial<Record<RouteName, Handle>>;
}

const StubInPath = z.object({ api_stub: ApiStub });

/** Any whole number is a version that may or may not be there; anything else is no version. */
function readVersion(text: string): number {
  if (/^-?\d+$/.test(text)) return Number(text);
  const msg = `expected v and a whole number; got ${JSON.stringify(`v${text}`.slice(0, 60))}`;
  throw invalid(['path', 'version'], msg, 'int_parsing');
}

function queryOf(exchange: Exchange): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(exchange.query));
}
