/**
 * Questions about the documentation of the installed packages, with what the product's own index finds for them. A line
 * of bench/questions/documentation.jsonl has a question, words of which some have to be in its answer, and the package that
 * says so; or a question alone that no package answers. A package is in one of five folds.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everySource, parseSourceRule } from '../../protocol/index.ts';
import { installedPackages } from '../../src/app/installed-packages.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';
import { find, foldCount } from './evidence.ts';

export interface DocumentationLine {
  readonly question: string;
  /** Absent where no package answers. */
  readonly package?: string;
  readonly answers?: readonly string[];
}

export interface AskedDocumentation extends DocumentationLine {
  readonly fold: number;
  readonly sources: readonly Source[];
  /** What is found when the package that answers is taken away; none where no package answers. */
  readonly away: readonly Source[];
}

export function readDocumentationLines(): DocumentationLine[] {
  return readFileSync(new URL('../../bench/questions/documentation.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as DocumentationLine);
}

/** Whether a text has the words of any of the answers, blind to case, blanks and marks of Markdown. */
export function says(text: string, answers: readonly string[]): boolean {
  const said = plain(text);
  return answers.some((words) => said.includes(plain(words)));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`*\\]/g, '')
    .replace(/\s+/g, ' ');
}

/** Whether a page of the index is documentation of the package. */
export function isOf(url: string, name: string): boolean {
  return url.includes(`/npm/${name}@`);
}

export async function gatherDocumentation(): Promise<AskedDocumentation[]> {
  const lines = readDocumentationLines();
  const packages = [...new Set(lines.flatMap((line) => line.package ?? []))].sort();
  const folder = await mkdtemp(join(tmpdir(), 'citewire-training-'));
  const corpus = await openCorpus({ file: join(folder, 'index.db') });
  try {
    await corpus.index({ kind: 'packages', path: installedPackages()! });
    const asked: AskedDocumentation[] = [];
    for (const [at, line] of lines.entries()) {
      const sources = await find(corpus, line.question, everySource);
      const fold = (line.package === undefined ? at : packages.indexOf(line.package)) % foldCount;
      const never = rulesOf(sources, line.package);
      const away = never.length === 0 ? [] : await find(corpus, line.question, { only: [], never });
      asked.push({ ...line, fold, sources, away });
    }
    return asked;
  } finally {
    await corpus.close();
    await rm(folder, { recursive: true });
  }
}

/** `https://cdn.example/npm/<name>@<version>/…` without what is beyond the version. */
function rulesOf(sources: readonly Source[], name: string | undefined) {
  const addresses = sources.flatMap(({ url }) => {
    return name !== undefined && isOf(url, name) ? (/^.*\/npm\/(?:@[^/]+\/)?[^/]+\//.exec(url)?.[0] ?? []) : [];
  });
  return [...new Set(addresses)].flatMap((address) => parseSourceRule(address) ?? []);
}
