/**
 * Questions about the documentation of the installed packages. A line of documentation.jsonl has a question, words of
 * which some must be in its answer, and the package that says so; or a question alone that no package answers. The folders of
 * manuals/ are documentation of invented products, with questions of the same form but for the package; own-folder/ has all that one
 * project keeps; the files of debian/ have questions about manuals that Debian packages.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface DocumentationLine {
  readonly question: string;
  /** Absent where no package answers, and in manuals. */
  readonly package?: string;
  /** Absent where the documentation does not answer. */
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

/** Documentation that was written for the bench, with what is asked about it. */
export interface Manual {
  readonly name: string;
  /** The path of its pages. */
  readonly folder: string;
  readonly lines: readonly DocumentationLine[];
}

/** All manuals, in the order of their names. */
export function readManuals(): Manual[] {
  const manuals = new URL('./manuals/', import.meta.url);
  return readdirSync(manuals)
    .sort()
    .map((name) => ({
      name,
      folder: fileURLToPath(new URL(`${name}/pages/`, manuals)),
      lines: readLines(`manuals/${name}/questions.jsonl`),
    }));
}

/** A folder as the makers of a small product keep it, from the README to the minutes of a meeting, with its questions. */
export function readOwnFolder(): Manual {
  const folder = fileURLToPath(new URL('./own-folder/pages/', import.meta.url));
  return { name: 'own-folder', folder, lines: readLines('own-folder/questions.jsonl') };
}

/** Where the packages of debian/ put their pages. */
const debianFolders: Readonly<Record<string, string>> = {
  'git-doc': '/usr/share/doc/git/html',
  'postgresql-doc-15': '/usr/share/doc/postgresql-doc-15/html',
  'debian-handbook': '/usr/share/doc/debian-handbook/html/en-US',
  'sqlite3-doc': '/usr/share/doc/sqlite3',
  'borgbackup-doc': '/usr/share/doc/borgbackup/html',
  'apache2-doc': '/usr/share/doc/apache2-doc/manual/en',
  'bash-doc': '/usr/share/doc/bash',
};

/** The manuals of Debian that are installed, and the names of the packages of the others. */
export function readDebianManuals(): { readonly manuals: readonly Manual[]; readonly missing: readonly string[] } {
  const manuals = Object.entries(debianFolders).map(([name, folder]) => {
    return { name, folder, lines: readLines(`debian/${name}.jsonl`) };
  });
  // Some of these folders also have the notes of the package that a manual is about.
  const isThere = ({ folder }: Manual) =>
    existsSync(folder) &&
    readdirSync(folder, { recursive: true }).some((name) => /\.(?:html?|txt|md)$/.test(String(name)));
  return {
    manuals: manuals.filter(isThere),
    missing: manuals.filter((manual) => !isThere(manual)).map(({ name }) => name),
  };
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
