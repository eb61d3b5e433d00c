/** The calls of threads, and of those who read one by its share link. */
import type { Service } from '../../service/service.ts';
import type { SharedCall } from '../../service/threads/shared-threads.ts';
import type { BaseUrl } from './base-url.ts';
import type { Context } from './context.ts';
import type { RouteHandlers } from './router.ts';

/** The handlers of the routes of threads. */
export function threadHandlers(service: Service, baseUrl: BaseUrl) {
  const { threads } = service;
  return {
    list_threads: async (ctx) => ctx.json(200, await threads.listThreads(ctx.call, ctx.query())),
    read_thread: async (ctx, { thread_id }) => ctx.json(200, await threads.readThread(ctx.call, thread_id)),
    change_thread: async (ctx, { thread_id }) => ctx.json(200, await threads.changeThread(ctx.call, thread_id)),
    remove_thread: async (ctx, { thread_id }) => ctx.json(200, await threads.removeThread(ctx.call, thread_id)),
    async share_thread(ctx, { thread_id }) {
      const call = { ...ctx.call, body: ctx.optionalBody };
      ctx.json(201, await threads.shareThread(call, thread_id, baseUrl(ctx.request)));
    },
    unshare_thread: async (ctx, { thread_id }) => ctx.json(200, await threads.unshareThread(ctx.call, thread_id)),
    read_shared: async (ctx) => ctx.jsonText(200, await threads.sharedThread(sharedCall(ctx))),
    async read_shared_snapshot(ctx, { snapshot }) {
      ctx.json(200, await threads.sharedSnapshot(sharedCall(ctx), snapshot));
    },
  } satisfies Partial<RouteHandlers>;
}

function sharedCall({ request }: Context): SharedCall {
  return { token: request.headers.get('x-share-token'), address: request.address };
}
