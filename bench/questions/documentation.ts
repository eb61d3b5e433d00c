/**
 * Questions about the documentation of the installed packages. A line of documentation.jsonl has a question, words of
 * which some must be in its answer, and the package that says so; or a question alone that no package answers.
 */
import { readFileSync } from 'node:fs';

export interface DocumentationLine {
  readonly question: string;
  /** Absent where no package answers. */
  readonly package?: string;
  readonly answers?: readonly string[];
}

/** The questions about installed packages, in the order of the file. */
export function readDocumentationLines(): DocumentationLine[] {
  return readLines('documentation.jsonl');
}

/** What a newcomer asks about Citewire, mostly without naming it, in the order of the file. */
export function readNewcomerLines(): DocumentationLine[] {
  return readLines('newcomer.jsonl');
}

/** What newcomers of several kinds ask about Citewire, in their own words; no page was written for these questions. */
export function readUnseenLines(): DocumentationLine[] {
  return readLines('newcomer-unseen.jsonl');
}

function readLines(name: string): DocumentationLine[] {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as DocumentationLine);
}

/** Whether a text contains the words of any of the answers; ignores case, white space and Markdown markup. */
export function says(text: string, answers: readonly string[]): boolean {
  const said = plain(text);
  return answers.some((words) => said.includes(plain(words)));
}

/** Whether a page of the index is documentation of the package `name`. */
export function isOf(url: string, name: string): boolean {
  return url.includes(`/npm/${name}@`);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`*\\]/g, '')
    .replace(/\s+/g, ' ');
}
