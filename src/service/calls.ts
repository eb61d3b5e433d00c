/** What the service is asked: calls as every transport makes them, from whoever they come. */
import type { RateLimitState } from '../../protocol/index.ts';
import type { Credentials } from '../access/access.ts';
import type { Caller } from '../access/identity.ts';
import type { RateDecision } from '../access/limiter/limiter.ts';
import type { ApiName } from '../designs/designs.ts';
import type { OnDisconnect } from '../runs/registry.ts';
import type { Connection } from './connection.ts';

export interface Call {
  readonly request_id: string;
  /** Who calls: their key, or the caller that a connection signed in as. */
  readonly from: Credentials | Caller;
  /** Told what is left of the key's minute as soon as the call is counted, before anything else can fail. */
  readonly onCharged: (rate: RateDecision) => void;
}

export interface BodyCall extends Call {
  /** The request's JSON; rejects when there is none. */
  readonly body: () => Promise<unknown>;
}

export interface SearchCall extends BodyCall {
  /** The API that the path names: the body is then the inputs of its run. Throws a 422 where the path is at fault. */
  readonly api?: () => ApiName;
  readonly streamed: boolean;
  readonly on_disconnect: OnDisconnect;
  /** The connection it came over, where one may hold several searches. */
  readonly connection?: Connection;
  /** The caller's own name for this request: asking again with it gives the same run and costs nothing. */
  readonly idempotency_key?: string | undefined;
  /** Fires when the caller leaves before there is a run. */
  readonly signal: AbortSignal;
}

/** `cursor` is one that a page gave. */
export interface ListPage {
  readonly cursor: string | undefined;
  readonly limit: number;
}

export interface ContentsCall extends BodyCall {
  readonly signal: AbortSignal;
}

export interface PublishCall extends Call {
  readonly signal: AbortSignal;
}

/** The parameters behind the "?", as they came. */
export type Query = Readonly<Record<string, string>>;

export interface ConnectCall extends Omit<Call, 'from'> {
  /** A key, or a ticket that was bought with one. */
  readonly from: Credentials | { readonly ticket: string; readonly origin: string | undefined };
}

/** A connection that was let in; `leave` counts it out. */
export interface Connected {
  readonly connection: Connection;
  readonly rate_limit: RateLimitState;
  readonly leave: () => void;
}

/** Counts one unit of the caller's minute, said to the call. Rejects with 429. */
export type Charge = (caller: Caller, call: Pick<Call, 'onCharged'>) => Promise<void>;
