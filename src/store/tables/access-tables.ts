/** Accounts, keys, sign-ins, and what they have used. */

import type { AccountState } from '../../access/access-records.ts';
import type { PlanName } from '../../access/plans.ts';

export interface AccessTables {
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
}
