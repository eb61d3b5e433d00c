/**
 * The limits of each plan: one row per plan, and the only place that sets these numbers. No plan limits tokens.
 *
 * `calls` counts every call that costs a unit of the key's minute, over HTTP and WebSocket together. `resumes` counts
 * upgrades and resumes separately, so a dropped connection never uses up the minute and a reconnect loop still ends.
 */

export const planNames = ['starter', 'pro'] as const;
export type PlanName = (typeof planNames)[number];

/** At most `limit` in any trailing `window_s` seconds. `bucket` names the log, `policy` the policy in the headers. */
export interface Limit {
  readonly bucket: string;
  readonly policy: string;
  readonly limit: number;
  readonly window_s: number;
}

export interface Plan {
  readonly calls: Limit;
  readonly resumes: Limit;
  /** Reads of what may be large: designs, published APIs, stored pages, and lists. */
  readonly reads: Limit;
  /** Changes of designs and keys. */
  readonly writes: Limit;
  /** Tickets that pages sign in with. */
  readonly tickets: Limit;
  /** Maximum searches in flight. */
  readonly searches_per_key: number;
  readonly searches_per_connection: number;
  readonly connections_per_key: number;
  /** Max. bytes and number of the account's sources together, and max. pages of each; set by hand. */
  readonly stored_bytes: number;
  readonly stored_sources: number;
  readonly pages_per_source: number;
  /** How long a search runs on after its last reader left, seconds. */
  readonly grace_s: number;
  /** Maximum duration of a background search, seconds. */
  readonly background_s: number;
  /** Lower numbers go first when the server is at capacity. */
  readonly priority: number;
  /** Whether searches are delayed, and refused within the limit, while the server is overloaded. */
  readonly throttled: boolean;
}

const minute = (policy: string, limit: number): Limit => ({ bucket: 'calls', policy, limit, window_s: 60 });
const reads = (limit: number): Limit => ({ bucket: 'reads', policy: 'reads', limit, window_s: 60 });
const writes = (limit: number): Limit => ({ bucket: 'writes', policy: 'writes', limit, window_s: 60 });
/** A lost connection costs one upgrade, and one resume for each of its searches: enough for at least seven losses a minute. */
const resumes = (limit: number): Limit => ({ bucket: 'resumes', policy: 'resumes', limit, window_s: 60 });
const tickets: Limit = { bucket: 'tickets', policy: 'tickets', limit: 60, window_s: 60 };

export const plans: Readonly<Record<PlanName, Plan>> = {
  starter: {
    calls: minute('starter', 10),
    resumes: resumes(30),
    reads: reads(120),
    writes: writes(60),
    tickets,
    searches_per_key: 3,
    searches_per_connection: 2,
    connections_per_key: 10,
    stored_bytes: 100 * 1024 * 1024,
    stored_sources: 100,
    pages_per_source: 200,
    grace_s: 10,
    background_s: 600,
    priority: 1,
    throttled: true,
  },
  pro: {
    calls: minute('pro', 100),
    resumes: resumes(100),
    reads: reads(600),
    writes: writes(300),
    tickets,
    searches_per_key: 8,
    searches_per_connection: 4,
    connections_per_key: 20,
    stored_bytes: 2 * 1024 * 1024 * 1024,
    stored_sources: 1_000,
    pages_per_source: 5_000,
    grace_s: 30,
    background_s: 1_800,
    priority: 0,
    throttled: false,
  },
};
