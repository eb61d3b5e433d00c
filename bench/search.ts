/**
 * Embedded search, whole: from the request over HTTP to the cited answer, over the documentation of the installed
 * packages, against the bare FTS5 query of the same words on the same file; and how long the server's loop is held up.
 */
import Database from 'better-sqlite3';
import { median, ms, quantile, table } from './support/figures.ts';
import { type BenchServer, startServer } from './support/start-server.ts';

const questions = [
  'How do I set a request timeout in undici?',
  'What is the default value of bodyTimeout?',
  'How can a WebSocket server detect broken connections?',
  'How do I define an optional property with zod?',
  'Which pragma sets the journal mode in better-sqlite3?',
  'How do I run a task in a worker pool with piscina?',
  'What does the maxSize option of lru-cache do?',
  'How are redacted paths configured in pino?',
  'How do I write a custom reporter for the test runner?',
  'What is the maximum payload length of a message?',
  'How do I escape a value in a regular expression?',
  'Which option disables the offline queue?',
];
const rounds = 5;
const concurrencies = [1, 10, 50];

export default async function search(): Promise<void> {
  const server = await startServer();
  try {
    process.stdout.write(`${server.pages} pages, ${server.passages} passages\n\n`);
    await ask(server, 24, 4);
    const bare = bareQueries(server.index);
    const rows: (string | number)[][] = [
      ['bare FTS5 query', ms(median(bare)), ms(quantile(bare, 0.95)), '1.0', '', ''],
    ];
    for (const concurrency of concurrencies) {
      const times: number[] = [];
      const delays: { p99: number; max: number }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await server.delay();
        times.push(...(await ask(server, 100, concurrency)));
        delays.push(await server.delay());
      }
      rows.push([
        `whole search, ${concurrency} at a time`,
        ms(median(times)),
        ms(quantile(times, 0.95)),
        (median(times) / median(bare)).toFixed(1),
        ms(median(delays.map(({ p99 }) => p99))),
        ms(Math.max(...delays.map(({ max }) => max))),
      ]);
    }
    process.stdout.write(`${table(['', 'p50', 'p95', '× bare', 'loop delay p99', 'max'], rows)}\n`);
  } finally {
    await server.close();
  }
}

let asked = 0;

/** Milliseconds of each of `count` searches, `concurrency` at a time. */
async function ask(server: BenchServer, count: number, concurrency: number): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < count) {
        next += 1;
        asked += 1;
        const begun = performance.now();
        const response = await fetch(`${server.url}/v1/search`, {
          method: 'POST',
          headers: { 'x-api-key': server.keys[asked % server.keys.length]!, 'content-type': 'application/json' },
          body: JSON.stringify({ prompt: questions[asked % questions.length] }),
        });
        await response.text();
        if (response.status !== 200) throw new Error(`a search was answered with ${response.status}`);
        times.push(performance.now() - begun);
      }
    }),
  );
  return times;
}

/** The same words as a bare OR query over the same passages, in this process. */
function bareQueries(index: string): number[] {
  const db = new Database(index, { readonly: true });
  const fts = db.prepare("SELECT name FROM sqlite_master WHERE sql LIKE '%fts5%'").get() as { name: string };
  const query = db.prepare(`SELECT rowid FROM ${fts.name} WHERE ${fts.name} MATCH ? ORDER BY rank LIMIT 10`);
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    for (const question of questions) {
      const words = question.match(/[\p{L}\p{N}]+/gu)!.filter((word) => word.length > 3);
      const begun = performance.now();
      query.all(words.map((word) => `"${word}"`).join(' OR '));
      if (round > 0) times.push(performance.now() - begun);
    }
  }
  db.close();
  return times;
}
