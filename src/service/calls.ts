/** Calls to the service, in the form in which every transport makes them. */
import type { DoorName, OutputFormat, RateLimitState, SearchChannel, Webhook } from '../../protocol/index.ts';
import type { Access, Credentials } from '../access/access.ts';
import type { Caller } from '../access/identity.ts';
import type { RateDecision } from '../access/limiter/limiter.ts';
import type { AllowedByPath } from '../base/values/allowed-values.ts';
import type { ApiName } from '../designs/designs.ts';
import type { OnDisconnect } from '../runs/local-runs.ts';
import type { Echoed, RunWebhook } from '../runs/records/run-records.ts';
import type { Connection } from './connection.ts';
import type { PreviousSearch } from './searches/previous-search.ts';

export interface Call {
  readonly request_id: string;
  /** The caller's credentials, or the caller that a connection was authenticated as. */
  readonly from: Credentials | Caller;
  /** Fires when the caller leaves before the answer. */
  readonly signal: AbortSignal;
  /** Receives the caller's rate-limit state after each charge, even a refused one, before anything else can fail. */
  readonly onCharged: (rate: RateDecision) => void;
  /** The span that makes the call: the caller's, or that of its HTTP request here. */
  readonly traceparent?: string | undefined;
}

export interface BodyCall extends Call {
  /** Reads the request's JSON, once the caller is known. Rejects with 413, 415 or 422. */
  readonly body: () => Promise<unknown>;
}

/** What a request of another protocol can say and a native one cannot. */
export interface ForeignRequestFields {
  /** The earlier turns, where the caller repeats them. */
  readonly previous?: PreviousSearch;
  /** How the application wants answers written. */
  readonly instructions?: string;
  /** Which values the fields of the template may have. */
  readonly allowed?: AllowedByPath;
}

/** A search as a request of another protocol asks for it, not yet validated. */
export type ForeignSearch = {
  readonly request: unknown;
  /** Sources that are never used, although the request has a whitelist: entries like those of its lists. */
  readonly excluded?: readonly string[];
} & ForeignRequestFields;

/** The search to start, not yet validated: a request, or the run of an API with its inputs. */
export type SearchInput =
  | ForeignSearch
  | { readonly api: ApiName; readonly inputs: unknown }
  /** The run of an API with text that a person wrote: its inputs as JSON, or the only one it needs. */
  | {
      readonly api: ApiName;
      readonly text: string;
      readonly expected?: ExpectedTemplate;
      readonly background?: boolean;
      readonly webhook?: Webhook;
    };

/** The template that a caller of an API expects it to have. */
export interface ExpectedTemplate {
  readonly template: OutputFormat;
  /** Where it is in the request. */
  readonly at: readonly string[];
}

export interface SearchCall extends BodyCall {
  /** Whether the API in the path is to run in the background. Throws a 422 if that is unclear. */
  readonly background?: () => boolean;
  /** The webhook to call when the run of the API in the path ends. Throws a 422 if that is unclear. */
  readonly webhook?: () => Webhook | undefined;
  /** Where its end is sent, if that was found out before; in place of `webhook`. */
  readonly sentTo?: RunWebhook | undefined;
  /** The API named in the path; the body then holds the inputs of its run. Throws a 422 for an invalid path. */
  readonly api?: () => ApiName;
  /** The protocol of the call; `native` by default. */
  readonly door?: DoorName;
  /** How the search arrived, where this does not follow from the other fields. */
  readonly channel?: SearchChannel | undefined;
  /** What another protocol's call asks for, in place of `api` and `body`; called once, when the caller is known. */
  readonly input?: () => Promise<SearchInput>;
  /** What the protocol repeats of the request whenever the search is read; called after `input`. */
  readonly echoed?: () => Echoed | undefined;
  /** A function if only the body tells; it is called after `input`. */
  readonly streamed: boolean | (() => boolean);
  readonly on_disconnect: OnDisconnect;
  /** The connection that the search came over, where one may carry several. */
  readonly connection?: Connection;
  /** The caller's own name for this request: repeating it returns the same run and costs nothing. */
  readonly idempotency_key?: string | undefined;
  /** Whether what identical searches found before must not be used. */
  readonly fresh?: boolean;
}

/** The query parameters of a URL, not yet validated. */
export type Query = Readonly<Record<string, string>>;

export interface ConnectCall extends Omit<Call, 'from'> {
  /** A key, a browser's cookie, or a ticket. */
  readonly from: Credentials | { readonly ticket: string; readonly origin: string | undefined };
}

/** An accepted connection. `leave` must be called once when it closes. */
export interface Connected {
  readonly connection: Connection;
  readonly rate_limit: RateLimitState;
  readonly leave: () => void;
}

/** Takes one unit from the caller's rate limit and reports its state to the call. Rejects with 429 when none is left. */
export type Charge = (caller: Caller, call: Pick<Call, 'onCharged'>) => Promise<void>;

/** What the calls need of access: who calls, and whether they may call now. */
export type CallAccess = Pick<
  Access,
  'identify' | 'take' | 'takeResume' | 'takeFrom' | 'peek' | 'redeem' | 'issueTicket'
> & {
  readonly admission: Pick<Access['admission'], 'admit' | 'connect'>;
  readonly usage: Pick<Access['usage'], 'count' | 'report'>;
  /** Absent where nothing is limited. */
  readonly quotas?: Pick<Access['quotas'], 'take' | 'hasTokens' | 'addTokens'>;
  readonly prices?: Access['prices'];
};
