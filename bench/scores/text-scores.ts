/** How much of a labelled text an extractor found: words and four-word shingles as multisets, without Markdown markup. */

export interface Overlap {
  readonly precision: number;
  readonly recall: number;
}

/** Removes Markdown markup, so that Markdown and plain text are scored alike. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/\[((?:[^[\]\\]|\\.)*)\]\([^)\s]*\)/g, '$1')
    .replace(/^ {0,3}(```|~~~).*$/gm, '')
    .replace(/^\|( --- \|)+$/gm, '')
    .replace(/^\s*(?:[-*+]|\d{1,3}\.) /gm, '')
    .replace(/\\([\\`*_{}[\]()#+\-.!|>~<])/g, '$1');
}

/** Words in lower case: runs of letters, digits and underscores. */
export function tokens(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** F1 of the words as multisets, 0 to 1. */
export function wordF1(gold: string, found: string): number {
  const { precision, recall } = overlap(tokens(gold), tokens(found));
  return harmonic(precision, recall);
}

/** Precision and recall of the runs of four words, as multisets. */
export function shingleOverlap(gold: string, found: string): Overlap {
  return overlap(fours(tokens(gold)), fours(tokens(found)));
}

/** The harmonic mean of mean precision and mean recall. */
export function shingleF1(pages: readonly Overlap[]): number {
  return harmonic(mean(pages.map((page) => page.precision)), mean(pages.map((page) => page.recall)));
}

/** 0 for no values. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
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

function fours(words: readonly string[]): string[] {
  if (words.length === 0) return [];
  return Array.from({ length: Math.max(1, words.length - 3) }, (_, at) => words.slice(at, at + 4).join(' '));
}

function harmonic(a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * a * b) / (a + b);
}
