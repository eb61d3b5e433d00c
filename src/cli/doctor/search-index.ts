/** The index: whether it is whole, and how much is in it. */
import { join } from 'node:path';
import { isSuspect } from '../../corpus/sqlite/damaged-index.ts';
import { newestSchema } from '../../corpus/sqlite/database.ts';
import { type Check, ok, problem, skipped, warning } from './check.ts';
import { inspectFile } from './sqlite-file.ts';

const fix =
  'Start the server or run `citewire index <source>`: it renames the file and begins a new index. Then index your sources again.';

/** Whether the file opens, is whole, and was not reported as damaged while it was in use. */
export const checkSearchIndex: Check = async ({ config: { dataDir, corpus } }) => {
  if (corpus === 'postgres') return skipped('CORPUS is postgres: the index is in the Postgres of DATABASE_URL.');
  const file = join(dataDir, 'index.db');
  return inspectFile({ file, what: 'index', fix }, (database) => {
    const schema = Number(database.pragma('user_version', { simple: true }));
    if (schema > newestSchema) {
      return problem(`The index ${file} was made by a newer version.`, 'Run that version, or use another DATA_DIR.');
    }
    if (schema === 0) return ok(`The index ${file} is empty.`);
    const count = (one: string) => {
      const number = Number(database.prepare(`select count(*) from ${one}s`).pluck().get());
      return `${number} ${one}${number === 1 ? '' : 's'}`;
    };
    const said = `${count('page')} with ${count('passage')}`;
    if (isSuspect(file)) return warning(`${said}; a read of ${file} failed, so the next start checks all of it.`, fix);
    return ok(`${said} in ${file}.`);
  });
};
