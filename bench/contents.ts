/**
 * Extraction quality and time per page, compared with Readability on linkedom, defuddle on linkedom and the plain text of
 * the body.
 *
 *   npm run bench -- contents [folder] [--rs-trafilatura]
 *
 * The folder holds `gold.jsonl` (a line a page: id, type, url, text) and `html/<id>.html`; scores are word F1 (bag of words,
 * mean over pages, by type) and, for articles, shingle F1 (4-grams, harmonic mean of mean precision and recall). Without a
 * folder the project's own test pages are read: the share of the text to keep that is kept, and of the text to drop that is
 * dropped. With `--rs-trafilatura` that extractor is fetched from npm and compared too.
 * All extractors read each page in turn, in an order that rotates each round; a time is a round's median over the pages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { load } from 'cheerio';
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import { extract } from '../src/web/extract/extract.ts';
import { readByReadability } from './peers/readability.ts';
import { loadRsTrafilatura } from './peers/rs-trafilatura.ts';
import { type Found, readGold, readPage, scoreRows } from './scores/labelled-pages.ts';
import { mean, plainText, tokens } from './scores/text-scores.ts';
import { median, ratios, spread } from './support/stats.ts';
import { formatCell, formatTable } from './support/table.ts';

type Extractor = (bytes: Buffer) => Promise<string>;
type Extractors = Readonly<Record<string, Extractor>>;

interface Expectation {
  readonly page: string;
  readonly keep: readonly string[];
  readonly drop: readonly string[];
}

interface Reading {
  readonly texts: Found;
  /** For each extractor the median time per page of each round, ms. */
  readonly times: Readonly<Record<string, readonly number[]>>;
}

const rounds = 5;
const url = 'https://bench.invalid/page';
const peer = 'readability on linkedom';

const always: Extractors = {
  citewire: async (bytes) => (await extract(bytes, { contentType: 'text/html', url }))?.text ?? '',
  [peer]: async (bytes) => readByReadability(bytes.toString('utf8')),
  'defuddle on linkedom': async (bytes) => {
    const { document } = parseHTML(bytes.toString('utf8'));
    return (await Defuddle(document, url, { markdown: true, useAsync: false })).content;
  },
  'body text by cheerio': async (bytes) => {
    const $ = load(bytes);
    $('script, style, noscript').remove();
    return $('body').text();
  },
};

/** Prints the table of scores and times. */
export default async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { 'rs-trafilatura': { type: 'boolean' } },
    allowPositionals: true,
  });
  const extractors = values['rs-trafilatura'] === true ? { ...always, ...(await rsTrafilatura()) } : always;
  const [folder] = positionals;
  if (folder === undefined) await runOwnPages(fileURLToPath(new URL('../test/web/pages', import.meta.url)), extractors);
  else await runGold(folder, extractors);
}

async function rsTrafilatura(): Promise<Extractors> {
  const read = await loadRsTrafilatura();
  return { 'rs-trafilatura': async (bytes) => read(bytes.toString('utf8'), url) };
}

async function runGold(folder: string, extractors: Extractors): Promise<void> {
  const gold = readGold(folder);
  const { texts, times } = await readAll(
    gold.map((page) => readPage(folder, page)),
    extractors,
  );
  const { head, rows } = scoreRows(gold, texts);
  print(
    head,
    rows.map((row) => [...row, ...timesOf(row[0]!, times)]),
  );
}

async function runOwnPages(pages: string, extractors: Extractors): Promise<void> {
  const expected = JSON.parse(readFileSync(join(pages, 'expectations.json'), 'utf8')) as Expectation[];
  const { texts, times } = await readAll(
    expected.map(({ page }) => readFileSync(join(pages, `${page}.html`))),
    extractors,
  );
  const rows = Object.entries(texts).map(([name, found]) => {
    const kept: number[] = [];
    const gone: number[] = [];
    for (const [at, { keep, drop }] of expected.entries()) {
      const words = tokens(found[at]!).join(' ');
      const has = (said: string) => words.includes(tokens(plainText(said)).join(' '));
      kept.push(...keep.map((said) => (has(said) ? 1 : 0)));
      gone.push(...drop.map((said) => (has(said) ? 0 : 1)));
    }
    return [name, mean(kept).toFixed(3), mean(gone).toFixed(3), ...timesOf(name, times)];
  });
  print(['', 'kept', 'gone'], rows);
}

async function readAll(pages: readonly Buffer[], extractors: Extractors): Promise<Reading> {
  const names = Object.keys(extractors);
  const texts: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
  const times: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  // The first round warms up and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const taken: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
    for (const [at, page] of pages.entries()) {
      for (let turn = 0; turn < names.length; turn += 1) {
        const name = names[(turn + round) % names.length]!;
        const start = performance.now();
        // Peers throw on some pages; that counts as no text.
        const text = await extractors[name]!(page).catch(() => '');
        taken[name]!.push(performance.now() - start);
        texts[name]![at] ??= plainText(text);
      }
    }
    if (round > 0) for (const name of names) times[name]!.push(median(taken[name]!));
  }
  return { texts, times };
}

/** The spread over the rounds, and the spread of the ratios to the peer's time in the same round. */
function timesOf(name: string, times: Reading['times']): string[] {
  return [formatCell(spread(times[name]!, 'ms')), formatCell(ratios(times[name]!, times[peer]!))];
}

function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(`${formatTable([...head, 'per page', 'relative to readability'], rows)}\n`);
}
