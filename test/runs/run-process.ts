/** A process as far as its runs go: a registry that shares its runs over Redis. */

import { expect } from 'vitest';
import type { BackgroundRecords } from '../../src/runs/records/background-records.ts';
import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import type { RunRecords } from '../../src/runs/records/run-records.ts';
import { openSharedRuns } from '../../src/runs/redis/shared-runs-redis.ts';
import { createRegistry, type Registry } from '../../src/runs/registry.ts';
import type { Run } from '../../src/runs/run.ts';
import { accountOf } from '../support/scripted-run.ts';

export interface RunProcess {
  readonly runs: Registry;
  /** What it said of Redis. */
  readonly changes: string[];
  close(): Promise<void>;
}

/** Processes with the same records and prefix are those of one server. Every fault is thrown. */
export async function startRunProcess(
  url: string,
  prefix: string,
  records: RunRecords,
  options: { leaseMs?: number; retentionMs?: number; encryptsSecrets?: boolean } = {},
  background?: BackgroundRecords,
): Promise<RunProcess> {
  const onFault = (error: unknown) => {
    throw error;
  };
  const changes: string[] = [];
  const onChange = (state: string) => void changes.push(state);
  const shared = await openSharedRuns({ url, records, prefix, onFault, onChange, ...options });
  const { encryptsSecrets } = options;
  const runs = createRegistry({ retentionMs: 60_000, records, background, shared, encryptsSecrets, onFault });
  return {
    runs,
    changes,
    async close() {
      await runs.close();
      await shared.close();
    },
  };
}

/** Two of one server, as the laws of shared runs need them. */
export async function startRunPair(url: string, prefix: string) {
  const records = createMemoryRunRecords();
  const [home, away] = (await Promise.all([1, 2].map(() => startRunProcess(url, prefix, records)))) as [
    RunProcess,
    RunProcess,
  ];
  return {
    home: home.runs,
    away: away.runs,
    async close() {
      await home.close();
      await away.close();
    },
  };
}

/** The run with this id, once the process knows of it. */
export async function findElsewhere({ runs }: RunProcess, search_id: string): Promise<Run> {
  let run: Run | undefined;
  await expect.poll(async () => (run = (await runs.find(accountOf.account_id, search_id)).run)).toBeDefined();
  return run!;
}
