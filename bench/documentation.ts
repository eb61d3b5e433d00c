/**
 * Answers from the documentation of the installed packages: `npm run bench -- documentation [--worst]`, over HTTP from a
 * server with nothing configured, to the questions of questions/documentation.jsonl, and of
 * questions/newcomer.jsonl and newcomer-unseen.jsonl about Citewire itself; then to those of questions/manuals, each from a server
 * that has indexed this manual alone, to those of questions/own-folder, and to those of questions/debian where its package is installed. `--worst` also prints each
 * wrong answer.
 */

import {
  type DocumentationLine,
  isOf,
  readDebianManuals,
  readDocumentationLines,
  readManuals,
  readNewcomerLines,
  readOwnFolder,
  readUnseenLines,
  says,
} from './questions/documentation.ts';
import { ask, startServer } from './support/start-server.ts';
import { formatShare, formatTable } from './support/table.ts';

/** A question with its answer and the pages it cites; an empty answer is a refusal. */
interface Answered extends DocumentationLine {
  readonly answer: string;
  readonly urls: readonly string[];
}

/** Prints a table of scores for each set of questions. */
export default async function documentation(words: string[]): Promise<void> {
  const sets = {
    'installed packages': readDocumentationLines(),
    'Citewire, asked by a newcomer': readNewcomerLines(),
    'Citewire, questions that no page was written for': readUnseenLines(),
  };
  const answered = await askAll(Object.entries(sets));
  const ofManuals: Answered[] = [];
  for (const { folder, lines } of readManuals()) ofManuals.push(...(await askAll([['', lines]], folder)));
  report('manuals of invented products', ofManuals);
  answered.push(...ofManuals);
  const project = readOwnFolder();
  answered.push(...(await askAll([['a folder of one project', project.lines]], project.folder)));
  const { manuals, missing } = readDebianManuals();
  for (const { name, folder, lines } of manuals) answered.push(...(await askAll([[name, lines]], folder)));
  if (missing.length > 0) process.stdout.write(`Not installed: ${missing.join(', ')} (apt-get install)\n\n`);
  if (!words.includes('--worst')) return;
  for (const each of answered.filter((one) => !isRight(one))) {
    process.stdout.write(`\n${each.question} (${each.answers?.join(' / ') ?? 'nothing'})\n${each.answer}\n`);
  }
}

/** The answers of one server that has indexed `folder`, by default the installed packages; reports each set that has a name. */
async function askAll(
  sets: readonly (readonly [name: string, lines: readonly DocumentationLine[]])[],
  folder = '',
): Promise<Answered[]> {
  const answered: Answered[] = [];
  const server = await startServer({ MEDIAWIKI_URL: 'off' }, folder);
  try {
    for (const [name, lines] of sets) {
      const ofSet: Answered[] = [];
      for (const line of lines) {
        const { answer, citations } = await ask(server, answered.length + ofSet.length, line.question);
        ofSet.push({ ...line, answer, urls: citations.map(({ url }) => url) });
      }
      if (name !== '') report(name, ofSet);
      answered.push(...ofSet);
    }
    return answered;
  } finally {
    await server.close();
  }
}

function report(name: string, answered: readonly Answered[]): void {
  process.stdout.write(`${name}\n\n${formatScores(answered)}\n\n`);
}

/**
 * A Markdown table of one row: how many answers are right, how many say it before their first marker, how long their prose is,
 * and how many questions are refused.
 */
export function formatScores(answered: readonly Answered[]): string {
  const asked = answered.filter(({ answers }) => answers !== undefined);
  const others = answered.filter(({ answers }) => answers === undefined);
  const isRefused = ({ answer }: Answered) => answer === '';
  const lengths = asked.filter((each) => !isRefused(each)).map(({ answer }) => countProse(answer));
  const middle = lengths.sort((a, b) => a - b)[lengths.length >> 1] ?? 0;
  return formatTable(
    [
      'questions',
      'right, package cited',
      'in the first piece',
      'words of prose',
      'wrongly refused',
      'others',
      'refused',
    ],
    [
      [
        `${asked.length}`,
        formatShare(asked, isRight),
        formatShare(asked, isRightFirst),
        `${middle}`,
        formatShare(asked, isRefused),
        `${others.length}`,
        formatShare(others, isRefused),
      ],
    ],
  );
}

/** Words of an answer without its code and markers. */
function countProse(answer: string): number {
  return answer.replace(/```[\s\S]*?```|\[\d+\]/g, '').match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;
}

/** Whether the words are in the answer up to its first marker. */
function isRightFirst({ answers = [], answer, ...line }: Answered): boolean {
  return isRight({ ...line, answers, answer }) && says(answer.slice(0, answer.search(/\[\d+\]/)), answers);
}

function isRight({ answers, answer, package: name, urls }: Answered): boolean {
  if (answers === undefined) return answer === '';
  return says(answer, answers) && (name === undefined || urls.some((url) => isOf(url, name)));
}
