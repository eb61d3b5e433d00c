/**
 * Extraction quality and time a page, beside Readability on linkedom and the bare text of the body, in one run.
 *
 *   npm run bench -- contents [folder]
 *
 * The folder holds `gold.jsonl` (a line a page: id, type, text) and `html/<id>.html`; scores are word F1 (bag of words,
 * mean over pages, by type) and, for articles, shingle F1 (4-grams, harmonic mean of mean precision and recall). Without a
 * folder the project's own test pages are read: the share of what must be kept that is, and of what must be gone that is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Readability } from '@mozilla/readability';
import { load } from 'cheerio';
import { parseHTML } from 'linkedom';
import { extract } from '../src/web/extract/extract.ts';
import { median, ms, quantile, table } from './support/figures.ts';

type Extractor = (bytes: Buffer) => Promise<string>;

interface Gold {
  readonly id: string;
  readonly type: string;
  readonly text: string;
}

interface Expectation {
  readonly page: string;
  readonly keep: readonly string[];
  readonly drop: readonly string[];
}

interface Overlap {
  readonly precision: number;
  readonly recall: number;
}

const extractors: Record<string, Extractor> = {
  citewire: async (bytes) =>
    (await extract(bytes, { contentType: 'text/html', url: 'https://bench.invalid/page' }))?.text ?? '',
  'readability on linkedom': async (bytes) => {
    const { document } = parseHTML(bytes.toString('utf8'));
    return new Readability(document).parse()?.textContent ?? '';
  },
  'body text by cheerio': async (bytes) => {
    const $ = load(bytes);
    $('script, style, noscript').remove();
    return $('body').text();
  },
};

export default async function run([folder]: string[]): Promise<void> {
  if (folder === undefined) await runOwnPages(fileURLToPath(new URL('../test/web/pages', import.meta.url)));
  else await runGold(folder);
}

async function runGold(data: string): Promise<void> {
  const lines = readFileSync(join(data, 'gold.jsonl'), 'utf8').trim().split('\n');
  const gold = lines.map((line) => JSON.parse(line) as Gold);
  const types = [...new Set(gold.map(({ type }) => type))];
  const rows: string[][] = [];
  for (const [name, extractor] of Object.entries(extractors)) {
    const times: number[] = [];
    const scores = new Map<string, number[]>();
    const shingles: Overlap[] = [];
    for (const { id, type, text } of gold) {
      const found = plainText(await timed(extractor, readFileSync(join(data, 'html', `${id}.html`)), times));
      for (const key of ['all', type]) scores.set(key, [...(scores.get(key) ?? []), wordF1(text, found)]);
      if (type === 'article') shingles.push(overlap(fours(tokens(text)), fours(tokens(found))));
    }
    const shingle = harmonic(mean(shingles.map((s) => s.precision)), mean(shingles.map((s) => s.recall)));
    const words = ['all', ...types].map((type) => mean(scores.get(type) ?? []).toFixed(3));
    rows.push([name, ...words, shingle.toFixed(3), ms(median(times)), ms(quantile(times, 0.95))]);
  }
  process.stdout.write(`${table(['', 'word F1', ...types, 'shingle F1 of articles', 'p50', 'p95'], rows)}\n`);
}

async function runOwnPages(pages: string): Promise<void> {
  const expected = JSON.parse(readFileSync(join(pages, 'expectations.json'), 'utf8')) as Expectation[];
  const rows: string[][] = [];
  for (const [name, extractor] of Object.entries(extractors)) {
    const times: number[] = [];
    const kept: number[] = [];
    const gone: number[] = [];
    for (const { page, keep, drop } of expected) {
      const found = tokens(plainText(await timed(extractor, readFileSync(join(pages, `${page}.html`)), times))).join(
        ' ',
      );
      const has = (words: string) => found.includes(tokens(plainText(words)).join(' '));
      kept.push(...keep.map((words) => (has(words) ? 1 : 0)));
      gone.push(...drop.map((words) => (has(words) ? 0 : 1)));
    }
    rows.push([name, mean(kept).toFixed(3), mean(gone).toFixed(3), ms(median(times)), ms(quantile(times, 0.95))]);
  }
  process.stdout.write(`${table(['', 'kept', 'gone', 'p50', 'p95'], rows)}\n`);
}

async function timed(extractor: Extractor, bytes: Buffer, times: number[]): Promise<string> {
  const start = performance.now();
  const text = await extractor(bytes).catch(() => '');
  times.push(performance.now() - start);
  return text;
}

/** Markdown's marks taken off, so that Markdown and plain text are scored alike. */
function plainText(markdown: string): string {
  return markdown
    .replace(/\[((?:[^[\]\\]|\\.)*)\]\([^)\s]*\)/g, '$1')
    .replace(/^ {0,3}(```|~~~).*$/gm, '')
    .replace(/^\|( --- \|)+$/gm, '')
    .replace(/^\s*(?:[-*+]|\d{1,3}\.) /gm, '')
    .replace(/\\([\\`*_{}[\]()#+\-.!|>~<])/g, '$1');
}

function tokens(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** As multisets. */
function overlap(gold: readonly string[], found: readonly string[]): Overlap {
  const left = new Map<string, number>();
  for (const item of gold) left.set(item, (left.get(item) ?? 0) + 1);
  let common = 0;
  for (const item of found) {
    const count = left.get(item) ?? 0;
    if (count > 0) common += 1;
    left.set(item, count - 1);
  }
  if (gold.length === 0 || found.length === 0) {
    const both = gold.length === found.length ? 1 : 0;
    return { precision: both, recall: both };
  }
  return { precision: common / found.length, recall: common / gold.length };
}

function wordF1(gold: string, found: string): number {
  const { precision, recall } = overlap(tokens(gold), tokens(found));
  return harmonic(precision, recall);
}

function fours(words: readonly string[]): string[] {
  if (words.length === 0) return [];
  return Array.from({ length: Math.max(1, words.length - 3) }, (_, at) => words.slice(at, at + 4).join(' '));
}

function harmonic(a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * a * b) / (a + b);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
