/**
 * How rare a word is in general text: the share of passages that have its stem, averaged over encyclopedia articles and
 * package documentation. An article's own subject says nothing of the language, so of each word the two articles that
 * are fondest of it are left out.
 */
import { readFileSync } from 'node:fs';
import type { ArticlePage } from '../../bench/questions/articles.ts';
import { installedPackages } from '../../src/app/installed-packages.ts';
import { splitPassages } from '../../src/corpus/index/split-passages.ts';
import { listPackages } from '../../src/corpus/ingest/list-files.ts';
import { readWords } from '../../src/model/extractive/text/words.ts';

/** A word in fewer passages than one of so many is as rare as can be. */
const rarest = 3500;
const fondest = 2;
/** What documentation counts besides articles. */
const partOfDocumentation = 1 / 3;

/** By stem, 0 (in every passage) to 98; what is rarer is left out. */
export function learnIdf(pages: readonly ArticlePage[]): Map<string, number> {
  const articles = new Map<string, string[]>();
  for (const { title, text } of pages) articles.set(title, [...(articles.get(title) ?? []), text]);
  const inArticles = [...articles.values()].map(shares);
  const inDocumentation = shares(documentation());
  const stems = new Set([...inArticles, inDocumentation].flatMap((each) => [...each.keys()]));
  const rarity = new Map<string, number>();
  for (const stem of [...stems].sort()) {
    const kept = inArticles
      .map((each) => each.get(stem) ?? 0)
      .sort((a, b) => b - a)
      .slice(fondest);
    const share =
      (1 - partOfDocumentation) * (kept.reduce((sum, each) => sum + each, 0) / kept.length) +
      partOfDocumentation * (inDocumentation.get(stem) ?? 0);
    const value = share === 0 ? 100 : Math.round((100 * Math.log(1 / share)) / Math.log(rarest));
    if (value <= 98) rarity.set(stem, value);
  }
  return rarity;
}

/** The share of the texts that have each stem. */
function shares(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const stem of new Set(readWords(text).map((word) => word.stem))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return new Map([...counts].map(([stem, count]) => [stem, count / texts.length]));
}

/** Passages of the Markdown that came with the packages installed here. */
function documentation(): string[] {
  const folder = installedPackages();
  if (folder === undefined) return [];
  return listPackages(folder).files.flatMap(({ path }) => {
    const text = readFileSync(path, 'utf8');
    return splitPassages(text).map(({ start, end }) => text.slice(start, end));
  });
}
