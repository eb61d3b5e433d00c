/**
 * Questions that two pages answer together: `npm run bench -- two-hops [folder]`, over HTTP from a server with nothing
 * configured, whose index has the pages of questions/two-hops.jsonl and, as distractors, those of the folder's
 * questions.jsonl.gz (see questions/articles.ts).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { containsAnswer, readArticleLines } from './questions/articles.ts';
import { ask, startServer } from './support/start-server.ts';
import { formatTable } from './support/table.ts';

interface Page {
  readonly kind: 'page';
  readonly title: string;
  readonly text: string;
}

interface Question {
  readonly kind: 'question';
  readonly question: string;
  /** Titles of the two pages. */
  readonly pages: readonly string[];
  readonly answers: readonly string[];
}

/** Prints a table of one row; all shares are of the questions. */
export default async function twoHops([data]: string[]): Promise<void> {
  const lines = readFileSync(new URL('./questions/two-hops.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Page | Question);
  const own = lines.filter((line): line is Page => line.kind === 'page');
  const others = data === undefined ? [] : readArticleLines(data).filter(({ kind }) => kind === 'page');
  const folder = mkdtempSync(join(tmpdir(), 'citewire-hops-'));
  try {
    for (const [at, { title, text }] of [...own, ...others].entries())
      writeFileSync(join(folder, `${at}.md`), `# ${title}\n\n${text}\n`);
    const questions = lines.filter((line): line is Question => line.kind === 'question');
    process.stdout.write(`${await measure(folder, questions)}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(folder: string, questions: readonly Question[]): Promise<string> {
  const server = await startServer({}, folder);
  const counts = { found: 0, cited: 0, answered: 0, refused: 0 };
  try {
    for (const [at, { question, pages, answers }] of questions.entries()) {
      const result = await ask(server, at, question);
      const cited = new Set(result.citations.map(({ source_id }) => source_id));
      const has = (title: string) => result.sources.some((source) => source.title === title);
      const cites = (title: string) => result.sources.some((source) => source.title === title && cited.has(source.id));
      if (pages.every(has)) counts.found += 1;
      if (pages.every(cites)) counts.cited += 1;
      if (containsAnswer(result.answer, answers)) counts.answered += 1;
      if (result.status === 'not_found') counts.refused += 1;
    }
  } finally {
    await server.close();
  }
  const share = (count: number) => `${((100 * count) / questions.length).toFixed(1)} %`;
  return formatTable(
    ['questions', 'pages', 'both pages found', 'both cited', 'answered', 'refused'],
    [[questions.length, server.pages, ...Object.values(counts).map(share)].map(String)],
  );
}
