/**
 * The corpus in SQLite and in Postgres side by side: `npm run bench -- corpus [passages] [questions.jsonl.gz]`. Both index the same
 * generated pages, and those of the file if there is one, whose lines are pages (`id`, `title`, `text`) and questions (`question`).
 * Prints how long searches take, one at a time and turn by turn, so that what else the machine does slows both, and how many
 * questions have the same passages in the same order. Needs a Postgres to start, or TEST_DATABASE_URL. `--generated` and
 * `--answers` are other benches: see growth.ts and answers.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everySource } from '../../protocol/source-rules.ts';
import { neverAborted } from '../../src/base/abort.ts';
import { type OpenCorpus, openCorpus } from '../../src/corpus/corpus.ts';
import { openPostgresServer } from '../../test/support/servers/postgres.ts';
import { writeCorpus } from '../support/corpus-files.ts';
import type { BenchOptions } from '../support/report.ts';
import { median, quantile } from '../support/stats.ts';
import { benchAnswers } from './answers.ts';
import { benchGrowth } from './growth.ts';
import { readReal, spread, writePages } from './real-pages.ts';

/** As many as a search of the engine asks for. */
const limit = 10;
/** Questions asked; a smaller number says too little of the share that is answered alike. Set by hand. */
const maxQuestions = 400;

interface Twin {
  readonly name: string;
  readonly corpus: OpenCorpus;
  readonly times: number[];
  indexedIn: number;
}

/** Resolves when all is printed. */
export default async function benchCorpus(
  [count = '88000', file, ...rest]: readonly string[],
  options: BenchOptions,
): Promise<void> {
  const { quick, say } = options;
  if (count === '--answers') {
    if (file === undefined) throw new Error('expected --answers <questions.jsonl.gz> [questions]');
    return benchAnswers(file, Number(rest[0] ?? 500), options);
  }
  if (count === '--generated') {
    const [questions] = rest;
    if (file === undefined || questions === undefined)
      throw new Error('expected --generated <passages> <questions.jsonl.gz>');
    return benchGrowth(Number(file), questions, options);
  }
  const folder = mkdtempSync(join(tmpdir(), 'citewire-corpus-'));
  const server = await openPostgresServer();
  const databaseUrl = await server.fresh();
  const twins: Twin[] = [];
  try {
    const docs = join(folder, 'docs');
    const questions = [...writeCorpus(docs, quick ? 5_000 : Number(count)).questions];
    if (file !== undefined) {
      const real = readReal(file);
      writePages(docs, real.pages);
      questions.push(...real.questions.map(({ question }) => question));
    }
    for (const [name, place] of Object.entries({ SQLite: {}, Postgres: { databaseUrl } })) {
      const corpus = await openCorpus({ file: join(folder, 'index.db'), ...place });
      const begun = performance.now();
      let last = begun;
      await corpus.index(
        { kind: 'folder', path: docs },
        {
          onProgress({ done, total }) {
            if (performance.now() - last < 10_000) return;
            last = performance.now();
            say(`${name}: indexed ${done} of ${total} pages`);
          },
        },
      );
      twins.push({ name, corpus, times: [], indexedIn: performance.now() - begun });
    }
    const { passages } = await twins[0]!.corpus.stats();
    const asked = spread(questions, maxQuestions);
    const alike = await ask(twins, asked);
    process.stdout.write(report(twins, passages, asked.length, alike));
  } finally {
    for (const { corpus } of twins) await corpus.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Alike {
  /** Questions whose best passage is the same. */
  first: number;
  /** Questions whose passages are all the same, in the same order. */
  all: number;
}

async function ask(twins: readonly Twin[], questions: readonly string[]): Promise<Alike> {
  const alike: Alike = { first: 0, all: 0 };
  for (const [at, text] of questions.entries()) {
    const found: string[][] = [];
    // Each is first as often as the other.
    for (const twin of at % 2 === 0 ? twins : [...twins].reverse()) {
      const begun = performance.now();
      const passages = await twin.corpus.search({ text, limit, rules: everySource }, neverAborted);
      twin.times.push(performance.now() - begun);
      found.push(passages.map(({ snapshot, start }) => `${snapshot} ${start}`));
    }
    const [one = [], other = []] = found;
    if (one[0] === other[0]) alike.first += 1;
    if (one.join() === other.join()) alike.all += 1;
  }
  return alike;
}

function report(twins: readonly Twin[], passages: number, questions: number, { first, all }: Alike): string {
  const [sqlite, postgres] = twins as [Twin, Twin];
  const lines = twins.map(({ name, times, indexedIn }) => {
    const shown = [median(times), quantile(times, 0.95), quantile(times, 0.99)].map((ms) => ms.toFixed(1));
    return `${name.padEnd(8)} p50 ${shown[0]} ms · p95 ${shown[1]} ms · p99 ${shown[2]} ms · indexed in ${(indexedIn / 1000).toFixed(0)} s`;
  });
  const ratio = (at: number) => (quantile(postgres.times, at) / quantile(sqlite.times, at)).toFixed(2);
  const share = (n: number) => `${((100 * n) / questions).toFixed(1)} %`;
  return `${passages} passages, ${questions} questions
${lines.join('\n')}
Postgres / SQLite: p50 ${ratio(0.5)} ×, p95 ${ratio(0.95)} ×
the same best passage ${share(first)}, the same passages in the same order ${share(all)}
`;
}
