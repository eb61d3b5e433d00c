/** The questions of bench/questions/documentation.ts with the evidence that the product's index finds, in five folds by package. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DocumentationLine, isOf, readDocumentationLines } from '../../bench/questions/documentation.ts';
import { everySource, parseSourceRule } from '../../protocol/index.ts';
import { installedPackages } from '../../src/app/installed-packages.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';
import { findEvidence, foldCount } from './evidence.ts';

export interface DocumentationQuestion extends DocumentationLine {
  readonly fold: number;
  readonly sources: readonly Source[];
  /** The evidence without the package that answers; empty where no package answers. */
  readonly withoutAnswer: readonly Source[];
}

/** Indexes the installed packages and searches them for every question. */
export async function gatherDocumentation(): Promise<DocumentationQuestion[]> {
  const lines = readDocumentationLines();
  const packages = [...new Set(lines.flatMap((line) => line.package ?? []))].sort();
  const folder = await mkdtemp(join(tmpdir(), 'citewire-training-'));
  const corpus = await openCorpus({ file: join(folder, 'index.db') });
  try {
    await corpus.index({ kind: 'packages', path: installedPackages()! });
    const questions: DocumentationQuestion[] = [];
    for (const [at, line] of lines.entries()) {
      const sources = await findEvidence(corpus, line.question, everySource);
      const fold = (line.package === undefined ? at : packages.indexOf(line.package)) % foldCount;
      const never = rulesOf(sources, line.package);
      const withoutAnswer = never.length === 0 ? [] : await findEvidence(corpus, line.question, { only: [], never });
      questions.push({ ...line, fold, sources, withoutAnswer });
    }
    return questions;
  } finally {
    await corpus.close();
    await rm(folder, { recursive: true });
  }
}

/** Rules for the addresses of a package among the sources, `https://cdn.example/npm/<name>@<version>/`. */
function rulesOf(sources: readonly Source[], name: string | undefined) {
  const addresses = sources.flatMap(({ url }) => {
    return name !== undefined && isOf(url, name) ? (/^.*\/npm\/(?:@[^/]+\/)?[^/]+\//.exec(url)?.[0] ?? []) : [];
  });
  return [...new Set(addresses)].flatMap((address) => parseSourceRule(address) ?? []);
}
