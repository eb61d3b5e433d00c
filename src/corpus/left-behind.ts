/**
 * What an index file has and the Postgres that is used instead lacks: pages that were indexed before `DATABASE_URL` was
 * set, and what ended searches cite. The documentation of the installed packages is not counted, as each server indexes it
 * by itself.
 */
import { existsSync } from 'node:fs';
import { documentation, ownerOfSource } from '../base/source-names.ts';
import type { CorpusBackend } from './backend.ts';
import { partsOf } from './export/export-parts.ts';
import { openSqliteBackend } from './sqlite/sqlite-backend.ts';

export interface LeftBehind {
  /** Pages of sources; a page of two sources counts twice. */
  readonly pages: number;
  /** Pages that ended searches cite. */
  readonly cited: number;
}

/** Names that are compared with one query; set by hand: a few hundred kilobytes. */
const batch = 2_000;

/**
 * Compares names, not texts. Without the file, nothing is left behind; it is not created. Rejects when the file cannot be opened,
 * as `read` does, and with the reason of `signal`.
 */
export async function countLeftBehind(
  file: string,
  read: CorpusBackend['read'],
  signal: AbortSignal,
): Promise<LeftBehind> {
  if (!existsSync(file)) return { pages: 0, cited: 0 };
  const local = await openSqliteBackend({ file });
  try {
    let [pages, cited] = [0, 0];
    for await (const names of partsOf((from) => local.read('exportNames', from, batch), signal)) {
      const moved = names.filter(({ source }) => ownerOfSource(source) !== documentation);
      if (moved.length > 0) pages += moved.length - (await read('countNamed', moved));
    }
    for await (const ids of partsOf((from) => local.read('exportCited', from, batch), signal)) {
      cited += ids.length - (await read('countSnapshots', ids));
    }
    return { pages, cited };
  } finally {
    await local.close();
  }
}
