/**
 * Whether a page has the words of a claim as they are: whole sentences of them, or a stretch of one that nothing next to it
 * limits. There is then no order to judge.
 */
import type { SourceText } from './closest-sentences.ts';
import type { Token } from './reading/read-text.ts';
import type { Reading } from './reading/reading.ts';
import { isOpinion } from './structure/pair-clauses.ts';

/** Whether the words of a claim, but for an article, a pronoun or "then" at its start, are a stretch of the source. */
export function isCopied(claim: Reading, source: Reading): boolean {
  // Figures agree, or there would be a fault: "12,000,000" may stand for "12 million".
  const words = ({ tokens, isFigure }: Reading) =>
    tokens.flatMap(({ kind, lower }, at) =>
      isFigure[at] ? (isFigure[at - 1] ? [] : ['#']) : kind === 'mark' ? [] : [lower],
    );
  const [first] = claim.tokens;
  const said = words(claim).slice(first?.kind === 'function' && !meaningful.test(first.lower) ? 1 : 0);
  const own = new Set(said);
  const isDenied = claim.negations.length > 0;
  return (
    said.length > 1 &&
    ` ${words(source).join(' ')} `.includes(` ${said.join(' ')} `) &&
    !source.tokens.some(
      ({ lower, stem }) =>
        !own.has(lower) && (limiting.test(lower) || isOpinion(stem) || (isDenied && adding.test(lower))),
    )
  );
}

/** Function words that say something of what follows; others, such as an article, a pronoun or "then", may come before a copy. */
const meaningful =
  /^(?:from|until|till|since|before|after|to|by|without|against|no|not|neither|nor|none|never|nobody|if|unless|only|few|most|all)$/;
/** Words that limit what is copied when they are next to it. */
const limiting =
  /^(?:only|except|unless|if|not|never|no|nor|neither|unlike|apart|without|with|until|hardly|nearly|almost|rather|instead|whether|than)$/;

/** Words that add when, where or to whom: what is denied during a week may be so after it. */
const adding =
  /^(?:during|before|after|while|when|whenever|where|within|for|in|on|at|to|from|between|under|over|above|below|among|who|that|which)$/;

/** Words of a label that say that what follows is not so, or only seems so. */
const doubting =
  /^(?:not|no|never|false|wrong|untrue|myth|claim|rumou?r|lie|if|incorrect|fake|supposed\w*|alleged\w*|unclear|opinion|question)$/;
/** Words of the longest label; set by hand. */
const maxLabel = 3;

/** What follows "Point 3:" or "Opening:"; nothing if there is no such label, or one that doubts what follows. */
export function withoutLabel(tokens: readonly Token[]): readonly Token[] {
  const colon = tokens.findIndex(({ text }) => text === ':');
  const label = tokens.slice(0, Math.max(0, colon));
  return label.length === 0 || label.length > maxLabel || label.some(({ lower }) => doubting.test(lower))
    ? []
    : tokens.slice(colon + 1);
}

/**
 * Whole sentences, one or several in a row, that have the words of a claim and no others, in any letter case and with any
 * marks. The claim may leave out what parentheses add, unless that limits the sentence, and a "however" at the start.
 */
export function findSame(
  claim: readonly Token[],
  { sentences }: SourceText,
): { start: number; end: number } | undefined {
  const said = spokenIn(claim);
  if (said.length === 0) return undefined;
  for (const [first, { start }] of sentences.entries()) {
    let at = 0;
    for (let next = first; next < sentences.length && at < said.length; next += 1) {
      const { tokens, end } = sentences[next]!;
      const length = lengthOf(tokens, at, next === first);
      if (length === undefined) break;
      at += length;
      if (at === said.length) return { start, end };
    }
  }
  return undefined;

  /** How many words of the claim, starting at one, make up this sentence; undefined if they do not. */
  function lengthOf(tokens: readonly Token[], from: number, isFirst: boolean): number | undefined {
    const words = spokenIn(tokens);
    const fits = (some: readonly string[]) => some.every((word, index) => word === said[from + index]);
    if (fits(words)) return words.length;
    const start = isFirst && linking.test(words[0] ?? '') && !linking.test(said[from] ?? '') ? 1 : 0;
    const hasAside = tokens.some(({ text }) => text === '(');
    // Most sentences differ in their first words.
    if (words[start] !== said[from] || (start === 0 && !hasAside)) return undefined;
    const shorter = (hasAside ? spokenIn(withoutAsides(tokens)) : words).slice(start);
    return shorter.length > 1 && fits(shorter) ? shorter.length : undefined;
  }
}

/** Words of the longest label of a row: its name, its other cells and their headings. Set by hand. */
const maxRowLabel = 12;

/**
 * The row of a table that has a claim as a sentence of a cell, perhaps after a label that names the row: "PORT (default
 * 8080): Port to listen on." All of the label must be in the row, and something of it in the first cell; what else that
 * cell or the first one says may not cast doubt on it.
 */
export function findInRow(
  claim: readonly Token[],
  { sentences }: SourceText,
): { start: number; end: number } | undefined {
  const colon = claim.findIndex(({ text }) => text === ':');
  for (const at of colon === -1 ? [-1] : [colon, -1]) {
    const found = findRow(spokenIn(claim.slice(0, at + 1)), spokenIn(claim.slice(at + 1)), sentences);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findRow(label: readonly string[], said: readonly string[], sentences: SourceText['sentences']) {
  if (said.length === 0 || label.length > maxRowLabel) return undefined;
  let headings: readonly string[] = [];
  for (const { kind, tokens, start, end } of sentences) {
    if (kind === 'heading') headings = spokenIn(tokens);
    if (kind !== 'row') continue;
    const words = spokenIn(tokens);
    // Most rows lack a word of it, which is cheaper to see than their cells.
    if (![...label, ...said].every((word) => words.includes(word))) continue;
    const cells = splitAt(tokens, ({ text }) => text === '|');
    if (label.length > 0 && !label.some((word) => spokenIn(cells[0]!).includes(word))) continue;
    const isDoubted = (some: readonly string[]) =>
      some.some((word) => doubting.test(word) && !label.includes(word) && !said.includes(word));
    if (isDoubted(spokenIn(cells[0]!))) continue;
    for (const cell of cells) {
      const own = sayingIn(cell, said, headings);
      if (own !== undefined && !isDoubted(own)) return { start, end };
    }
  }
  return undefined;
}

/** The words of a cell, which is read after its heading, starting at the sentence that is said; undefined if none is. */
function sayingIn(
  cell: readonly Token[],
  said: readonly string[],
  headings: readonly string[],
): readonly string[] | undefined {
  const parts = splitAt(cell, ({ text }) => /^[.!?]$/.test(text)).map(spokenIn);
  const words = parts.flat();
  const ends = new Set([0]);
  let at = 0;
  for (const part of parts) ends.add((at += part.length));
  // The heading ends somewhere before the first word that it lacks.
  const ofHeading = words.findIndex((word) => !headings.includes(word)) + 1;
  const from = [...ends, ...Array(ofHeading).keys()].find(
    (first) => ends.has(first + said.length) && said.every((word, index) => words[first + index] === word),
  );
  if (from === undefined) return undefined;
  return words.slice(ends.has(from) ? from : 0);
}

function splitAt(tokens: readonly Token[], isEnd: (token: Token) => boolean): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (isEnd(token)) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts;
}

/** Words that link a sentence with the one before it. */
const linking = /^(?:however|but|and|so|then|also|moreover|furthermore|additionally|therefore|thus)$/;

/** The tokens outside parentheses, and those inside that limit what is said. */
function withoutAsides(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const end = tokens[at]!.text === '(' ? tokens.findIndex(({ text }, index) => index > at && text === ')') : -1;
    if (end === -1 || tokens.slice(at, end).some(({ lower }) => limiting.test(lower) || doubting.test(lower)))
      kept.push(tokens[at]!);
    else at = end;
  }
  return kept;
}

/** By the tokens of a sentence: a page is read once for many claims. */
const spoken = new WeakMap<readonly Token[], readonly string[]>();

/** The words of tokens, written in one way: "1,000" as "1000", "%" as "percent", any apostrophe as "'"; remembered. */
function spokenIn(tokens: readonly Token[]): readonly string[] {
  const known = spoken.get(tokens);
  if (known !== undefined) return known;
  const words = tokens.flatMap(({ kind, lower, text }) => {
    if (text === '%') return ['percent'];
    if (kind === 'number') return [/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(lower) ? lower.replaceAll(',', '') : lower];
    // Marks say nothing, nor does the "s" of a possessive that emphasis has cut off: "**Lang**'s".
    return kind === 'mark' || lower === 's' ? [] : [lower.replaceAll('’', "'")];
  });
  spoken.set(tokens, words);
  return words;
}
