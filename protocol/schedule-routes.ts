/** The calls of schedules. All of them are ours. */
import type { Route } from './route.ts';

const ours = { key: true, counted: false, ours: true } as const;

export const scheduleRoutes = {
  list_schedules: {
    ...ours,
    method: 'GET',
    path: '/v1/schedules',
    summary: 'Lists the schedules of the account',
    success: { status: 200, means: 'All schedules.', bodies: ['ScheduleList'] },
    errors: ['rate_limited'],
  },
  create_schedule: {
    ...ours,
    method: 'POST',
    path: '/v1/schedules',
    summary: 'Runs an API on a schedule, given as a cron expression',
    body: 'ScheduleRequest',
    success: { status: 201, means: 'The schedule.', bodies: ['Schedule'] },
    errors: ['validation_error', 'rate_limited', 'blocked_address'],
  },
  read_schedule: {
    ...ours,
    method: 'GET',
    path: '/v1/schedules/{schedule_id}',
    summary: 'Returns a schedule, when it runs next, and its last run',
    success: { status: 200, means: 'The schedule.', bodies: ['Schedule'] },
    errors: ['rate_limited'],
  },
  change_schedule: {
    ...ours,
    method: 'PATCH',
    path: '/v1/schedules/{schedule_id}',
    summary: 'Changes, disables or enables a schedule',
    body: 'ScheduleChange',
    success: { status: 200, means: 'The updated schedule.', bodies: ['Schedule'] },
    errors: ['validation_error', 'rate_limited'],
  },
  remove_schedule: {
    ...ours,
    method: 'DELETE',
    path: '/v1/schedules/{schedule_id}',
    summary: 'Removes a schedule; a run in progress continues',
    success: { status: 200, means: 'There is no such schedule any more.', bodies: ['ScheduleRemoved'] },
    errors: ['rate_limited'],
  },
} as const satisfies Record<string, Route>;
