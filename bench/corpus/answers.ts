/**
 * `npm run bench -- corpus --answers <questions.jsonl.gz> [questions]`: a server over SQLite and one over Postgres with the same pages, asked the
 * same questions over HTTP without a model, one after the other. Prints the share of answers that are identical, word by word and
 * citation by citation.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgresServer } from '../../test/support/servers/postgres.ts';
import { startTestApp, type TestApp } from '../../test/support/start-app.ts';
import type { BenchOptions } from '../support/report.ts';
import { readReal, spread, writePages } from './real-pages.ts';

/** Differing answers that are shown. */
const maxShown = 5;

/** Resolves when all is printed. */
export async function benchAnswers(file: string, count: number, { say }: BenchOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'citewire-answers-'));
  const server = await openPostgresServer();
  const apps: TestApp[] = [];
  try {
    const real = readReal(file);
    writePages(folder, real.pages);
    for (const env of [{}, { DATABASE_URL: await server.fresh() }]) {
      const app = await startTestApp({ ...env, MEDIAWIKI_URL: 'off' });
      apps.push(app);
      await app.corpus.index({ kind: 'folder', path: join(folder, 'pages') });
      say(`indexed ${(await app.corpus.stats()).pages} pages`);
    }
    const asked = spread(real.questions, count);
    let alike = 0;
    const differing: string[] = [];
    for (const { question } of asked) {
      const [one, other] = await Promise.all(apps.map((app) => ask(app, question)));
      if (one === other) alike += 1;
      else differing.push(`${question}\n  SQLite   ${one}\n  Postgres ${other}`);
    }
    process.stdout.write(`identical answers ${((100 * alike) / asked.length).toFixed(1)} % of ${asked.length}\n`);
    for (const each of differing.slice(0, maxShown)) process.stdout.write(`${each}\n`);
  } finally {
    for (const app of apps) await app[Symbol.asyncDispose]();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The status, the answer and what it cites, as one text. Waits while the key may ask no more. */
async function ask(app: TestApp, prompt: string): Promise<string> {
  const response = await app.post('/v1/search', { prompt });
  if (response.status === 429) {
    await sleep(1_000 * Number(response.headers.get('retry-after')));
    return ask(app, prompt);
  }
  if (response.status !== 200) throw new Error(`expected 200; got ${response.status} ${await response.text()}`);
  const result = (await response.json()) as {
    status: string;
    answer: string;
    citations: { quote: string; url: string }[];
  };
  const cited = result.citations.map(({ quote, url }) => `${url} “${quote}”`);
  return [result.status, result.answer, ...cited].join(' | ');
}
