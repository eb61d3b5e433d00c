/**
 * `npm run bench -- corpus --generated 2000000 <questions.jsonl.gz>`: real pages in Postgres, then generated ones beside them, up to
 * 88,000 passages and up to the number. At each size it prints how long searches take, and how well the questions about the real
 * pages are answered: what the generated pages displace, and what of it an exhaustive BM25 loses, too. The real pages are indexed by the product; see fill-postgres.ts for the others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everySource } from '../../protocol/source-rules.ts';
import { neverAborted } from '../../src/base/abort.ts';
import { type OpenCorpus, openCorpus } from '../../src/corpus/corpus.ts';
import { openPostgresServer } from '../../test/support/servers/postgres.ts';
import type { BenchOptions } from '../support/report.ts';
import { median, quantile } from '../support/stats.ts';
import { openExhaustiveSearch } from './exhaustive.ts';
import { createPostgresFiller } from './fill-postgres.ts';
import { createPageGenerator } from './generated-pages.ts';
import { type RealQuestion, readReal, spread, writePages } from './real-pages.ts';

/** As many as a search of the engine asks for. */
const limit = 10;
const maxQuestions = 400;
/** Searches before those that are measured, so that what a process keeps in memory is there. */
const warmups = 100;

/** Resolves when all is printed. */
export async function benchGrowth(count: number, file: string, { say }: BenchOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'citewire-growth-'));
  const server = await openPostgresServer();
  let corpus: OpenCorpus | undefined;
  try {
    const databaseUrl = await server.fresh();
    corpus = await openCorpus({ file: join(folder, 'index.db'), databaseUrl });
    const real = readReal(file);
    writePages(folder, real.pages);
    await corpus.index({ kind: 'folder', path: join(folder, 'pages') });
    const articles = new Map<string, string>();
    for (const { title, text } of real.pages) articles.set(title, `${articles.get(title) ?? ''}\n${text}`);
    const generator = createPageGenerator([...articles.values()]);
    const questions = spread(real.questions, maxQuestions);
    const measure = async (open: OpenCorpus) => {
      process.stdout.write(`${await report(open, questions, generator.questions)}\n`);
      process.stdout.write(`  exhaustive BM25: ${await searchAll(databaseUrl, questions)}\n`);
    };
    await measure(corpus);
    const filler = await createPostgresFiller(databaseUrl, generator, say);
    try {
      for (const size of [88_000, count]) {
        const { passages } = await corpus.stats();
        await filler.fill(size - passages);
        await measure(corpus);
      }
    } finally {
      await filler.close();
    }
  } finally {
    await corpus?.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How well an exhaustive search answers. */
async function searchAll(databaseUrl: string, questions: readonly RealQuestion[]): Promise<string> {
  const exhaustive = openExhaustiveSearch(databaseUrl);
  const quality = countRight();
  for (const { question, pages } of questions)
    quality.add((await exhaustive.search(question, limit)).map(pageOf), pages);
  await exhaustive.close();
  return quality.print();
}

/** The id of a real page. */
const pageOf = (url: string) => /([^/]+)\.md$/.exec(url)?.[1] ?? '';

function countRight() {
  let asked = 0;
  let first = 0;
  let gain = 0;
  return {
    add(found: readonly string[], pages: readonly string[]) {
      const rank = found.findIndex((page) => pages.includes(page));
      asked += 1;
      if (rank === 0) first += 1;
      // One page is right, so the ideal gain is 1.
      if (rank >= 0) gain += 1 / Math.log2(rank + 2);
    },
    print: () => `right page first ${((100 * first) / asked).toFixed(1)} %, nDCG@${limit} ${(gain / asked).toFixed(3)}`,
  };
}

async function report(
  corpus: OpenCorpus,
  real: readonly RealQuestion[],
  generated: readonly string[],
): Promise<string> {
  const times: number[] = [];
  const quality = countRight();
  const search = async (text: string) => {
    const begun = performance.now();
    const passages = await corpus.search({ text, limit, rules: everySource }, neverAborted);
    times.push(performance.now() - begun);
    return passages.map(({ url }) => pageOf(url));
  };
  const made = spread(generated, maxQuestions / 2);
  for (const { question } of real.slice(0, warmups)) await search(question);
  times.length = 0;
  for (const [at, { question, pages }] of real.entries()) {
    quality.add(await search(question), pages);
    if (at % 2 === 1 && made.length > 0) await search(made[(at >> 1) % made.length]!);
  }
  const { passages } = await corpus.stats();
  const [p50, p95, p99] = [median(times), quantile(times, 0.95), quantile(times, 0.99)].map((ms) => ms.toFixed(1));
  return `${passages} passages: p50 ${p50} ms · p95 ${p95} ms · p99 ${p99} ms; ${quality.print()} (${real.length} real questions)`;
}
