/** The calls of designed and published APIs. A run of one is a search: the path names the API, the body has the inputs. */
import * as z from 'zod';
import { type IssueType, type Webhook, WebhookUrl } from '../../../protocol/index.ts';
import { invalid, parse } from '../../base/errors.ts';
import type { ApiName } from '../../designs/designs.ts';
import { parseStub } from '../../service/designs/published.ts';
import type { Service } from '../../service/service.ts';
import type { BaseUrl } from './base-url.ts';
import type { Context } from './context.ts';
import type { RouteHandlers } from './router.ts';
import { answerSearch } from './searches.ts';

/** The handlers of the routes of designs, of published APIs, and of their runs. */
export function designHandlers(service: Service, baseUrl: BaseUrl) {
  const { designs } = service;
  /** Throws a 422 for an invalid stub or version. */
  const run = (ctx: Context, api_stub: string, version: () => ApiName['version']) =>
    answerSearch(service, ctx, {
      body: ctx.optionalBody,
      background: () => parseRunQuery(ctx).background === 'true',
      webhook: () => webhookIn(parseRunQuery(ctx)),
      api: () => ({ api_stub: parseStub(api_stub), version: version() }),
    });

  return {
    run_draft: (ctx, { api_stub }) => run(ctx, api_stub, () => 'draft'),
    run_newest: (ctx, { api_stub }) => run(ctx, api_stub, () => 'newest'),
    run_version: (ctx, { api_stub, version }) => run(ctx, api_stub, () => parseVersion(version)),
    list_designs: async (ctx) => ctx.json(200, await designs.list(ctx.call, ctx.query())),
    create_design: async (ctx) => ctx.json(201, await designs.create(ctx.call)),
    read_design: async (ctx, { api_id }) => ctx.jsonText(200, await designs.read(ctx.call, api_id)),
    change_design: async (ctx, { api_id }) => ctx.json(200, await designs.change(ctx.call, api_id)),
    delete_design: async (ctx, { api_id }) => ctx.json(200, await designs.remove(ctx.call, api_id)),
    publish_design: async (ctx, { api_id }) => ctx.json(201, await designs.publish(ctx.call, api_id)),
    restore_version: async (ctx, { api_id }) => ctx.json(200, await designs.restore(ctx.call, api_id)),
    list_versions: async (ctx, { api_id }) => ctx.jsonText(200, await designs.versions(ctx.call, api_id, ctx.query())),
    browse_published: async (ctx) => ctx.json(200, await designs.browse(ctx.call, ctx.query())),
    read_published: async (ctx, { api_stub }) =>
      ctx.jsonText(200, await designs.published(ctx.call, api_stub, ctx.query(), baseUrl(ctx.request))),
    retire_version: async (ctx, { api_stub, version }) =>
      ctx.json(200, await designs.retire(ctx.call, api_stub, () => parseVersion(version))),
    describe_published: async (ctx, { api_stub }) =>
      ctx.jsonText(200, await designs.document(ctx.call, api_stub, ctx.query())),
  } satisfies Partial<RouteHandlers>;
}

/** Any integer is a version, existing or not. Throws a 422 for anything else. */
function parseVersion(text: string): number {
  if (/^-?\d+$/.test(text)) return Number(text);
  const msg = `expected v and a whole number; got ${JSON.stringify(`v${text}`.slice(0, 60))}`;
  throw invalid(['path', 'version'], msg, 'int_parsing');
}

const RunQuery = z.strictObject({
  background: z
    .string()
    .refine((text) => text === 'true' || text === 'false', {
      error: 'expected true or false',
      params: { type: 'value_error' satisfies IssueType },
    })
    .default('false'),
  webhook: WebhookUrl.optional(),
});
type RunQuery = z.infer<typeof RunQuery>;

/** Throws a 422 for what a run does not take, also for a parameter with another name. */
function parseRunQuery(ctx: Context): RunQuery {
  return parse(RunQuery, ctx.query(), 'query');
}

/** A secret does not belong in a URL, so the endpoint's own secret signs. */
function webhookIn({ webhook }: RunQuery): Webhook | undefined {
  return webhook === undefined ? undefined : { url: webhook };
}
