/**
 * Everything that must outlive the process, behind the ports of those who keep it. What a promise of these resolved for
 * survives a killed process and a power cut.
 */
import { join } from 'node:path';
import type { AccessRecords } from '../access/access-records.ts';
import type { DesignRecords } from '../designs/design-records.ts';
import type { RunRecords } from '../runs/run-records.ts';
import { createAccessRecords } from './access-records.ts';
import { createDesignRecords } from './design-records.ts';
import type { OnOutage } from './postgres-driver.ts';
import { createRunRecords } from './run-records.ts';
import { openSqlite } from './sqlite.ts';

export interface Store {
  readonly access: AccessRecords;
  readonly runs: RunRecords;
  readonly designs: DesignRecords;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly dataDir: string;
  /** `postgres://…`; without one the store is `<dataDir>/citewire.db`. */
  readonly databaseUrl?: string | undefined;
}

/** Makes and migrates it as needed; several processes may have it open at once. `onTrouble` hears of a server alone. */
export async function openStore({ dataDir, databaseUrl }: StoreOptions, onTrouble?: OnOutage): Promise<Store> {
  const { db } =
    databaseUrl === undefined
      ? await openSqlite(join(dataDir, 'citewire.db'))
      : await (await import('./postgres.ts')).openPostgres(databaseUrl, onTrouble);
  return {
    access: createAccessRecords(db),
    runs: createRunRecords(db),
    designs: createDesignRecords(db),
    close: () => db.destroy(),
  };
}
