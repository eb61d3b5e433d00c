/**
 * A folder of pages whose main text people have labelled, `gold.jsonl` with one line per page and `html/<id>.html`; and the
 * scores of an extractor's texts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrapInterval } from './bootstrap.ts';
import { mean, shingleF1, shingleOverlap, wordF1 } from './text-scores.ts';

export interface Gold {
  readonly id: string;
  /** The kind of page: article, forum, … */
  readonly type: string;
  readonly url: string;
  readonly text: string;
}

/** The texts that each extractor found, in the order of the labelled ones. */
export type Found = Readonly<Record<string, readonly string[]>>;

/** Scores of pages, by their indexes: mean word F1, and shingle F1 of the articles among them. */
interface Scores {
  readonly words: (pages: readonly number[]) => number;
  readonly shingles: (pages: readonly number[]) => number;
}

/** The lines of `gold.jsonl`. */
export function readGold(folder: string): Gold[] {
  const lines = readFileSync(join(folder, 'gold.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Gold);
}

/** The bytes of a page. */
export function readPage(folder: string, { id }: Gold): Buffer {
  return readFileSync(join(folder, 'html', `${id}.html`));
}

/** The last two labels of the host name, so that subdomains of a site count as one; the page's id where there is no URL. */
export function hostOf({ url, id }: Gold): string {
  return URL.canParse(url) ? new URL(url).hostname.split('.').slice(-2).join('.') : id;
}

/** A table of scores with a row for each extractor: word F1 of all pages and by type of page, shingle F1 of articles. */
export function scoreRows(gold: readonly Gold[], found: Found): { head: string[]; rows: string[][] } {
  const all = [...gold.keys()];
  const types = typesOf(gold).map((type) => ({ type, pages: all.filter((at) => gold[at]!.type === type) }));
  const rows = Object.entries(found).map(([name, texts]) => {
    const { words, shingles } = scoresOf(gold, texts);
    const figures = [words(all), ...types.map(({ pages }) => words(pages)), shingles(all)];
    return [name, ...figures.map((figure) => figure.toFixed(3))];
  });
  const heads = types.map(({ type, pages }) => `${type} (${pages.length})`);
  return { head: ['', `word F1 (${all.length})`, ...heads, 'shingle F1 of articles'], rows };
}

/** A line for each extractor except the first: how far the first is ahead of it, with the 95 % interval of that. */
export function describeDifferences(gold: readonly Gold[], found: Found): string[] {
  const hosts = gold.map(hostOf);
  const all = [...gold.keys()];
  const [ours, ...others] = Object.entries(found).map(([name, texts]) => ({ name, ...scoresOf(gold, texts) }));
  const ahead = (other: Scores, kind: keyof Scores) => {
    const difference = (pages: readonly number[]) => ours![kind](pages) - other[kind](pages);
    const [low, high] = bootstrapInterval(hosts, difference);
    return `${signed(difference(all))} (95 %: ${signed(low)} to ${signed(high)})`;
  };
  return others.map(
    (other) =>
      `${ours!.name} − ${other.name}: word F1 ${ahead(other, 'words')}, shingle F1 ${ahead(other, 'shingles')}`,
  );
}

/** The types of pages, most common first. */
function typesOf(gold: readonly Gold[]): string[] {
  const counts = new Map<string, number>();
  for (const { type } of gold) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([type]) => type);
}

function scoresOf(gold: readonly Gold[], found: readonly string[]): Scores {
  const words = gold.map(({ text }, at) => wordF1(text, found[at]!));
  const shingles = gold.map(({ text, type }, at) =>
    type === 'article' ? shingleOverlap(text, found[at]!) : undefined,
  );
  return {
    words: (pages) => mean(pages.map((page) => words[page]!)),
    shingles: (pages) => shingleF1(pages.flatMap((page) => shingles[page] ?? [])),
  };
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
