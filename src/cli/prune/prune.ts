/**
 * `citewire prune`: removes old searches immediately, as the server does each hour, and returns the space that the SQLite files
 * no longer need to the disk. A server may be running.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { corpusPlace } from '../../app/corpus-place.ts';
import type { Config } from '../../base/config.ts';
import { openCorpus } from '../../corpus/corpus.ts';
import { createRetention } from '../../runs/retention.ts';
import { openStore } from '../../store/store.ts';
import { compactFile } from './compact-file.ts';

export interface PruneOptions {
  /** Days; those of KEEP_SEARCHES_DAYS by default. */
  readonly olderThan?: number;
}

/**
 * Removes the searches that ended, and the chats that were last continued, before the days that are kept, the pins on the pages
 * that they cite, and the pages that nothing needs; then compacts what is in DATA_DIR. Prints one tab-separated line per file: its
 * path, and its bytes before and after. Resolves with the exit code. Rejects with one sentence when there is no data, or a file
 * cannot be used or compacted.
 */
export async function prune({ olderThan }: PruneOptions, config: Config): Promise<number> {
  const { dataDir, databaseUrl } = config;
  const files = ['citewire.db', 'index.db'].map((name) => join(dataDir, name));
  if (databaseUrl === undefined && !files.some((file) => existsSync(file)))
    throw new Error(`Expected a database in DATA_DIR; ${dataDir} has none.`);
  await removeOld(olderThan ?? (config.keepSearchesDays || undefined), config);
  for (const file of files.filter((each) => existsSync(each))) {
    const { before, after, isLogLeft } = await compactFile(file);
    process.stdout.write(`${file}\t${before} bytes\t${after} bytes\n`);
    if (isLogLeft) process.stderr.write(`${file} is in use: the room of its log, ${file}-wal, comes back later.\n`);
  }
  if (databaseUrl !== undefined)
    process.stderr.write('Postgres gives room back by itself; "vacuum full" does so at once, and locks its tables.\n');
  return 0;
}

async function removeOld(keepDays: number | undefined, config: Config): Promise<void> {
  const store = await openStore(config);
  try {
    const cited = await openCorpus(corpusPlace(config));
    try {
      const { runs: records, threads, access: refusals } = store;
      const retention = createRetention({ keepDays, records, threads, refusals, cited, onFault: () => {} });
      await retention.round().finally(() => retention.close());
    } finally {
      await cited.close();
    }
  } finally {
    await store.close();
  }
}
