/** The tables as Kysely sees them. Columns are made in migrations.ts; times are ISO 8601 text in every database. */

import type { AnswerStatus, SearchChannel } from '../../protocol/index.ts';
import type { AccountState } from '../access/access-records.ts';
import type { PlanName } from '../access/plans.ts';
import type { RunRecord } from '../runs/run-records.ts';
import type { Delivery } from '../webhooks/webhook-records.ts';

export interface Tables {
  accounts: {
    id: string;
    name: string;
    plan: PlanName;
    status: AccountState;
    status_reason: string | null;
    created_at: string;
  };
  keys: {
    id: string;
    account_id: string;
    name: string;
    secret_hash: string;
    /** A JSON array. */
    scopes: string;
    /** A JSON array of ids; empty for a key that is not restricted to collections. */
    collections: string;
    created_at: string;
    last_used_at: string | null;
    revoked_at: string | null;
  };
  external_identities: {
    issuer: string;
    subject: string;
    account_id: string;
    created_at: string;
  };
  usage_days: {
    key_id: string;
    day: string;
    counter: string;
    amount: number;
  };
  /** Kept for a day. */
  usage_minutes: {
    key_id: string;
    /** `YYYY-MM-DDTHH:MM` */
    minute: string;
    counter: string;
    amount: number;
  };
  quota_counts: {
    account_id: string;
    counter: 'searches' | 'tokens';
    /** `YYYY-MM-DD` or `YYYY-MM` */
    period: string;
    amount: number;
  };
  network_secrets: {
    day: string;
    secret: string;
  };
  shared_minutes: {
    /** `YYYY-MM-DDTHH:MM` */
    minute: string;
    mark: string;
    account_id: string;
    calls: number;
  };
  /** The newest of each account. */
  refusals: {
    id: string;
    account_id: string;
    at: string;
    key_id: string;
    /** A Refusal as JSON. */
    content: string;
  };
  invitations: {
    id: string;
    name: string;
    plan: PlanName;
    created_at: string;
    expires_at: string;
    accepted_at: string | null;
    account_id: string | null;
  };
  sign_in_links: {
    id: string;
    account_id: string;
    expires_at: string;
  };
  sessions: {
    id: string;
    account_id: string;
    /** The key that it began with, if any. */
    key_id: string | null;
    created_at: string;
    expires_at: string;
  };
  runs: {
    search_id: string;
    account_id: string;
    created_at: string;
    ended_at: string;
    /** `removed` keeps the place of a search that its account removed, without its content: it must not be saved again. */
    state: RunRecord['state'] | 'removed';
    mode: RunRecord['mode'];
    door: RunRecord['door'];
    channel: SearchChannel | null;
    key_id: string | null;
    /** Of the answer; null if there is none, as for those of earlier versions. */
    status: AnswerStatus | null;
    /** Why it failed. */
    error_code: string | null;
    /** What searching looks in: the prompt, cut, lower case. */
    words: string | null;
    engine: string;
    /** A JSON array. */
    prompts: string;
    /** The terminal event as JSON. */
    terminal: string;
    /** A JSON array of steps; null in records of earlier versions. */
    steps: string | null;
    idempotency_key: string | null;
    idempotency_hash: string | null;
    /** Of a background run: how many times it was begun. */
    attempt: number | null;
  };
  background_runs: {
    search_id: string;
    account_id: string;
    created_at: string;
    mode: RunRecord['mode'];
    door: RunRecord['door'];
    idempotency_key: string | null;
    idempotency_hash: string | null;
    attempt: number;
    /** How many of its owners died. */
    deaths: number;
    /** The process that runs it; null if it stopped properly. */
    owner: string | null;
    lease_until: string;
    /** 0 or 1. */
    is_cancelled: number;
    progress: string | null;
    /** A JSON array. */
    prompts: string;
    /** What is needed to begin it again, as JSON. */
    input: string;
  };
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
    /** Of a delivery without an endpoint. */
    secret: string | null;
    search_id: string | null;
    type: Delivery['type'];
    subject: string;
    occurred_at: string;
    created_at: string;
    state: Delivery['state'];
    tries: number;
    round: number;
    /** While it is pending: when it is tried next, also should the process that tries it now die. */
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
  chats: {
    account_id: string;
    chat_id: string;
    search_id: string;
    updated_at: string;
  };
  threads: {
    thread_id: string;
    account_id: string;
    title: string;
    /** 0 or 1. */
    is_named: number;
    is_pinned: number;
    turns: number;
    created_at: string;
    updated_at: string;
    /** What searching looks in beside the title: the questions, lower case. */
    words: string;
  };
  thread_turns: {
    search_id: string;
    thread_id: string;
    account_id: string;
    previous_search_id: string | null;
    created_at: string;
    /** 0 or 1. */
    has_image: number;
    /** As JSON. */
    request: string;
  };
  collections: {
    id: string;
    account_id: string;
    name: string;
    /** What is unique in the account: the name, lower case. */
    name_key: string;
    created_at: string;
    updated_at: string;
  };
  collection_sources: {
    collection_id: string;
    /** Its name in the index. */
    source: string;
  };
  feedback: {
    account_id: string;
    search_id: string;
    /** Empty for the answer. */
    citation_id: string;
    rated_at: string;
    /** A Feedback as JSON. */
    content: string;
  };
  thread_shares: {
    thread_id: string;
    hash: string;
    created_at: string;
    expires_at: string;
    /** A JSON array. */
    snapshots: string;
    content: string;
  };
  designs: {
    api_id: string;
    account_id: string;
    api_stub: string;
    /** The design as JSON. */
    design: string;
    /** What lists show of it, as JSON. */
    summary: string;
    revision: number;
    created_at: string;
    updated_at: string;
  };
  /** Rows are only ever added. */
  api_versions: {
    api_stub: string;
    version: number;
    api_id: string;
    account_id: string;
    content: string;
    content_hash: string;
    /** What browsing looks in, lower case. */
    words: string;
    published_at: string;
    /** What lists and descriptions show of it; each is JSON: see ShownVersion. */
    summary: string;
    interface: string;
    example: string | null;
    changes: string;
  };
  /** A row for each version that is no longer offered. */
  retired_versions: {
    api_stub: string;
    version: number;
    retired_at: string;
  };
  migrations: {
    name: string;
    applied_at: string;
  };
}
