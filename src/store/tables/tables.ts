/** The tables as Kysely sees them. Columns are made in the migrations; times are ISO 8601 text in every database. */

import type { AccessTables } from './access-tables.ts';
import type { DesignTables } from './design-tables.ts';
import type { SearchTables } from './search-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

export interface Tables extends AccessTables, SearchTables, WebhookTables, DesignTables {
  migrations: {
    name: string;
    applied_at: string;
  };
}
