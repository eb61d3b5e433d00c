/**
 * Whether the values of structured answers are right without a model: `npm run bench -- values [--wrong]`, on both parts of
 * questions/values. Each template is filled from the passages of all documents of its part, as if one person had indexed them.
 * `--wrong` prints what was wrong or missed in the development part; nobody tunes on the other.
 */
import { type OutputFormat, type StructuredValue, templateLeaves } from '../protocol/index.ts';
import { splitPassages } from '../src/corpus/index/split-passages.ts';
import type { LeafValue } from '../src/engine/ports/model.ts';
import { fill } from '../src/model/extractive/fill/fill.ts';
import type { Source } from '../src/model/extractive/text/passages.ts';
import { readWords } from '../src/model/extractive/text/words.ts';
import { extractHtml } from '../src/web/extract/extract-html.ts';
import { readValuesDocuments, type Split, type ValuesDocument } from './questions/values.ts';
import { formatTable } from './support/table.ts';

export interface ScoredValue {
  readonly document: string;
  readonly path: string;
  /** The type of the leaf, or "list". */
  readonly kind: string;
  readonly outcome: 'right' | 'null' | 'wrong' | 'missed';
  readonly expected: string;
  readonly found: string;
}

/** Passages that the model is given, as many as it reads. */
const passages = 24;

/** Prints a table for each part. */
export default async function values(words: string[]): Promise<void> {
  for (const split of ['development', 'held-out'] as const) {
    const started = process.cpuUsage();
    const scored = scoreValues(split);
    const { user, system } = process.cpuUsage(started);
    const templates = readValuesDocuments(split).reduce((sum, document) => sum + document.templates.length, 0);
    process.stdout.write(`\n${split}\n\n${formatScores(scored)}\n`);
    process.stdout.write(`\n${((user + system) / 1000 / templates).toFixed(1)} ms of CPU a template\n`);
    if (split === 'held-out' || !words.includes('--wrong')) continue;
    for (const { document, path, outcome, expected, found } of scored) {
      if (outcome === 'wrong' || outcome === 'missed')
        process.stdout.write(`\n${outcome} ${document} ${path}: expected ${expected}; found ${found}`);
    }
    process.stdout.write('\n');
  }
}

/** Fills every template of a part: one score for each leaf, and one for each list. */
export function scoreValues(split: Split): ScoredValue[] {
  const documents = readValuesDocuments(split);
  const sources = documents.flatMap(readSources);
  return documents.flatMap(({ name, templates }) =>
    templates.flatMap(({ prompt, template, expected }) => {
      const filled = fill(prompt, templateLeaves(template), retrieve(prompt, sources));
      return compare(template, expected, filled, '').map((each) => ({ document: name, ...each }));
    }),
  );
}

/** The shares of right values (null where the document does not say among them) and of wrong ones, 0 to 1. */
export function sharesOf(scored: readonly ScoredValue[]): { right: number; wrong: number } {
  const count = (...outcomes: string[]) => scored.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return { right: count('right', 'null') / scored.length, wrong: count('wrong') / scored.length };
}

function readSources({ name, file, text }: ValuesDocument): Source[] {
  const url = `https://${name}.example/${file}`;
  const extracted = file.endsWith('.html') ? extractHtml(text, url) : undefined;
  const shown = extracted?.text ?? text;
  const title = extracted?.title ?? /^#\s+(.*)$/m.exec(shown)?.[1] ?? name;
  return splitPassages(shown).map(({ start, end, headings }, i) => ({
    n: 0,
    snapshot: `${name}-${i}`,
    start,
    title,
    headings,
    text: shown.slice(start, end),
    score: 0,
    url,
  }));
}

/** The passages that share the most stems with the prompt, in place of the index. */
function retrieve(prompt: string, sources: readonly Source[]): Source[] {
  const asked = new Set(readWords(prompt).map(({ stem }) => stem));
  return sources
    .map((source) => {
      const stems = new Set(readWords(`${source.title} ${source.headings} ${source.text}`).map(({ stem }) => stem));
      return { ...source, score: [...asked].filter((stem) => stems.has(stem)).length };
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, passages)
    .map((source, i) => ({ ...source, n: i + 1 }));
}

function compare(
  node: OutputFormat[string],
  expected: StructuredValue,
  filled: readonly LeafValue[],
  path: string,
): Omit<ScoredValue, 'document'>[] {
  if (typeof node === 'object' && !Array.isArray(node)) {
    return Object.entries(node).flatMap(([key, child]) =>
      compare(child, (expected as Record<string, StructuredValue>)[key]!, filled, `${path}/${key}`),
    );
  }
  const isList = Array.isArray(node);
  const found: StructuredValue = isList
    ? rowsAt(path, filled)
    : (filled.find((leaf) => leaf.path === path)?.value ?? null);
  const outcome = isAbsent(expected)
    ? isAbsent(found)
      ? 'null'
      : 'wrong'
    : isAbsent(found)
      ? 'missed'
      : isSame(expected, found)
        ? 'right'
        : 'wrong';
  const kind = isList ? 'list' : (node as string);
  return [{ path, kind, outcome, expected: JSON.stringify(expected), found: JSON.stringify(found) }];
}

/** The elements of a list, from the values of its leaves. */
function rowsAt(path: string, filled: readonly LeafValue[]): StructuredValue {
  const rows: StructuredValue[] = [];
  for (const leaf of filled) {
    if (!leaf.path.startsWith(`${path}/`)) continue;
    const [row = '', key] = leaf.path.slice(path.length + 1).split('/');
    if (key === undefined) rows[Number(row)] = leaf.value;
    else rows[Number(row)] = { ...((rows[Number(row)] ?? {}) as object), [key]: leaf.value };
  }
  return rows as StructuredValue;
}

function isAbsent(value: StructuredValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Texts are the same but for case, an article in front and a full stop at the end. */
function isSame(expected: StructuredValue, found: StructuredValue): boolean {
  const plain = (value: StructuredValue) =>
    JSON.stringify(value, (_, each) =>
      typeof each === 'string'
        ? each
            .toLowerCase()
            .replace(/^(?:the|a|an) /, '')
            .replace(/\.$/, '')
        : each,
    );
  return plain(expected) === plain(found);
}

function formatScores(scored: readonly ScoredValue[]): string {
  const kinds = ['all', ...new Set(scored.map(({ kind }) => kind))];
  const rows = kinds.map((kind) => {
    const some = scored.filter((each) => kind === 'all' || each.kind === kind);
    const share = (outcome: ScoredValue['outcome']) =>
      `${((100 * some.filter((each) => each.outcome === outcome).length) / some.length).toFixed(1)} %`;
    return [kind, some.length, share('right'), share('null'), share('wrong'), share('missed')];
  });
  return formatTable(['fields', 'number', 'right', 'null where absent', 'wrong', 'missed'], rows);
}
