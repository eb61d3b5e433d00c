/** Webhooks with their deliveries, and schedules. */

import type { Delivery } from '../../webhooks/webhook-records.ts';

export interface WebhookTables {
  webhook_endpoints: {
    id: string;
    account_id: string;
    url: string;
    name: string;
    /** A JSON array. */
    events: string;
    secret: string;
    old_secret: string | null;
    old_until: string | null;
    created_at: string;
    disabled_at: string | null;
    disabled_reason: string | null;
    dropped: number;
  };
  webhook_deliveries: {
    id: string;
    account_id: string;
    endpoint_id: string | null;
    url: string;
    target: string;
    /** For a delivery without an endpoint. */
    secret: string | null;
    search_id: string | null;
    type: Delivery['type'];
    subject: string;
    occurred_at: string;
    created_at: string;
    state: Delivery['state'];
    tries: number;
    round: number;
    /** While it is pending: when it is tried next, even if the process that is trying it now dies. */
    next_at: string | null;
    owner: string | null;
    last_status: number | null;
    last_error: string | null;
    traceparent: string | null;
  };
  webhook_tries: {
    delivery_id: string;
    n: number;
    at: string;
    status: number | null;
    error: string | null;
    duration_ms: number;
  };
  schedules: {
    id: string;
    account_id: string;
    key_id: string;
    name: string;
    api_stub: string;
    version: string | null;
    cron: string;
    time_zone: string;
    /** JSON. */
    webhook: string | null;
    created_at: string;
    next_at: string | null;
    disabled_at: string | null;
    disabled_reason: string | null;
    last_at: string | null;
    last_search_id: string | null;
    last_error: string | null;
    /** The process that handles it now. */
    owner: string | null;
    lease_until: string | null;
    /** JSON. */
    inputs: string;
  };
}
