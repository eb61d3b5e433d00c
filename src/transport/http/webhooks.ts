/** The calls of webhooks: endpoints, and what was sent to them. */
import type { ServerService } from '../../service/service.ts';
import type { RouteHandlers } from './router.ts';

/** The handlers of the routes of webhooks. */
export function webhookHandlers({ webhooks }: Pick<ServerService, 'webhooks'>) {
  return {
    list_webhooks: async (ctx) => ctx.json(200, await webhooks.list(ctx.call)),
    create_webhook: async (ctx) => ctx.json(201, await webhooks.create(ctx.call)),
    change_webhook: async (ctx, { webhook_id }) => ctx.json(200, await webhooks.change(ctx.call, webhook_id)),
    remove_webhook: async (ctx, { webhook_id }) => ctx.json(200, await webhooks.remove(ctx.call, webhook_id)),
    rotate_webhook: async (ctx, { webhook_id }) => ctx.json(200, await webhooks.rotate(ctx.call, webhook_id)),
    test_webhook: async (ctx, { webhook_id }) => ctx.json(202, await webhooks.test(ctx.call, webhook_id)),
    list_deliveries: async (ctx) => ctx.json(200, await webhooks.deliveries(ctx.call, ctx.query())),
    read_delivery: async (ctx, { delivery_id }) => ctx.json(200, await webhooks.delivery(ctx.call, delivery_id)),
    redeliver: async (ctx, { delivery_id }) => ctx.json(202, await webhooks.redeliver(ctx.call, delivery_id)),
  } satisfies Partial<RouteHandlers>;
}
