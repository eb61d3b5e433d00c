/**
 * Small corpora of many genres, as people index them first: one to five documents each, with questions that use other words
 * than the documents. A folder of small/ is one corpus: its documents, and questions.jsonl. A line of it has a question, the
 * words of which one must be in the answer, and the sentence or row that answers; or a question alone that the documents
 * leave open. The corpora of small/held-out and small/held-out-2026-11-23 have no such sentences: nothing is learned from them, and
 * they were written before any of their answers had been read. No failure of the dated ones is read one by one: what they leave open
 * is near to what they say. Those of small/at-home and of the dated folders beside it, written in the same way, have been read since.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePdf } from '../../test/support/documents/make-pdf.ts';

export interface SmallQuestion {
  /** The name of its corpus. */
  readonly corpus: string;
  readonly question: string;
  /** The question that was asked just before, if this one follows it up: "and a cat?" */
  readonly after?: string;
  /** Both absent where the documents do not say. */
  readonly answers?: readonly string[];
  readonly sentence?: string;
}

export interface SmallCorpus {
  readonly name: string;
  /** Texts by file name. A PDF is made of the Markdown in `name.pdf.md`. */
  readonly documents: Readonly<Record<string, string>>;
  readonly questions: readonly SmallQuestion[];
}

const folder = fileURLToPath(new URL('./small', import.meta.url));
/** By the folder's name. */
const heldOutFolders = [
  'at-home',
  'at-home-2026-11-26',
  'at-home-2026-11-27',
  'at-home-2026-11-27-after',
  'held-out',
  'held-out-2026-11-23',
  'held-out-2026-11-25',
] as const;
const questionsFile = 'questions.jsonl';
/** Characters of a line and lines of a page of a PDF. */
const pdfPage = { width: 88, lines: 48 };

/** The corpora to learn from, in the order of their names. */
export function readSmallCorpora(): SmallCorpus[] {
  return readCorpora(folder);
}

/** The corpora that nothing is learned from, by the name of their folder, in the order of their names. */
export function readHeldOutCorpora(): { readonly name: string; readonly corpora: SmallCorpus[] }[] {
  return heldOutFolders.map((name) => ({ name, corpora: readCorpora(join(folder, name)) }));
}

function readCorpora(parent: string): SmallCorpus[] {
  return readdirSync(parent)
    .filter((name) => !heldOutFolders.some((heldOut) => heldOut === name))
    .sort()
    .map((name) => {
      const read = (file: string) => readFileSync(join(parent, name, file), 'utf8');
      const files = readdirSync(join(parent, name)).filter((file) => file !== questionsFile);
      const questions = read(questionsFile).trim().split('\n');
      return {
        name,
        documents: Object.fromEntries(files.map((file) => [file, read(file)])),
        questions: questions.map((line) => ({ corpus: name, ...(JSON.parse(line) as Omit<SmallQuestion, 'corpus'>) })),
      };
    });
}

/** Writes the documents into `target`, which it creates, as a person would have them: PDFs are made. */
export function writeDocuments({ documents }: SmallCorpus, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const [file, text] of Object.entries(documents)) {
    if (file.endsWith('.pdf.md')) writeFileSync(join(target, file.slice(0, -'.md'.length)), pdfOf(text));
    else writeFileSync(join(target, file), text);
  }
}

/** Headings become lines of their own, paragraphs are wrapped. */
function pdfOf(markdown: string): Buffer {
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? '';
  const lines = markdown.split('\n').flatMap((line) => wrap(line.replace(/^#+ /, '')));
  const pages = Array.from({ length: Math.ceil(lines.length / pdfPage.lines) }, (_, page) =>
    lines.slice(page * pdfPage.lines, (page + 1) * pdfPage.lines),
  );
  return makePdf({ title, pages });
}

function wrap(line: string): string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1)!;
    if (last !== '' && last.length + word.length >= pdfPage.width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
