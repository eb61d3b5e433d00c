/**
 * Runs a peer of this project's search in a separate process, over the passages of an index file of this project.
 *
 *   retrieval-process.ts <peer> <index file>
 */
import { loadSqlite } from '../../src/base/sqlite.ts';
import { serve } from '../support/processes.ts';
import type { IndexedPassage, StartRetrieval } from './retrieval.ts';

export type RetrievalApi = {
  url(): string;
};

const [peer = '', index = ''] = process.argv.slice(2);
const { default: start } = (await import(`../peers/${peer}.ts`)) as { default: StartRetrieval };
const { url, close } = await start(index, () => {
  const database = new (loadSqlite())(index, { readonly: true });
  const sql = 'SELECT p.n AS id, g.url, g.title, p.text FROM passages AS p JOIN pages AS g ON g.n = p.page';
  const passages = database.prepare(sql).all() as IndexedPassage[];
  database.close();
  return passages;
});
serve<RetrievalApi>({ url: () => url }, close);
