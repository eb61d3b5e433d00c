/**
 * The questions of bench/questions/documentation.ts with what the product's own index finds for them. A package is in one of
 * five folds.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DocumentationLine, isOf, readDocumentationLines } from '../../bench/questions/documentation.ts';
import { everySource, parseSourceRule } from '../../protocol/index.ts';
import { installedPackages } from '../../src/app/installed-packages.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';
import { find, foldCount } from './evidence.ts';

export interface DocumentationQuestion extends DocumentationLine {
  readonly fold: number;
  readonly sources: readonly Source[];
  /** What is found when the package that answers is taken away; none where no package answers. */
  readonly away: readonly Source[];
}

export async function gatherDocumentation(): Promise<DocumentationQuestion[]> {
  const lines = readDocumentationLines();
  const packages = [...new Set(lines.flatMap((line) => line.package ?? []))].sort();
  const folder = await mkdtemp(join(tmpdir(), 'citewire-training-'));
  const corpus = await openCorpus({ file: join(folder, 'index.db') });
  try {
    await corpus.index({ kind: 'packages', path: installedPackages()! });
    const asked: DocumentationQuestion[] = [];
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
