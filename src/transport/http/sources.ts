/** The calls of sources and collections: their lists and changes, uploads, and the stream of the changes of sources. */
import { type IndexedSource, sessionLimits } from '../../../protocol/index.ts';
import type { ServerService } from '../../service/service.ts';
import type { SourceCalls } from '../../service/sources/sources.ts';
import { eventStreamHeaders, stallMs } from '../event-stream.ts';
import { fileOf } from '../form-file.ts';
import type { Context } from './context.ts';
import type { RouteHandlers } from './router.ts';

/** The handlers of the routes of both. */
export function sourceHandlers({ sources, collections }: Pick<ServerService, 'sources' | 'collections'>) {
  return {
    list_sources: async (ctx) => ctx.json(200, await sources.list(ctx.call)),
    watch_sources: (ctx) => streamSources(ctx, sources),
    add_source: async (ctx) => ctx.json(201, await sources.add(ctx.call)),
    async upload_source(ctx) {
      const type = ctx.request.headers.get('content-type');
      const content = async (maxBytes: number) => fileOf(type, await ctx.bytes(maxBytes));
      ctx.json(201, await sources.upload({ ...ctx.call, content }, ctx.query()));
    },
    read_source: async (ctx, { source_id }) => ctx.json(200, await sources.read(ctx.call, source_id)),
    reindex_source: async (ctx, { source_id }) => ctx.json(200, await sources.reindex(ctx.call, source_id)),
    remove_source: async (ctx, { source_id }) => ctx.json(200, await sources.remove(ctx.call, source_id)),
    list_collections: async (ctx) => ctx.json(200, await collections.list(ctx.call)),
    create_collection: async (ctx) => ctx.json(201, await collections.create(ctx.call)),
    read_collection: async (ctx, { collection_id }) => ctx.json(200, await collections.read(ctx.call, collection_id)),
    change_collection: async (ctx, { collection_id }) =>
      ctx.json(200, await collections.change(ctx.call, collection_id)),
    delete_collection: async (ctx, { collection_id }) =>
      ctx.json(200, await collections.remove(ctx.call, collection_id)),
  } satisfies Partial<RouteHandlers>;
}

/** Sends what differs from the last version. A reader that is too slow gets the newest later, not every one. */
async function streamSources(ctx: Context, sources: SourceCalls): Promise<void> {
  const { versions, leave } = await sources.watch(ctx.call);
  const to = ctx.stream(eventStreamHeaders);
  try {
    if (ctx.request.method === 'HEAD') return;
    const sent = new Map<string, string>();
    let silentSince = performance.now();
    const send = (text: string) => {
      to.write(text);
      silentSince = performance.now();
    };
    let fullSince: number | undefined;
    for await (const items of versions) {
      if (!to.canWrite(maxEventBytes)) {
        fullSince ??= performance.now();
        if (performance.now() - fullSince > stallMs) return to.terminate();
        continue;
      }
      fullSince = undefined;
      to.cork(() => {
        for (const text of differences(sent, items)) send(text);
        if (performance.now() - silentSince >= 1000 * sessionLimits.heartbeat_s) send(': hb\n\n');
      });
    }
  } finally {
    leave();
    to.end();
  }
}

/** Far more than a version has that differs in a few sources; set by hand. */
const maxEventBytes = 8 * 1024;

function* differences(sent: Map<string, string>, items: readonly IndexedSource[]): Generator<string> {
  const ids = new Set(items.map(({ source_id }) => source_id));
  for (const source_id of [...sent.keys()].filter((id) => !ids.has(id))) {
    sent.delete(source_id);
    yield `event: source.removed\ndata: ${JSON.stringify({ source_id })}\n\n`;
  }
  for (const source of items) {
    const text = JSON.stringify(source);
    if (sent.get(source.source_id) === text) continue;
    sent.set(source.source_id, text);
    yield `event: source.updated\ndata: ${text}\n\n`;
  }
}
