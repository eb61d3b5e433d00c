/**
 * Answers from corpora of a document or two: `npm run bench -- small [name …] [--folder | --folders-of=8] [--pairs]
 * [--polite | --misspelt | --named] [--show | --json]`. Each corpus of questions/small is indexed from a folder by a server of its
 * own, which is asked every question over HTTP. With `--pairs` it is also asked two in one, of those next to each other that it
 * answers when they are asked alone. With `--folder` all corpora are in one folder, where "How much is it?" has several answers, of
 * which one counts; with `--folders-of=8`, eight that are not about the same are in each. `--polite` has words around each question
 * that ask nothing, `--misspelt` two exchanged letters in the longest word of each, and `--named` says which corpus is asked about, as
 * its files are called. `--show` prints what is not as it should be, `--json` only the corpora, as a list of
 * {name, docs, questions: [question, gold or null]}.
 *
 * How units of few pages are ranked and when an answer is refused was learned on these corpora, but not on those of
 * questions/small/at-home and the held-out folders beside it, which have rows of their own at the end; tools/training/NOTES.md has the
 * figures for corpora that were left out of the others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  readHeldOutCorpora,
  readSmallCorpora,
  type SmallCorpus,
  type SmallQuestion,
  writeDocuments,
} from './questions/small.ts';
import { inFolders } from './questions/small-folders.ts';
import { inOne, misspelt, named, politely } from './questions/ways-to-ask.ts';
import { ask, startServer } from './support/start-server.ts';
import { formatShare, formatTable } from './support/table.ts';

/** Two questions in one, with the answer in Markdown. */
interface AnsweredPair {
  readonly question: string;
  readonly pair: readonly [Answered, Answered];
  readonly answer: string;
}

/** A question with its answer in Markdown; an empty answer is a refusal. */
export interface AnsweredSmall extends SmallQuestion {
  readonly answer: string;
}

/** What a server answered, with the question as its corpus has it. */
interface Answered extends AnsweredSmall {
  readonly asked: SmallQuestion;
}

/** Words of a whole answer up to which it is useful: what a reader takes in at a glance. */
const usefulWords = 40;
/** The headings of the cells of `scoresOf`. */
export const scoreColumns = [
  'corpus',
  'questions',
  'first sentence',
  'useful',
  'anywhere',
  'words',
  'wrongly refused',
  'others',
  'refused',
];
const pairColumns = ['corpus', 'pairs', 'both answered', 'words'];
const marker = /\[\d+(?:\s*,\s*\d+)*\]/g;

/** Prints a table with a row for each corpus, one for all that were learned from, and one for all that were not. */
export default async function small(words: string[]): Promise<void> {
  const names = words.filter((word) => !word.startsWith('--'));
  const parts = [
    { name: 'all', corpora: readSmallCorpora() },
    ...readHeldOutCorpora().map(({ name, corpora }) => ({ name: `all ${name}`, corpora })),
  ].map((part) => ({
    ...part,
    corpora: part.corpora.filter(({ name }) => names.length === 0 || names.includes(name)),
  }));
  if (words.includes('--json')) {
    const corpora = parts.flatMap((part) => part.corpora.map(inScorersForm));
    process.stdout.write(`${JSON.stringify(corpora, null, 1)}\n`);
    return;
  }
  const options = { put: wayOf(words), inPairs: words.includes('--pairs') };
  const folders: Asked[] = [];
  for (const corpus of inFolders(parts, words)) folders.push(await askAll(corpus, options));
  const rows: (readonly (string | number)[])[] = [];
  const pairRows: (readonly (string | number)[])[] = [];
  for (const part of parts) {
    const all: AnsweredSmall[] = [];
    const allPairs: AnsweredPair[] = [];
    for (const corpus of part.corpora) {
      const { answered, pairs } = folders.length === 0 ? await askAll(corpus, options) : ofCorpus(corpus, folders);
      all.push(...answered);
      allPairs.push(...pairs);
      rows.push(scoresOf(corpus.name, answered));
      pairRows.push(scoresOfPairs(corpus.name, pairs));
      if (!words.includes('--show')) continue;
      for (const each of answered) show(corpus.name, each);
      for (const each of pairs) showPair(corpus.name, each);
    }
    if (all.length > 0) rows.push(scoresOf(part.name, all));
    if (allPairs.length > 0) pairRows.push(scoresOfPairs(part.name, allPairs));
  }
  process.stdout.write(`${formatTable(scoreColumns, rows)}\n`);
  if (options.inPairs) process.stdout.write(`\n${formatTable(pairColumns, pairRows)}\n`);
}

type WayToAsk = (question: string, corpus: string) => string;

function wayOf(words: readonly string[]): WayToAsk {
  if (words.includes('--named')) return named;
  return words.includes('--polite') ? politely : words.includes('--misspelt') ? misspelt : (question) => question;
}

interface Asked {
  readonly answered: readonly Answered[];
  readonly pairs: readonly AnsweredPair[];
}

/** What was asked of a corpus in the folder that it is in. */
function ofCorpus({ questions }: SmallCorpus, folders: readonly Asked[]): Asked {
  const own = folders.flatMap(({ answered }) => answered).filter(({ asked }) => questions.includes(asked));
  const pairs = folders.flatMap((folder) => folder.pairs);
  return { answered: own, pairs: pairs.filter(({ pair }) => pair.every(({ asked }) => questions.includes(asked))) };
}

async function askAll(
  corpus: SmallCorpus,
  { put, inPairs }: { readonly put: WayToAsk; readonly inPairs: boolean },
): Promise<Asked> {
  const folder = mkdtempSync(join(tmpdir(), 'citewire-small-'));
  writeDocuments(corpus, folder);
  const server = await startServer({ MEDIAWIKI_URL: 'off' }, folder);
  try {
    const answered: Answered[] = [];
    for (const [at, asked] of corpus.questions.entries()) {
      const before = asked.after === undefined ? undefined : await ask(server, at, asked.after);
      const { answer, status } = await ask(server, at, put(asked.question, asked.corpus), before?.search_id);
      answered.push({ ...asked, asked, answer: status === 'not_found' ? '' : answer });
    }
    const pairs: AnsweredPair[] = [];
    for (const [at, pair] of (inPairs ? pairsOf(answered) : []).entries()) {
      const question = inOne(pair[0].question, pair[1].question);
      const { answer } = await ask(server, at, put(question, pair[0].corpus));
      pairs.push({ question, pair, answer });
    }
    return { answered, pairs };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Questions next to each other that are answered when they are asked alone. */
function pairsOf(answered: readonly Answered[]): [Answered, Answered][] {
  const known = answered.filter((each) => each.after === undefined && says(bare(each.answer), each));
  return known.slice(1).map((each, at) => [known[at]!, each]);
}

function scoresOfPairs(name: string, pairs: readonly AnsweredPair[]): (string | number)[] {
  const words = pairs.reduce((sum, { answer }) => sum + countWords(bare(answer)), 0) / Math.max(1, pairs.length);
  return [name, pairs.length, formatShare(pairs, saysBoth), words.toFixed(0)];
}

function saysBoth({ answer, pair }: AnsweredPair): boolean {
  return pair.every((each) => says(bare(answer), each));
}

function showPair(name: string, each: AnsweredPair): void {
  if (saysBoth(each)) return;
  const gold = each.pair.map(({ answers = [] }) => answers.join(' / ')).join(' + ');
  process.stdout.write(`not both | ${name} | ${each.question} | ${gold} | ${bare(each.answer)}\n`);
}

/** The cells of a row: shares of the questions that the documents answer, and of the others. */
export function scoresOf(name: string, answered: readonly AnsweredSmall[]): (string | number)[] {
  const asked = answered.filter(({ answers }) => answers !== undefined);
  const others = answered.filter(({ answers }) => answers === undefined);
  const words = asked.reduce((sum, { answer }) => sum + countWords(bare(answer)), 0) / Math.max(1, asked.length);
  const isRefused = ({ answer }: AnsweredSmall) => answer === '';
  return [
    name,
    asked.length,
    formatShare(asked, hasFirst),
    formatShare(asked, isUseful),
    formatShare(asked, (each) => says(bare(each.answer), each)),
    words.toFixed(0),
    formatShare(asked, isRefused),
    others.length,
    formatShare(others, isRefused),
  ];
}

/** Whether the text before the first marker has the gold words. */
function hasFirst(each: AnsweredSmall): boolean {
  return says(each.answer.split(marker)[0]!, each);
}

function isUseful(each: AnsweredSmall): boolean {
  return says(bare(each.answer), each) && countWords(bare(each.answer)) <= usefulWords;
}

function says(text: string, { answers = [] }: SmallQuestion): boolean {
  const plain = (part: string) => part.toLowerCase().replace(/\s+/g, ' ');
  return answers.some((words) => plain(text).includes(plain(words)));
}

function bare(answer: string): string {
  return answer.replace(marker, ' ').replace(/\s+/g, ' ').trim();
}

function countWords(text: string): number {
  return text === '' ? 0 : text.split(' ').length;
}

function show(name: string, each: AnsweredSmall): void {
  const { question, answers, answer } = each;
  if (answers === undefined ? answer === '' : isUseful(each) && hasFirst(each)) return;
  const verdict =
    answers === undefined
      ? 'not refused'
      : answer === ''
        ? 'refused'
        : hasFirst(each)
          ? 'long'
          : says(answer, each)
            ? 'late'
            : 'wrong';
  process.stdout.write(`${verdict} | ${name} | ${question} | ${answers?.join(' / ') ?? ''} | ${bare(answer)}\n`);
}

function inScorersForm({ name, documents, questions }: SmallCorpus) {
  return { name, docs: documents, questions: questions.map(({ question, answers }) => [question, answers ?? null]) };
}
