/** The tables as Kysely sees them. Columns are made in migrations.ts; times are ISO 8601 text in every database. */

import type { PlanName } from '../access/plans.ts';
import type { AccountState } from '../access/records.ts';

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
    created_at: string;
    last_used_at: string | null;
    revoked_at: string | null;
  };
  usage_days: {
    key_id: string;
    day: string;
    counter: string;
    /** A string where the driver gives 64-bit integers as text. */
    amount: number | string;
  };
  migrations: {
    name: string;
    applied_at: string;
  };
}
