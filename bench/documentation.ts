/**
 * Answers from the documentation of the installed packages: `npm run bench -- documentation [--worst]`, over HTTP from a
 * server with nothing configured, to the questions of questions/documentation.jsonl. `--worst` also prints each wrong answer.
 */

import { type DocumentationLine, isOf, readDocumentationLines, says } from './questions/documentation.ts';
import { ask, startServer } from './support/start-server.ts';
import { formatTable } from './support/table.ts';

/** A question with its answer and the pages it cites; an empty answer is a refusal. */
interface Answered extends DocumentationLine {
  readonly answer: string;
  readonly urls: readonly string[];
}

/** Prints the table of scores. */
export default async function documentation(words: string[]): Promise<void> {
  const answered: Answered[] = [];
  const server = await startServer();
  try {
    for (const [at, line] of readDocumentationLines().entries()) {
      const { answer, citations } = await ask(server, at, line.question);
      answered.push({ ...line, answer, urls: citations.map(({ url }) => url) });
    }
  } finally {
    await server.close();
  }
  process.stdout.write(`${formatScores(answered)}\n`);
  if (!words.includes('--worst')) return;
  for (const each of answered.filter((one) => !isRight(one))) {
    process.stdout.write(`\n${each.question} (${each.answers?.join(' / ') ?? 'nothing'})\n${each.answer}\n`);
  }
}

/** A Markdown table of one row: how many answers are right, and how many refusals. */
export function formatScores(answered: readonly Answered[]): string {
  const asked = answered.filter(({ answers }) => answers !== undefined);
  const others = answered.filter(({ answers }) => answers === undefined);
  const isRefused = ({ answer }: Answered) => answer === '';
  return formatTable(
    ['questions', 'answered, package cited', 'wrongly refused', 'others', 'refused'],
    [[`${asked.length}`, share(asked, isRight), share(asked, isRefused), `${others.length}`, share(others, isRefused)]],
  );
}

function isRight({ answers, answer, package: name, urls }: Answered): boolean {
  if (answers === undefined || name === undefined) return answer === '';
  return says(answer, answers) && urls.some((url) => isOf(url, name));
}

function share(answered: readonly Answered[], is: (one: Answered) => boolean): string {
  return `${((100 * answered.filter(is).length) / Math.max(1, answered.length)).toFixed(1)} %`;
}
