/**
 * Answers from the documentation of the installed packages: `npm run bench -- documentation [--worst]`, over HTTP from a
 * server with nothing configured; the questions are those of questions/documentation.jsonl. With `--worst` it also prints each
 * one that went wrong, and what was said.
 */

import { type DocumentationLine, isOf, readDocumentationLines, says } from './questions/documentation.ts';
import { ask, startServer } from './support/start-server.ts';
import { formatTable } from './support/table.ts';

/** An answer and the pages it cites; an empty one refuses. */
interface Told extends DocumentationLine {
  readonly answer: string;
  readonly urls: readonly string[];
}

export default async function documentation(words: string[]): Promise<void> {
  const told: Told[] = [];
  const server = await startServer();
  try {
    for (const [at, line] of readDocumentationLines().entries()) {
      const { answer, citations } = await ask(server, at, line.question);
      told.push({ ...line, answer, urls: citations.map(({ url }) => url) });
    }
  } finally {
    await server.close();
  }
  process.stdout.write(`${formatScores(told)}\n`);
  if (!words.includes('--worst')) return;
  for (const each of told.filter((one) => !isRight(one))) {
    process.stdout.write(`\n${each.question} (${each.answers?.join(' / ') ?? 'nothing'})\n${each.answer}\n`);
  }
}

/** A table of one row. */
export function formatScores(told: readonly Told[]): string {
  const asked = told.filter(({ answers }) => answers !== undefined);
  const others = told.filter(({ answers }) => answers === undefined);
  const isRefused = ({ answer }: Told) => answer === '';
  return formatTable(
    ['questions', 'answered, package cited', 'wrongly refused', 'others', 'refused'],
    [[`${asked.length}`, share(asked, isRight), share(asked, isRefused), `${others.length}`, share(others, isRefused)]],
  );
}

function isRight({ answers, answer, package: name, urls }: Told): boolean {
  if (answers === undefined || name === undefined) return answer === '';
  return says(answer, answers) && urls.some((url) => isOf(url, name));
}

function share(told: readonly Told[], is: (one: Told) => boolean): string {
  return `${((100 * told.filter(is).length) / Math.max(1, told.length)).toFixed(1)} %`;
}
