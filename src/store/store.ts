/**
 * Everything that must outlive the process, as the ports that its users define. When a promise of these resolves, the
 * change survives a killed process and a power failure.
 */
import { join } from 'node:path';
import type { AccessRecords } from '../access/access-records.ts';
import type { OnOutage } from '../base/postgres/pool.ts';
import type { DesignRecords } from '../designs/design-records.ts';
import type { BackgroundRecords } from '../runs/records/background-records.ts';
import type { FeedbackRecords } from '../runs/records/feedback-records.ts';
import type { RunRecords } from '../runs/records/run-records.ts';
import type { ThreadRecords } from '../runs/records/thread-records.ts';
import type { ScheduleRecords } from '../schedules/schedule-records.ts';
import type { CollectionRecords } from '../sources/collection-records.ts';
import type { WebhookRecords } from '../webhooks/webhook-records.ts';
import { createAccessRecords } from './access/access-records.ts';
import { createBackgroundRecords } from './background-records.ts';
import { createStoreCheck } from './check-store.ts';
import { createCollectionRecords } from './collection-records.ts';
import { createDesignRecords } from './design-records.ts';
import { createFeedbackRecords } from './feedback-records.ts';
import { createRunRecords } from './run-records.ts';
import { createScheduleRecords } from './schedule-records.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import { createThreadRecords } from './thread-records.ts';
import { createWebhookRecords } from './webhooks/webhook-records.ts';

export interface Store {
  readonly access: AccessRecords;
  readonly runs: RunRecords;
  readonly background: BackgroundRecords;
  readonly threads: ThreadRecords;
  readonly feedback: FeedbackRecords;
  readonly designs: DesignRecords;
  readonly webhooks: WebhookRecords;
  readonly schedules: ScheduleRecords;
  readonly collections: CollectionRecords;
  /** Rejects with `overloaded` while nothing can be written, with a sentence that says why. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly dataDir: string;
  /** `postgres://…`; without it the store is the SQLite file `<dataDir>/citewire.db`. */
  readonly databaseUrl?: string | undefined;
}

/** Notified of what keeps the store from working. */
export interface StoreWatch {
  /** Called for outages of Postgres. */
  readonly onOutage?: OnOutage;
  /** Called for each statement that fails on the SQLite file, with a sentence for the operator. */
  readonly onTrouble?: (reason: string) => void;
}

/** Creates and migrates the store as needed; several processes may open it. */
export async function openStore(
  { dataDir, databaseUrl }: StoreOptions,
  { onOutage, onTrouble }: StoreWatch = {},
): Promise<Store> {
  const open =
    databaseUrl === undefined
      ? await openSqlite(join(dataDir, 'citewire.db'), onTrouble)
      : await (await import('./postgres/postgres.ts')).openPostgres(databaseUrl, onOutage);
  const { db } = open;
  const webhooks = createWebhookRecords(open);
  return {
    access: createAccessRecords(open),
    runs: createRunRecords(open, webhooks.queued),
    background: createBackgroundRecords(open),
    threads: createThreadRecords(db),
    feedback: createFeedbackRecords(db),
    designs: createDesignRecords(db),
    webhooks,
    schedules: createScheduleRecords(db),
    collections: createCollectionRecords(db),
    check: createStoreCheck(db),
    close: () => db.destroy(),
  };
}
