/**
 * Inverse document frequency of stems in general text: by the share of passages that have a stem, averaged over
 * encyclopedia articles and package documentation. The subject of an article says nothing about the language, so for each
 * stem the two articles with the highest share are left out.
 */
import { readFileSync } from 'node:fs';
import type { ArticlePage } from '../../bench/questions/articles.ts';
import { installedPackages } from '../../src/app/installed-packages.ts';
import { splitPassages } from '../../src/corpus/index/split-passages.ts';
import { listPackages } from '../../src/corpus/ingest/list-packages.ts';
import { readWords } from '../../src/model/extractive/text/words.ts';

// Set by hand.
/** A stem in one of this many passages gets the highest value. */
const passagesAtMaximum = 3500;
const leftOutArticles = 2;
/** Weight of documentation in the average. */
const documentationWeight = 1 / 3;

/** By stem: 100 · ln(1 / share) / ln(3500), rounded; 0 is in every passage. Stems above 98 are left out. */
export function learnIdf(pages: readonly ArticlePage[]): Map<string, number> {
  const articles = new Map<string, string[]>();
  for (const { title, text } of pages) articles.set(title, [...(articles.get(title) ?? []), text]);
  const inArticles = [...articles.values()].map(shares);
  const inDocumentation = shares(documentation());
  const stems = new Set([...inArticles, inDocumentation].flatMap((each) => [...each.keys()]));
  const idf = new Map<string, number>();
  for (const stem of [...stems].sort()) {
    const kept = inArticles
      .map((each) => each.get(stem) ?? 0)
      .sort((a, b) => b - a)
      .slice(leftOutArticles);
    const share =
      (1 - documentationWeight) * (kept.reduce((sum, each) => sum + each, 0) / kept.length) +
      documentationWeight * (inDocumentation.get(stem) ?? 0);
    const value = share === 0 ? 100 : Math.round((100 * Math.log(1 / share)) / Math.log(passagesAtMaximum));
    if (value <= 98) idf.set(stem, value);
  }
  return idf;
}

/** For each stem the share of the texts that have it. */
function shares(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const stem of new Set(readWords(text).map((word) => word.stem))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return new Map([...counts].map(([stem, count]) => [stem, count / texts.length]));
}

/** Passages of the Markdown files in the installed packages. */
function documentation(): string[] {
  const folder = installedPackages();
  if (folder === undefined) return [];
  return listPackages(folder).files.flatMap(({ path }) => {
    const text = readFileSync(path, 'utf8');
    return splitPassages(text).map(({ start, end }) => text.slice(start, end));
  });
}
