/** What a server with a Postgres says at its start of what is still in DATA_DIR from before: the index, and the keys. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import { commandName } from '../base/own-package.ts';
import { loadSqlite } from '../base/sqlite.ts';
import { counted } from '../base/text/counted.ts';
import type { OpenCorpus } from '../corpus/corpus.ts';
import { corpusPlace } from './corpus-place.ts';

/** Says what was indexed in DATA_DIR before Postgres was used, and how to move it there. Never rejects. */
export async function warnOfLeftBehind(
  config: Config,
  corpus: OpenCorpus,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const { file, databaseUrl } = corpusPlace(config);
  if (databaseUrl === undefined) return;
  try {
    if (!existsSync(file)) return;
    const { pages, cited } = await corpus.leftBehind(file, signal);
    if (pages + cited === 0) return log.info(`nothing in ${file} is missing in Postgres`);
    log.warn(
      { file, pages, cited },
      `${counted(pages, 'page')} of ${file}, and ${cited} that searches cite, are not in Postgres, where searches look now: copy them with "${commandName} corpus move --to postgres", or delete the file; CORPUS=sqlite searches it again`,
    );
  } catch (error) {
    if (!signal.aborted)
      log.warn({ err: error, file }, 'could not compare the index in DATA_DIR with that in Postgres');
  }
}

/** Says that the keys of `citewire.db` are refused now: nothing copies them, and callers would only see a 401. Never throws. */
export function warnOfUnusedKeys({ dataDir, databaseUrl }: Config, log: Log): void {
  const file = join(dataDir, 'citewire.db');
  if (databaseUrl === undefined) return;
  try {
    if (!existsSync(file)) return;
    const keys = countKeys(file);
    if (keys === 0) return;
    log.warn(
      { file, keys },
      `${counted(keys, 'key')} of ${file} ${keys === 1 ? 'is' : 'are'} not used, nor is anything else that it has, such as accounts, designs and searches: DATABASE_URL is used instead. Make new keys with "${commandName} keys create"; without DATABASE_URL the file is used again`,
    );
  } catch (error) {
    log.warn({ err: error, file }, 'could not read the database in DATA_DIR, which is not used');
  }
}

/** How many keys have not been revoked. */
function countKeys(file: string): number {
  const database = new (loadSqlite())(file, { readonly: true });
  try {
    return database.prepare('SELECT count(*) FROM keys WHERE revoked_at IS NULL').pluck().get() as number;
  } finally {
    database.close();
  }
}
