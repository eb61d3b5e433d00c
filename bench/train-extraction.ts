/**
 * Learns the weights of the extraction from labelled pages, and says how good it is on pages of hosts it has not seen.
 *
 *   npm run bench -- train-extraction <folder> [--folds-only]
 *
 * The folder holds `gold.jsonl` (a line a page: id, type, url, text) and `html/<id>.html`. Prints word F1 by type of page and
 * shingle F1 of articles, five folds by host, with the product's own code from bytes to Markdown; then trains on all pages and
 * writes src/web/extract/weights.json. Seeded: the same pages give the same weights.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { segment } from '../src/web/extract/blocks.ts';
import { decodeText } from '../src/web/extract/charset.ts';
import type { Model } from '../src/web/extract/choose.ts';
import { extractHtml } from '../src/web/extract/extract-html.ts';
import { parseHtml } from '../src/web/extract/html-tree.ts';
import { readMetadata } from '../src/web/extract/metadata.ts';
import { pruneHidden } from '../src/web/extract/prune-hidden.ts';
import { table } from './support/figures.ts';
import { mean, type Overlap, plainText, shingleF1, shingleOverlap, tokens, wordF1 } from './support/text-scores.ts';
import { sharesIn } from './training/labels.ts';
import { foldsOf, type LabelledPage, trainModel } from './training/train-model.ts';

interface Gold {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly text: string;
}

interface Example extends Gold, LabelledPage {
  readonly html: string;
}

const folds = 5;
const seed = 1;
/** Where the page is said to come from: its real address would tell the forest what kind of page it is. */
const neutralUrl = 'https://bench.invalid/page';

export default async function run([folder, option]: string[]): Promise<void> {
  if (folder === undefined) throw new Error('Expected the folder of the labelled pages.');
  const pages = readPages(folder);
  process.stdout.write(`${pages.length} pages, ${pages.reduce((sum, { blocks }) => sum + blocks.length, 0)} blocks\n`);
  validate(pages);
  if (option === '--folds-only') return;
  const model = trainModel(pages, seed);
  const file = new URL('../src/web/extract/weights.json', import.meta.url);
  writeFileSync(file, asJson(model));
  process.stdout.write(`Wrote ${file.pathname}.\n`);
}

function readPages(folder: string): Example[] {
  const lines = readFileSync(join(folder, 'gold.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const gold = JSON.parse(line) as Gold;
    const html = decodeText(readFileSync(join(folder, 'html', `${gold.id}.html`)), 'text/html');
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

/** Pages of one site, whatever its subdomain, are never on both sides. */
function hostOf({ url, id }: Gold): string {
  return URL.canParse(url) ? new URL(url).hostname.split('.').slice(-2).join('.') : id;
}

function validate(pages: readonly Example[]): void {
  const fold = foldsOf(
    pages.map(({ host }) => host),
    folds,
  );
  const words = new Map<string, number[]>();
  const shingles: Overlap[] = [];
  for (let out = 0; out < folds; out += 1) {
    const model = trainModel(
      pages.filter((_, at) => fold[at] !== out),
      seed,
    );
    for (const [at, page] of pages.entries()) {
      if (fold[at] !== out) continue;
      const found = plainText(extractHtml(page.html, neutralUrl, model).text);
      for (const key of ['all', page.type]) words.set(key, [...(words.get(key) ?? []), wordF1(page.text, found)]);
      if (page.type === 'article') shingles.push(shingleOverlap(page.text, found));
    }
    process.stdout.write(`fold ${out + 1} of ${folds}: word F1 so far ${mean(words.get('all')!).toFixed(3)}\n`);
  }
  const types = [...words.keys()].sort((a, b) => words.get(b)!.length - words.get(a)!.length);
  const rows = types.map((type) => [type, words.get(type)!.length, mean(words.get(type)!).toFixed(3)]);
  process.stdout.write(`${table(['pages', '', 'word F1'], rows)}\n`);
  process.stdout.write(`shingle F1 of articles: ${shingleF1(shingles).toFixed(3)}\n`);
}

/** A tree a line, so that what changed can be seen. */
function asJson({ features, lexicon, first, second }: Model): string {
  const forest = ({ trees }: Model['first']) =>
    `{"trees":[\n${trees.map((tree) => JSON.stringify(tree)).join(',\n')}\n]}`;
  const parts = {
    features: JSON.stringify(features),
    lexicon: JSON.stringify(lexicon),
    first: forest(first),
    second: forest(second),
  };
  return `{${Object.entries(parts)
    .map(([name, json]) => `"${name}":${json}`)
    .join(',\n')}}\n`;
}
