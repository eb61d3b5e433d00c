/**
 * Trains the weights of the extraction on labelled pages and prints its scores on pages of held-out hosts.
 *
 *   node --import tsx tools/training/train-extraction.ts <folder> [--folds-only] [--readability] [--rs-trafilatura] [--seed <number>]
 *
 * The folder holds `gold.jsonl` (a line a page: id, type, url, text) and `html/<id>.html`. Prints word F1 by type of page and
 * shingle F1 of articles from five folds by host, with the product's own code from bytes to Markdown; the same, on
 * request, for Readability and rs-trafilatura, with confidence intervals of the differences. Before that it trains on all
 * pages and writes src/web/extract/classify/weights.json. The same pages and seed result in the same weights.
 */
import { writeFileSync } from 'node:fs';
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
import { mean, type Overlap, plainText, shingleOverlap, tokens } from '../../bench/scores/text-scores.ts';
import { formatTable } from '../../bench/support/table.ts';
import { decodeText } from '../../src/web/extract/charset.ts';
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
    },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (folder === undefined) throw new Error('Expected the folder of the labelled pages as the first argument.');
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed)) throw new Error(`Expected a whole number as the seed, got ${values.seed}.`);
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
  const found = { citewire: readUnseen(pages, seed), ...readBy(peers, pages) };
  if (Object.keys(peers).length === 0) return;
  const { head, rows } = scoreRows(pages, found);
  const differences = describeDifferences(pages, found).map((line) => `\n- ${line}`);
  process.stdout.write(`${formatTable(head, rows)}\n${differences.join('')}\n`);
}

/** Shingle precision and recall of the articles. */
function describeArticles(pages: readonly Example[], found: readonly string[]): string {
  const overlaps = pages.flatMap(({ type, text }, at) =>
    type === 'article' ? [shingleOverlap(text, found[at]!)] : [],
  );
  const of = (name: keyof Overlap) => mean(overlaps.map((overlap) => overlap[name])).toFixed(3);
  return `${overlaps.length} articles: shingle precision ${of('precision')}, recall ${of('recall')}`;
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

/** Each page read with weights that were trained on pages of other hosts. */
function readUnseen(pages: readonly Example[], seed: number): string[] {
  const fold = foldsOf(
    pages.map(({ host }) => host),
    folds,
  );
  const found: string[] = [];
  for (let out = 0; out < folds; out += 1) {
    const model = trainModel(
      pages.filter((_, at) => fold[at] !== out),
      seed,
    );
    for (const [at, page] of pages.entries())
      if (fold[at] === out) found[at] = plainText(extractHtml(page.html, neutralUrl, model).text);
    const far = [...pages.keys()].filter((at) => fold[at]! <= out);
    const read = far.map((at) => pages[at]!);
    const citewire = far.map((at) => found[at]!);
    const { head, rows } = scoreRows(read, { citewire });
    process.stdout.write(`folds 1 to ${out + 1} of ${folds}\n${formatTable(head, rows)}\n`);
    process.stdout.write(`${describeArticles(read, citewire)}\n`);
  }
  return found;
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
