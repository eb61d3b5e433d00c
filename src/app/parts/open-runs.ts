/**
 * Opens the runs of this process, those that it shares with others over Redis, those in the background, and the removal of
 * old records.
 */
import type { Config } from '../../base/config.ts';
import type { OnFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { openFileRing } from '../../runs/ended/ring.ts';
import type { RunRecords } from '../../runs/records/run-records.ts';
import { createRegistry, type Registry } from '../../runs/registry.ts';
import { createRetention } from '../../runs/retention.ts';
import type { SharedRuns } from '../../runs/shared-runs.ts';
import { type BackgroundRuns, createBackgroundRuns } from '../../service/searches/background.ts';
import type { Closers } from './closers.ts';
import type { OpenData } from './open-data.ts';

export interface RunsWatch {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly onFault: OnFault;
}

export interface OpenRuns {
  readonly runs: Registry;
  readonly background: BackgroundRuns;
}

/** How long the events of a finished search can be read again. Set by hand. */
const runRetentionMs = 10 * 60_000;
/**
 * Disk space for these events, bytes: enough for about 8,000 searches, which 13 a second reach within the ten minutes. Set
 * by hand.
 */
const ringBytes = 64 * 2 ** 20;

/** Rejects when REDIS_URL cannot be used. */
export async function openRuns(
  config: Config,
  { folder_id, corpus, store }: OpenData,
  { log, metrics, onFault }: RunsWatch,
  { opened }: Closers,
): Promise<OpenRuns> {
  const shared = await shareRuns(config, store.runs, log);
  if (shared !== undefined) opened(shared);
  const runs = opened(
    createRegistry({
      retentionMs: runRetentionMs,
      ring: await openFileRing(config.dataDir, ringBytes),
      records: store.runs,
      background: store.background,
      cited: corpus,
      shared,
      encryptsSecrets: config.secretsKey !== undefined,
      onFault,
      onOutage(why) {
        if (why === undefined) log.info('ended searches are stored again');
        else log.warn({ reason: why }, 'ended searches cannot be stored: they wait in memory');
      },
    }),
  );
  const background = opened(createBackgroundRuns({ records: store.background, runs, folder_id, onFault }));
  metrics.watch('searches_in_background', () => background.held());
  metrics.watch('searches_unstored', () => runs.unsaved().waiting);
  metrics.watch('searches_lost', () => runs.unsaved().lost);
  const keepDays = config.keepSearchesDays || undefined;
  const { runs: records, threads, access: refusals } = store;
  const onDoubt = (expected: number, waitMs: number) =>
    log.warn(
      { expected: new Date(expected).toISOString(), wait_s: waitMs / 1000 },
      'the clock may be ahead, or nobody has asked for long: old searches are removed later, unless it is corrected',
    );
  opened(createRetention({ keepDays, records, threads, refusals, cited: corpus, onFault, onDoubt }));
  return { runs, background };
}

/** Undefined without Redis, when no other process can share runs. */
async function shareRuns({ redisUrl }: Config, records: RunRecords, log: Log): Promise<SharedRuns | undefined> {
  if (redisUrl === undefined) return undefined;
  const { openSharedRuns } = await import('../../runs/redis/shared-runs-redis.ts');
  const onFault = (error: unknown) => log.error({ err: error }, 'sharing of runs failed');
  return openSharedRuns({
    url: redisUrl,
    records,
    onFault,
    onChange(state, reason) {
      if (state === 'back') log.info('Redis is available again: other processes can read searches of this process');
      else log.warn({ reason }, 'Redis is unavailable: searches continue, but other processes cannot read them');
    },
  });
}
