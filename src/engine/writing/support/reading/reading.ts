/**
 * What the checks know about a sentence, of a claim or of a page: its tokens, which of them are numbers, dates and names, its
 * clauses, and what is negated. Two or three neighbouring sentences can be read as one.
 */
import { type FoundDate, readDates } from './dates.ts';
import { type Negation, readNegations } from './negations.ts';
import { type Quantity, readQuantities } from './quantities.ts';
import type { Sentence, Token } from './read-text.ts';
import { isListed } from './word-relations.ts';

export interface Reading {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
  readonly quantities: readonly Quantity[];
  readonly dates: readonly FoundDate[];
  /** For each token, whether it is part of a quantity or a date, whether it is a name, and the number of its clause. */
  readonly isFigure: readonly boolean[];
  readonly isName: readonly boolean[];
  readonly clauses: readonly number[];
  readonly negations: readonly Negation[];
  /** Indices of the tokens that an alignment compares: content and light words that are not figures. */
  readonly words: readonly number[];
}

/** Reads one sentence, or neighbours as one. `names`, in lower case, are names where a sentence begins with them, too. */
export function readSentence(sentences: readonly Sentence[], names: ReadonlySet<string> = noNames): Reading {
  const tokens =
    sentences.length === 1 ? sentences[0]!.tokens : sentences.flatMap((each) => [...each.tokens, stopAt(each.end)]);
  const dates = readDates(tokens);
  const inDate = new Set(dates.flatMap(({ from, to }) => range(from, to)));
  const quantities = readQuantities(tokens, (index) => inDate.has(index));
  const inQuantity = new Set(quantities.flatMap(({ from, to }) => range(from, to)));
  const isFigure = tokens.map((_, at) => inDate.has(at) || inQuantity.has(at));
  const clauses = readClauses(tokens);
  return {
    start: sentences[0]!.start,
    end: sentences.at(-1)!.end,
    tokens,
    quantities,
    dates,
    isFigure,
    isName: tokens.map((token, at) => !isFigure[at] && isName(token, tokens[at - 1], tokens[at + 1], names)),
    clauses,
    negations: readNegations(tokens, clauses),
    words: tokens.flatMap(({ kind }, at) => ((kind === 'content' || kind === 'light') && !isFigure[at] ? [at] : [])),
  };
}

/** The lower-case words of a stretch of tokens, joined by blanks. */
export function phraseOf(tokens: readonly Token[], from: number, to: number): string {
  return tokens
    .slice(Math.max(0, from), to)
    .map(({ lower }) => lower)
    .join(' ');
}

function stopAt(end: number): Token {
  return { text: '.', stem: '.', lower: '.', kind: 'mark', start: end, end, isCapital: false };
}

/** The integers from `from` up to, but not including, `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

const noNames: ReadonlySet<string> = new Set();

/** The words, in lower case, that a text writes with a capital inside its sentences, and never without one. */
export function namesOf(sentences: readonly Sentence[]): ReadonlySet<string> {
  const names = new Set<string>();
  const others = new Set<string>();
  for (const { kind, tokens } of sentences) {
    if (kind !== 'prose' && kind !== 'item') continue;
    for (const [at, { lower, isCapital, kind: word }] of tokens.entries()) {
      if (word !== 'content' && word !== 'light') continue;
      if (!isCapital) others.add(lower);
      else if (!isFirst(tokens[at - 1]) && lower.length > 2) names.add(lower);
    }
  }
  for (const word of others) names.delete(word);
  return names;
}

function isFirst(before: Token | undefined): boolean {
  return before === undefined || (before.kind === 'mark' && !/[,;—–(-]/.test(before.text));
}

/** A capital makes a name; at the start of a sentence, only of a word that no list knows and that another name follows. */
function isName(token: Token, before: Token | undefined, next: Token | undefined, names: ReadonlySet<string>): boolean {
  if (!token.isCapital || token.kind === 'function' || token.kind === 'mark') return false;
  if (!isFirst(before)) return true;
  return names.has(token.lower) || (next?.isCapital === true && next.kind === 'content' && !isListed(token.stem));
}

const stops = new Set([';', ':', '(', ')', '—', '–', '|', '!', '?', '.', '。']);
/** These begin a clause wherever they are, and … */
const openers = new Set(
  'but while whereas although though because if unless when whenever which who whom whose where however otherwise that'.split(
    ' ',
  ),
);
/** … these after a comma. */
const afterComma = new Set(
  'and or so yet as since until after before then instead not nor he she it they we you the a an his her their its this these those for with without in on at from by'.split(
    ' ',
  ),
);

function readClauses(tokens: readonly Token[]): number[] {
  let clause = 0;
  return tokens.map(({ text, lower, kind }, at) => {
    const before = tokens[at - 1];
    const opens =
      openers.has(lower) || (before?.text === ',' && kind !== 'mark' && (afterComma.has(lower) || isVerbal(lower)));
    if ((opens && at > 0) || (before !== undefined && stops.has(before.text) && !stops.has(text))) clause += 1;
    return clause;
  });
}

function isVerbal(lower: string): boolean {
  return /(?:ing|ed)$/.test(lower) && lower.length > 5;
}
