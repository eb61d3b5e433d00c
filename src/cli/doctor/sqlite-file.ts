/** Looks into one of the two SQLite files without changing it. */
import { accessSync, constants, existsSync } from 'node:fs';
import { isDamage } from '../../base/sqlite/damage.ts';
import { type Database, loadSqlite } from '../../base/sqlite.ts';
import { type Finding, problem, reasonOf, skipped } from './check.ts';

/** `what` says in a word what the file is, and `fix` what to do when it is damaged. */
export interface SqliteFile {
  readonly file: string;
  readonly what: string;
  readonly fix: string;
}

const writable = 'Set DATA_DIR to a folder on a disk that is not read-only, or have this one mounted to be written to.';
const ownership = 'Give all files of DATA_DIR to the user who runs the server, and run commands as that user.';

/** Opens the file for reading and checks its structure, then has `look` say what is in it. */
export function inspectFile({ file, what, fix }: SqliteFile, look: (database: Database) => Finding): Finding {
  if (!existsSync(file)) return skipped(`${file} does not exist yet: the first start creates it.`);
  const refused = ['', '-wal', '-shm'].map((part) => refusal(`${file}${part}`)).find((why) => why !== undefined);
  if (refused !== undefined) {
    const help = refused.code === 'EROFS' ? writable : ownership;
    return problem(`The ${what} cannot be read and written: ${reasonOf(refused)}.`, help);
  }
  let database: Database | undefined;
  try {
    const Sqlite = loaded();
    if (Sqlite instanceof Error) return problem(`The ${what} ${file} cannot be opened.`, Sqlite.message);
    database = new Sqlite(file, { readonly: true, timeout: 5_000 });
    const said = database.pragma('quick_check(1)', { simple: true });
    if (said !== 'ok')
      return problem(
        `The ${what} ${file} is damaged (${
          String(said)
            .replace(/^\*\*\*.*\n/, '')
            .split('\n')[0]
        }).`,
        fix,
      );
    return look(database);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    const reason = reasonOf(error);
    if (isDamage(code)) return problem(`The ${what} ${file} is damaged (${reason}).`, fix);
    const isDisk = /^SQLITE_(?:IOERR|FULL)/.test(code);
    const help = isDisk ? 'Free some space on its disk, or check it.' : ownership;
    return problem(`The ${what} ${file} cannot be opened: ${reason}.`, help);
  } finally {
    database?.close();
  }
}

/** SQLite, or the sentence that says why none loads, and what to do. */
function loaded(): ReturnType<typeof loadSqlite> | Error {
  try {
    return loadSqlite();
  } catch (error) {
    return error as Error;
  }
}

/** Why this user may not read and write the file; undefined if it may, or there is none. A command that root ran may have made it. */
function refusal(path: string): NodeJS.ErrnoException | undefined {
  if (!existsSync(path)) return undefined;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}
