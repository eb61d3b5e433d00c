/**
 * Schedules: runs of an API that begin by themselves, at the times of a cron expression. All of it goes beyond the interface (+).
 */
import * as z from 'zod';
import { ApiStub } from './designs.ts';
import { Timestamp } from './timestamp.ts';
import { WebhookSecret, WebhookUrl } from './webhooks.ts';

/** Set by hand. */
export const scheduleLimits = { per_account: 50, cron_characters: 100, input_characters: 40_000 } as const;

const Cron = z
  .string()
  .max(scheduleLimits.cron_characters)
  .describe('Five fields: minute, hour, day of the month, month, day of the week; such as `0 8 * * MON`.');
const TimeZone = z.string().min(1).max(64).describe('An IANA time zone, such as `Europe/Prague`.');
const Name = z.string().trim().max(80).describe('A name for the schedule.');
const Version = z.union([z.int(), z.literal(['newest', 'draft'])], {
  error: 'expected a version number, "newest" or "draft"',
});
const ScheduleWebhook = z
  .strictObject({ url: WebhookUrl, secret: WebhookSecret.optional() })
  .describe("As in `Webhook`: where each run's end is sent.");
// Not a record, which would skip `__proto__`. Which inputs are allowed is up to the API.
const Inputs = z.unknown().meta({ type: 'object', description: 'The inputs of the API, by name.' });

/** Body of POST /v1/schedules. */
export const ScheduleRequest = z
  .strictObject({
    api_stub: ApiStub,
    version: Version.optional().describe(
      "Defaults to the account's own draft of this stub or, if there is none, to the newest version.",
    ),
    inputs: Inputs.default({}),
    cron: Cron,
    time_zone: TimeZone.default('UTC'),
    name: Name.default(''),
    webhook: ScheduleWebhook.optional(),
  })
  .meta({ id: 'ScheduleRequest' });
export type ScheduleRequest = z.infer<typeof ScheduleRequest>;

/** Body of PATCH /v1/schedules/{schedule_id}. */
export const ScheduleChange = z
  .strictObject({
    inputs: Inputs.optional(),
    cron: Cron.optional(),
    time_zone: TimeZone.optional(),
    name: Name.optional(),
    enabled: z
      .boolean()
      .optional()
      .describe('`false` begins no more runs; `true` begins those from now on, with the key of this call.'),
  })
  .meta({ id: 'ScheduleChange' });
export type ScheduleChange = z.infer<typeof ScheduleChange>;

export const Schedule = z
  .object({
    schedule_id: z.string(),
    name: z.string(),
    api_stub: z.string(),
    version: Version.nullable().describe('Null for the default of a run.'),
    inputs: z.unknown().meta({ type: 'object' }),
    cron: z.string(),
    time_zone: z.string(),
    webhook_url: z.string().nullable(),
    created_at: Timestamp,
    next_at: Timestamp.nullable().describe('When the next run begins; null while it is disabled.'),
    disabled_at: Timestamp.nullable(),
    disabled_reason: z.string().nullable(),
    last_at: Timestamp.nullable().describe('When a run was last due and handled.'),
    last_search_id: z.string().nullable().describe('The search of the last run.'),
    last_error: z.string().nullable().describe('Why the last run could not begin.'),
  })
  .meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;

/** Body of GET /v1/schedules. */
export const ScheduleList = z
  .object({ items: z.array(Schedule).describe('Oldest first.') })
  .meta({ id: 'ScheduleList' });
export type ScheduleList = z.infer<typeof ScheduleList>;

/** Body of DELETE /v1/schedules/{schedule_id}. */
export const ScheduleRemoved = z
  .object({ schedule_id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'ScheduleRemoved' });
export type ScheduleRemoved = z.infer<typeof ScheduleRemoved>;
