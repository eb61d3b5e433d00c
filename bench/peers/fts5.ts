/** The control: SQLite's FTS5 on the index file of this project, its best passages over node:http, in one thread. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { stopWords } from '../../src/base/text/stop-words.ts';
import { type Retrieved, retrievedPassages, type StartRetrieval } from '../throughput/retrieval.ts';

const startFts5: StartRetrieval = async (index) => {
  const database = new (loadSqlite())(index, { readonly: true });
  const query = database.prepare(`SELECT g.url, g.title, p.text FROM
    (SELECT rowid AS n FROM passage_words WHERE passage_words MATCH ? ORDER BY rank LIMIT ${retrievedPassages}) AS found
    CROSS JOIN passages AS p ON p.n = found.n CROSS JOIN pages AS g ON g.n = p.page`);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { prompt } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { prompt: string };
    const words = prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const terms = words.filter((word) => !stopWords.has(word)).map((word) => `"${word}"`);
    const passages = query.all(terms.join(' OR ') || '""') as Retrieved['passages'];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ passages } satisfies Retrieved));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections(),
  };
};
export default startFts5;
