/**
 * Trains the weights of the extraction on labelled pages and prints its scores on pages of held-out hosts.
 *
 *   node --import tsx tools/training/train-extraction.ts <folder> [--folds-only] [--readability] [--rs-trafilatura] [--seed <number>]
 *     [--folds <number>] [--worst <number>] [--save <file>] [--against <file>]
 *
 * The folder holds `gold.jsonl` (a line a page: id, type, url, text) and `html/<id>.html`. Prints word F1 by type of page and
 * shingle F1 of articles from five folds by host, with the product's own code from bytes to Markdown; the same, on
 * request, for Readability and rs-trafilatura, with confidence intervals of the differences. Before that it trains on all
 * pages and writes src/web/extract/classify/weights.json. The same pages and seed result in the same weights.
 *
 * A change is judged by `--folds-only --against <file>`: differences from the texts that `--save <file>` wrote before the change,
 * with confidence intervals. `--folds` measures only this many of the five folds, `--worst` lists the pages with the lowest word F1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readByReadability } from '../../bench/peers/readability.ts';
import { loadRsTrafilatura } from '../../bench/peers/rs-trafilatura.ts';
import {
  describeDifferences,
  type Found,
  type Gold,
  hostOf,
  readGold,
  readPage,
  scoreRows,
} from '../../bench/scores/labelled-pages.ts';
import { mean, type Overlap, plainText, shingleOverlap, tokens, wordF1 } from '../../bench/scores/text-scores.ts';
import { formatTable } from '../../bench/support/table.ts';
import { decodeText } from '../../src/base/text/encoding/charset.ts';
import type { Model } from '../../src/web/extract/classify/classify-blocks.ts';
import { extractHtml } from '../../src/web/extract/extract-html.ts';
import { segment } from '../../src/web/extract/html/blocks.ts';
import { parseHtml } from '../../src/web/extract/html/html-tree.ts';
import { pruneHidden } from '../../src/web/extract/html/prune-hidden.ts';
import { readMetadata } from '../../src/web/extract/metadata.ts';
import { sharesIn } from './labels.ts';
import { foldsOf, type LabelledPage, trainModel } from './train-model.ts';

interface Example extends Gold, LabelledPage {
  readonly html: string;
}

type Peers = Record<string, (html: string, url: string) => string>;

const folds = 5;
/** The address of every page: the real one would reveal what kind of page it is. */
const neutralUrl = 'https://bench.invalid/page';

async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: {
      'folds-only': { type: 'boolean' },
      readability: { type: 'boolean' },
      'rs-trafilatura': { type: 'boolean' },
      seed: { type: 'string', default: '1' },
      folds: { type: 'string', default: String(folds) },
      worst: { type: 'string', default: '0' },
      save: { type: 'string' },
      against: { type: 'string' },
    },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (folder === undefined) throw new Error('Expected the folder of the labelled pages as the first argument.');
  const seed = wholeNumber('the seed', values.seed);
  const measured = wholeNumber('the number of folds', values.folds, 1, folds);
  const worst = wholeNumber('the number of worst pages', values.worst);
  const earlier = values.against === undefined ? undefined : readTexts(values.against);
  const peers: Peers = {};
  if (values.readability === true) peers['readability on linkedom'] = readByReadability;
  if (values['rs-trafilatura'] === true) peers['rs-trafilatura'] = await loadRsTrafilatura();
  const pages = readPages(folder);
  process.stdout.write(`${pages.length} pages, ${pages.reduce((sum, { blocks }) => sum + blocks.length, 0)} blocks\n`);
  if (values['folds-only'] !== true) {
    const file = new URL('../../src/web/extract/classify/weights.json', import.meta.url);
    writeFileSync(file, asJson(trainModel(pages, seed)));
    process.stdout.write(`Wrote ${file.pathname}.\n`);
  }
  const { read, texts } = readUnseen(pages, seed, measured);
  if (values.save !== undefined) writeFileSync(values.save, JSON.stringify(read.map(({ id }, at) => [id, texts[at]])));
  for (const line of describeWorst(read, texts).slice(0, worst)) process.stdout.write(`${line}\n`);
  if (earlier !== undefined) process.stdout.write(`${describeChange(read, texts, earlier).join('\n')}\n`);
  if (Object.keys(peers).length === 0) return;
  const found = { citewire: texts, ...readBy(peers, read) };
  const { head, rows } = scoreRows(read, found);
  const differences = describeDifferences(read, found).map((line) => `\n- ${line}`);
  process.stdout.write(`${formatTable(head, rows)}\n${differences.join('')}\n`);
}

function wholeNumber(what: string, given: string, low = 0, high = Number.MAX_SAFE_INTEGER): number {
  const number = Number(given);
  if (Number.isSafeInteger(number) && number >= low && number <= high) return number;
  throw new Error(`Expected a whole number from ${low} to ${high} as ${what}, got ${given}.`);
}

/** The texts that `--save` wrote, by page. */
function readTexts(file: string): ReadonlyMap<string, string> {
  return new Map(JSON.parse(readFileSync(file, 'utf8')) as [string, string][]);
}

/** Differences between these texts and the earlier ones, over the pages that both have. */
function describeChange(
  pages: readonly Example[],
  texts: readonly string[],
  earlier: ReadonlyMap<string, string>,
): string[] {
  const both = [...pages.keys()].filter((at) => earlier.has(pages[at]!.id));
  const gold = both.map((at) => pages[at]!);
  const now = both.map((at) => texts[at]!);
  return [
    `${gold.length} pages have earlier texts`,
    ...describeDifferences(gold, { now, earlier: gold.map(({ id }) => earlier.get(id)!) }),
  ];
}

/** A line for each page with its word F1 and, for an article, its shingle precision; lowest word F1 first. */
function describeWorst(pages: readonly Example[], texts: readonly string[]): string[] {
  const scored = pages.map((page, at) => ({ page, found: texts[at]!, f1: wordF1(page.text, texts[at]!) }));
  return scored
    .sort((a, b) => a.f1 - b.f1)
    .map(({ page: { id, type, url, text }, found, f1 }) => {
      const shingles =
        type === 'article' ? `, shingle precision ${shingleOverlap(text, found).precision.toFixed(2)}` : '';
      return `${f1.toFixed(2)} ${type} ${id} ${url}${shingles}`;
    });
}

/** Shingle precision and recall of the articles, and how much of the precision that is missing the worst tenth of them misses. */
function describeArticles(pages: readonly Example[], found: readonly string[]): string {
  const overlaps = pages.flatMap(({ type, text }, at) =>
    type === 'article' ? [shingleOverlap(text, found[at]!)] : [],
  );
  const of = (name: keyof Overlap) => mean(overlaps.map((overlap) => overlap[name])).toFixed(3);
  const missing = overlaps.map(({ precision }) => 1 - precision).sort((a, b) => b - a);
  const worst = mean(missing.slice(0, Math.floor(missing.length / 10))) * Math.floor(missing.length / 10);
  const share = (100 * worst) / (mean(missing) * missing.length);
  return (
    `${overlaps.length} articles: shingle precision ${of('precision')}, recall ${of('recall')}; ` +
    `the worst tenth misses ${share.toFixed(0)} % of the missing precision`
  );
}

function readPages(folder: string): Example[] {
  return readGold(folder).map((gold) => {
    const html = decodeText(readPage(folder, gold), 'text/html');
    const tree = parseHtml(html);
    const metadata = readMetadata(tree, neutralUrl);
    pruneHidden(tree.root);
    const { blocks } = segment(tree.root);
    const labels = sharesIn(
      blocks.map(({ text }) => tokens(text)),
      tokens(gold.text),
    );
    return { ...gold, html, host: hostOf(gold), blocks, metadata, labels };
  });
}

function readBy(peers: Peers, pages: readonly Example[]): Found {
  const readOrNothing = (read: Peers[string], { html }: Example): string => {
    try {
      return plainText(read(html, neutralUrl));
    } catch {
      return '';
    }
  };
  return Object.fromEntries(
    Object.entries(peers).map(([name, read]) => [name, pages.map((page) => readOrNothing(read, page))]),
  );
}

/** The pages of the first folds, each read with weights that were trained on pages of other hosts. */
function readUnseen(
  pages: readonly Example[],
  seed: number,
  measured: number,
): { read: readonly Example[]; texts: readonly string[] } {
  const fold = foldsOf(
    pages.map(({ host }) => host),
    folds,
  );
  const found: string[] = [];
  let [read, texts]: [Example[], string[]] = [[], []];
  for (let out = 0; out < measured; out += 1) {
    const model = trainModel(
      pages.filter((_, at) => fold[at] !== out),
      seed,
    );
    for (const [at, page] of pages.entries())
      if (fold[at] === out) found[at] = plainText(extractHtml(page.html, neutralUrl, model).text);
    const far = [...pages.keys()].filter((at) => fold[at]! <= out);
    read = far.map((at) => pages[at]!);
    texts = far.map((at) => found[at]!);
    const { head, rows } = scoreRows(read, { citewire: texts });
    process.stdout.write(`folds 1 to ${out + 1} of ${folds}\n${formatTable(head, rows)}\n`);
    process.stdout.write(`${describeArticles(read, texts)}\n`);
  }
  return { read, texts };
}

/** JSON with one tree per line, for readable diffs. */
function asJson({ features, lexicon, kinds, first, second }: Model): string {
  const forest = ({ trees }: Model['first']) =>
    `{"trees":[\n${trees.map((tree) => JSON.stringify(tree)).join(',\n')}\n]}`;
  const parts = {
    features: JSON.stringify(features),
    lexicon: JSON.stringify(lexicon),
    kinds: JSON.stringify(kinds),
    first: forest(first),
    second: forest(second),
  };
  return `{${Object.entries(parts)
    .map(([name, json]) => `"${name}":${json}`)
    .join(',\n')}}\n`;
}

await run(process.argv.slice(2));
