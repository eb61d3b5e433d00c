/** The calls of webhooks: who receives what, and what was sent. All of them are ours. */
import type { Route } from './route.ts';

const ours = { key: true, counted: false, ours: true } as const;

export const webhookRoutes = {
  list_webhooks: {
    ...ours,
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'Lists the webhook endpoints of the account, without their secrets',
    success: { status: 200, means: 'All endpoints.', bodies: ['WebhookEndpointList'] },
    errors: ['rate_limited'],
  },
  create_webhook: {
    ...ours,
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Adds an endpoint that is sent an event when a search of the account has ended',
    body: 'WebhookEndpointRequest',
    success: { status: 201, means: 'The endpoint with its secret, shown only once.', bodies: ['NewWebhookEndpoint'] },
    errors: ['validation_error', 'rate_limited', 'blocked_address'],
  },
  change_webhook: {
    ...ours,
    method: 'PATCH',
    path: '/v1/webhooks/{webhook_id}',
    summary: 'Renames, restricts, enables or disables an endpoint',
    body: 'WebhookEndpointChange',
    success: { status: 200, means: 'The updated endpoint.', bodies: ['WebhookEndpoint'] },
    errors: ['validation_error', 'rate_limited'],
  },
  remove_webhook: {
    ...ours,
    method: 'DELETE',
    path: '/v1/webhooks/{webhook_id}',
    summary: 'Removes an endpoint and what was to be sent to it',
    success: { status: 200, means: 'There is no such endpoint any more.', bodies: ['WebhookEndpointRemoved'] },
    errors: ['rate_limited'],
  },
  rotate_webhook: {
    ...ours,
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/rotate',
    summary: 'Makes a new secret for an endpoint; for a day, the one before signs as well',
    success: {
      status: 200,
      means: 'The endpoint with its new secret, shown only once.',
      bodies: ['NewWebhookEndpoint'],
    },
    errors: ['rate_limited'],
  },
  test_webhook: {
    ...ours,
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/test',
    summary: 'Sends `webhook.test` to an endpoint',
    success: { status: 202, means: 'The event is queued.', bodies: ['WebhookDelivery'] },
    errors: ['rate_limited'],
  },
  list_deliveries: {
    ...ours,
    method: 'GET',
    path: '/v1/webhook-deliveries',
    summary: 'Lists the webhooks that were sent or are to be sent, newest first',
    query: ['cursor', 'limit', 'webhook_id'],
    success: { status: 200, means: 'One page of deliveries.', bodies: ['WebhookDeliveryList'] },
    errors: ['validation_error', 'rate_limited'],
  },
  read_delivery: {
    ...ours,
    method: 'GET',
    path: '/v1/webhook-deliveries/{delivery_id}',
    summary: 'Returns a delivery with its attempts',
    success: { status: 200, means: 'The delivery.', bodies: ['WebhookDeliveryRecord'] },
    errors: ['rate_limited'],
  },
  redeliver: {
    ...ours,
    method: 'POST',
    path: '/v1/webhook-deliveries/{delivery_id}/redeliver',
    summary: 'Sends a webhook again, with the same id',
    success: { status: 202, means: 'It is sent as soon as possible.', bodies: ['WebhookDelivery'] },
    errors: ['rate_limited'],
  },
} as const satisfies Record<string, Route>;
