/**
 * Endpoints of webhooks, and the outbox: what is to be sent, what was, and each try. The store implements this port. What ends
 * a search is queued in the transaction that saves its record, so nothing is sent about a search that is not recorded, and
 * nothing is forgotten about one that is. A claim makes a delivery invisible to others until its lease has run out; then
 * another process tries it again, with the same id.
 *
 * Every lookup of a caller includes the account. Times are ISO 8601 with milliseconds. Secrets are sealed: see secret-box.ts.
 */
import type { WebhookEventType } from '../../protocol/index.ts';

export interface WebhookEndpoint {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  readonly name: string;
  /** Empty for all. */
  readonly events: readonly WebhookEventType[];
  readonly secret: string;
  /** Sign as well until `old_until`: one or more, separated by spaces. */
  readonly old_secret: string | null;
  readonly old_until: string | null;
  readonly created_at: string;
  readonly disabled_at: string | null;
  readonly disabled_reason: string | null;
  readonly dropped: number;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed';

export interface Delivery {
  /** The `webhook-id` of every try. */
  readonly id: string;
  readonly account_id: string;
  readonly endpoint_id: string | null;
  readonly url: string;
  /** What its tries are limited by: an origin of an account. */
  readonly target: string;
  readonly search_id: string | null;
  readonly type: WebhookEventType;
  /** `data.id` of the event. */
  readonly subject: string;
  readonly occurred_at: string;
  readonly created_at: string;
  readonly state: DeliveryState;
  readonly tries: number;
  /** Tries since it was queued or redelivered: the place in the schedule. */
  readonly round: number;
  readonly next_at: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  /** The span of the search that it is about, if traces are exported. */
  readonly traceparent: string | null;
}

/** One that is due at `created_at`. */
export type NewDelivery = Pick<
  Delivery,
  'id' | 'account_id' | 'endpoint_id' | 'url' | 'search_id' | 'type' | 'subject' | 'occurred_at' | 'created_at'
>;

export interface Try {
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** A delivery to try, due at `next_at`, and the sealed secrets to sign it with; none if its endpoint is disabled. */
export interface ClaimedDelivery extends Delivery {
  readonly secrets: readonly string[];
}

export interface TryOutcome {
  readonly state: DeliveryState;
  /** For `pending`: when to try again. */
  readonly next_at: string | null;
  /** Nothing else is sent to the same target before that. */
  readonly slow_until?: string | undefined;
  /** Disables the endpoint. */
  readonly disable?: string | undefined;
}

export interface ClaimLimits {
  readonly limit: number;
  /** How many of the `limit` are only for accounts with nothing in flight, the first of each. */
  readonly reserve: number;
  /** Tries in flight, by target and by account, and how many of each may be. */
  readonly inFlight: ReadonlyMap<string, number>;
  readonly perTarget: number;
  readonly perAccount: number;
  /** The targets that asked for time, and until when nothing is sent to each: what is due before is due then. */
  readonly slow: ReadonlyMap<string, string>;
  /** The ids of deliveries that others may claim. */
  readonly left: readonly string[];
}

/** Every call rejects with `overloaded` while the store cannot be reached. */
export interface WebhookRecords {
  /** Resolves with false, and adds nothing, if the account has `max`. Holds over all processes. */
  addEndpoint(endpoint: WebhookEndpoint, max: number): Promise<boolean>;
  /** Oldest first. */
  endpoints(account_id: string): Promise<WebhookEndpoint[]>;
  endpoint(account_id: string, id: string): Promise<WebhookEndpoint | undefined>;
  /** Resolves with the endpoint, also if nothing is to change; undefined if the account has none with this id. */
  changeEndpoint(
    account_id: string,
    id: string,
    change: Partial<Omit<WebhookEndpoint, 'id' | 'account_id' | 'url' | 'created_at'>>,
  ): Promise<WebhookEndpoint | undefined>;
  /** Removes its deliveries too; resolves with whether there was one. */
  removeEndpoint(account_id: string, id: string): Promise<boolean>;
  /** How many deliveries of an account wait, up to `max`. */
  pending(account_id: string, max: number): Promise<number>;
  add(delivery: NewDelivery): Promise<Delivery>;

  /** Takes what is due at `now`, and makes it due again at `until` in case this process dies. Each goes to one caller. */
  claim(owner: string, now: string, until: string, limits: ClaimLimits): Promise<ClaimedDelivery[]>;
  /** Records a try of a claimed delivery; does nothing if another process has claimed it since. */
  finish(owner: string, id: string, made: Try, outcome: TryOutcome): Promise<void>;
  /** Makes a claimed delivery due as it was, without a try, and notes why. */
  giveBack(owner: string, delivery: Pick<Delivery, 'id' | 'next_at'>, last_error: string): Promise<void>;
  /** The sealed secret of the newest endpoint of all accounts. */
  newestSecret(): Promise<string | undefined>;
  /** Makes what this owner has claimed due at `now`. */
  release(owner: string, now: string): Promise<void>;
  /** Makes due at `now` what is due after `latest`, which no schedule makes: a clock was ahead when it was tried. */
  pullBack(latest: string, now: string): Promise<void>;
  /** When the next delivery is due. */
  nextDue(): Promise<string | undefined>;
  /** Newest first; `cursor` comes from an earlier page. */
  deliveries(
    account_id: string,
    page: { readonly cursor: string | undefined; readonly limit: number; readonly endpoint_id?: string | undefined },
  ): Promise<{ items: Delivery[]; cursor?: string }>;
  delivery(account_id: string, id: string): Promise<{ delivery: Delivery; log: Try[] } | undefined>;
  /** Makes it due at `now`, whatever became of it; resolves with false if there is none, or it is being tried. */
  redeliver(account_id: string, id: string, now: string): Promise<boolean>;
  /** Removes up to `limit` deliveries that ended and were queued before `created_at`; resolves with whether any remain. */
  removeBefore(created_at: string, limit: number): Promise<boolean>;
  /** Has `listener` called whenever a delivery was queued by this process. */
  onQueued(listener: () => void): void;
}
