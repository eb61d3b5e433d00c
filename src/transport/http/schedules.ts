/** The calls of schedules. */
import type { ServerService } from '../../service/service.ts';
import type { RouteHandlers } from './router.ts';

/** The handlers of the routes of schedules. */
export function scheduleHandlers({ schedules }: Pick<ServerService, 'schedules'>) {
  return {
    list_schedules: async (ctx) => ctx.json(200, await schedules.list(ctx.call)),
    create_schedule: async (ctx) => ctx.json(201, await schedules.create(ctx.call)),
    read_schedule: async (ctx, { schedule_id }) => ctx.json(200, await schedules.read(ctx.call, schedule_id)),
    change_schedule: async (ctx, { schedule_id }) => ctx.json(200, await schedules.change(ctx.call, schedule_id)),
    remove_schedule: async (ctx, { schedule_id }) => ctx.json(200, await schedules.remove(ctx.call, schedule_id)),
  } satisfies Partial<RouteHandlers>;
}
