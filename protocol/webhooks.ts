/**
 * Webhooks: what a server sends when a search has ended, as Standard Webhooks describe it, and the calls with which an account
 * manages who receives it. The body is thin: the receiver reads the search itself, with a key. All of it goes beyond the
 * interface (+).
 */
import * as z from 'zod';
import { WebUrl, WholeText } from './common-fields.ts';
import type { DoorName } from './doors.ts';
import { Timestamp } from './timestamp.ts';

/** Set by hand. `signing_bytes` is what Standard Webhooks ask for. */
export const webhookLimits = {
  endpoints: 20,
  pending: 10_000,
  url_characters: 2_048,
  secret_min_bytes: 24,
  secret_max_bytes: 64,
  try_s: 15,
  tries: 10,
  old_secret_s: 86_400,
  kept_days: 30,
} as const;

/** What an endpoint can be sent. `response.…` is sent for what came through the door of OpenAI's responses. */
export const webhookEventTypes = [
  'search.completed',
  'search.failed',
  'search.cancelled',
  'response.completed',
  'response.failed',
  'response.cancelled',
  'webhook.test',
] as const;
export const WebhookEventType = z.enum(webhookEventTypes);
export type WebhookEventType = z.infer<typeof WebhookEventType>;

/** The body of a webhook. */
export const WebhookEvent = z
  .object({
    type: WebhookEventType,
    timestamp: Timestamp.describe('When it happened.'),
    data: z.object({ id: z.string().describe('The search, as the door through which it came names it.') }),
  })
  .meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** What is sent about an ended search. `ended_at` is ISO 8601 with milliseconds. */
export function webhookEventOf(search: {
  readonly search_id: string;
  readonly door: DoorName;
  readonly state: 'completed' | 'failed' | 'cancelled';
  readonly ended_at: string;
}): WebhookEvent {
  const { search_id, door, state, ended_at } = search;
  const [subject, id] =
    door === 'responses' ? (['response', `resp_${search_id}`] as const) : (['search', search_id] as const);
  return { type: `${subject}.${state}`, timestamp: ended_at, data: { id } };
}

const secretPattern = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The length of the key in a secret, in bytes. */
function keyBytes(secret: string): number {
  const text = secret.slice('whsec_'.length);
  return (text.length / 4) * 3 - (/=*$/.exec(text)?.[0].length ?? 0);
}

export const WebhookUrl = WebUrl.max(webhookLimits.url_characters);

export const WebhookSecret = z
  .string()
  .max(128)
  .refine(
    (secret) =>
      secretPattern.test(secret) &&
      keyBytes(secret) >= webhookLimits.secret_min_bytes &&
      keyBytes(secret) <= webhookLimits.secret_max_bytes,
    { error: 'expected whsec_ and 24 to 64 bytes in base64' },
  );

/** `webhook` of a search, a run or a response. */
export const Webhook = z
  .strictObject({
    url: WebhookUrl.describe('Where to send the event when the search has ended.'),
    secret: WebhookSecret.optional().describe(
      'Signs the event: `whsec_` and 24 to 64 bytes in base64. If omitted, the URL must be that of an endpoint of the account, whose secret signs.',
    ),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

const EndpointName = z.string().trim().max(80).describe('A name for the endpoint.');
const EventTypes = z
  .array(WebhookEventType)
  .max(webhookEventTypes.length)
  .transform((types) => [...new Set(types)]);

/** Body of POST /v1/webhooks. */
export const WebhookEndpointRequest = z
  .strictObject({
    url: WebhookUrl,
    name: EndpointName.default(''),
    events: EventTypes.default([]).describe('What to send; everything if omitted or empty.'),
  })
  .meta({ id: 'WebhookEndpointRequest' });
export type WebhookEndpointRequest = z.infer<typeof WebhookEndpointRequest>;

/** Body of PATCH /v1/webhooks/{webhook_id}. */
export const WebhookEndpointChange = z
  .strictObject({
    name: EndpointName.optional(),
    events: EventTypes.optional().describe('What to send; everything if empty.'),
    enabled: z.boolean().optional().describe('`false` sends nothing more to it; `true` sends what ends from now on.'),
  })
  .meta({ id: 'WebhookEndpointChange' });
export type WebhookEndpointChange = z.infer<typeof WebhookEndpointChange>;

export const WebhookEndpoint = z
  .object({
    webhook_id: z.string(),
    url: z.string(),
    name: z.string(),
    events: z.array(WebhookEventType).describe('What is sent to it; empty means everything.'),
    created_at: Timestamp,
    disabled_at: Timestamp.nullable(),
    disabled_reason: z.string().nullable(),
    rotated_until: Timestamp.nullable().describe('Until then the secret before this one signs as well.'),
    dropped: z.int().nonnegative().describe('Events that were not queued because too many were waiting.'),
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** Body of GET /v1/webhooks. */
export const WebhookEndpointList = z
  .object({ items: z.array(WebhookEndpoint).describe('Oldest first.') })
  .meta({ id: 'WebhookEndpointList' });
export type WebhookEndpointList = z.infer<typeof WebhookEndpointList>;

/** Answer of POST /v1/webhooks and of a rotation. */
export const NewWebhookEndpoint = WebhookEndpoint.extend({
  secret: z.string().describe('The signing secret, shown only once.'),
}).meta({ id: 'NewWebhookEndpoint' });
export type NewWebhookEndpoint = z.infer<typeof NewWebhookEndpoint>;

/** Body of DELETE /v1/webhooks/{webhook_id}. */
export const WebhookEndpointRemoved = z
  .object({ webhook_id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'WebhookEndpointRemoved' });
export type WebhookEndpointRemoved = z.infer<typeof WebhookEndpointRemoved>;

export const WebhookTry = z
  .object({
    at: Timestamp,
    status: z.int().nullable().describe('The HTTP status; null if there was no answer.'),
    error: z.string().nullable().describe('Why it failed, in words.'),
    duration_ms: z.int().nonnegative(),
  })
  .meta({ id: 'WebhookTry' });
export type WebhookTry = z.infer<typeof WebhookTry>;

export const WebhookDelivery = z
  .object({
    delivery_id: z.string().describe('The `webhook-id` of every try.'),
    webhook_id: z.string().nullable().describe('The endpoint; null for the `webhook` of a request.'),
    url: z.string(),
    search_id: z.string().nullable(),
    type: WebhookEventType,
    state: z.enum(['pending', 'delivered', 'failed']),
    created_at: Timestamp,
    tries: z.int().nonnegative(),
    next_try_at: Timestamp.nullable(),
    last_status: z.int().nullable(),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** Body of GET /v1/webhook-deliveries. */
export const WebhookDeliveryList = z
  .object({ items: z.array(WebhookDelivery).describe('Newest first.'), cursor: z.string().optional() })
  .meta({ id: 'WebhookDeliveryList' });
export type WebhookDeliveryList = z.infer<typeof WebhookDeliveryList>;

/** Body of GET /v1/webhook-deliveries/{delivery_id}. */
export const WebhookDeliveryRecord = WebhookDelivery.extend({
  log: z.array(WebhookTry).describe('The latest tries, oldest first.'),
}).meta({ id: 'WebhookDeliveryRecord' });
export type WebhookDeliveryRecord = z.infer<typeof WebhookDeliveryRecord>;

/** Query of GET /v1/webhook-deliveries. */
export const WebhookDeliveryQuery = z
  .strictObject({
    cursor: z.string().min(1).max(200).optional(),
    limit: WholeText.min(1).max(100).default(20),
    webhook_id: z.string().min(1).max(64).optional().describe('Only what is sent to this endpoint.'),
  })
  .meta({ id: 'WebhookDeliveryQuery' });
export type WebhookDeliveryQuery = z.infer<typeof WebhookDeliveryQuery>;
