/**
 * The words and phrases of everyday.txt and of the files of single fields, which only small corpora are read with: they say a thing
 * once, in words of their own, and there are few other units that a freer link could lead to.
 */
import { readFileSync } from 'node:fs';
import { type AnalysedQuestion, stopStems } from '../question/analyse.ts';
import { readWords, stemOf } from '../text/words.ts';
import type { Strengths } from './term-matcher.ts';

/** Raises the strengths of the terms that a text, given its stems, has other words for. Returns `strengths`. */
export type RaiseByEveryday = (stems: Iterable<string>, strengths: Strengths) => Strengths;

/** What a document says: a text has `stem` and all of `rest`. */
interface Said {
  readonly stem: string;
  readonly rest: readonly string[];
}

interface Entry {
  /** Stems of the words of a question. */
  readonly asked: readonly string[];
  readonly said: readonly Said[];
  readonly strength: number;
}

/** How well a word of the same meaning has a term, and one that may answer. Set by hand. */
const sameStrength = 0.7;
const answerStrength = 0.5;

/** Stems of function words that a phrase is not itself without: "put out", "no refund", "under 18". */
const tellingStems: ReadonlySet<string> = new Set(['up', 'out', 'off', 'down', 'over', 'under', 'no', 'not']);

/** The lines of the files by the first stem of what may be asked; sorted for the first question that small corpora answer. */
let lines: ReadonlyMap<string, readonly string[]> | undefined;
/** What was read of them, by the same stem: most are never asked about. */
const entries = new Map<string, readonly Entry[]>();

/** A function for the texts that are read for one question. */
export function createEverydayMatcher({ terms, sequence }: AnalysedQuestion): RaiseByEveryday {
  const links = new Map<
    string,
    { readonly rest: readonly string[]; readonly term: number; readonly strength: number }[]
  >();
  sequence.forEach((first, at) => {
    for (const { asked, said, strength } of entriesOf(first)) {
      if (asked.some((each, i) => sequence[at + i] !== each)) continue;
      terms.forEach(({ at: place }, term) => {
        if (place < at || place >= at + asked.length) return;
        for (const { stem, rest } of said) {
          // A word of the phrase says nothing about the others: of "opening hours", "open" is not the hours.
          if (asked.includes(stem) && rest.every((each) => asked.includes(each))) continue;
          const known = links.get(stem);
          if (known === undefined) links.set(stem, [{ rest, term, strength }]);
          else known.push({ rest, term, strength });
        }
      });
    }
  });
  return (stems, strengths) => {
    let all: ReadonlySet<string> | undefined;
    for (const stem of stems) {
      for (const { rest, term, strength } of links.get(stem) ?? []) {
        if (strengths[term]! >= strength) continue;
        if (rest.length > 0) all ??= new Set(stems);
        if (rest.every((each) => all!.has(each))) strengths[term] = strength;
      }
    }
    return strengths;
  };
}

function entriesOf(first: string): readonly Entry[] {
  const known = entries.get(first);
  if (known !== undefined) return known;
  lines ??= readLines();
  const read = (lines.get(first) ?? []).flatMap(readEntries).filter(({ asked }) => asked[0] === first);
  if (read.length > 0) entries.set(first, read);
  return read;
}

/** Lines that begin with "#" are comments. */
function readLines(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of ['everyday', 'everyday-home', 'everyday-work']) {
    for (const line of readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8').split(/\r?\n/)) {
      if (line === '' || line.startsWith('#')) continue;
      const end = line.indexOf(' > ');
      for (const phrase of (end === -1 ? line.replace(' = ', ', ') : line.slice(0, end)).split(', ')) {
        const first = firstStemOf(phrase);
        const others = found.get(first);
        if (others === undefined) found.set(first, [line]);
        else if (others.at(-1) !== line) others.push(line);
      }
    }
  }
  return found;
}

function firstStemOf(phrase: string): string {
  const [word = ''] = phrase.split(' ', 1);
  return /^[a-z]+$/.test(word) ? stemOf(word) : (readWords(phrase)[0]?.stem ?? '');
}

/** All phrases of a line that may be asked share the list of what is said. */
function readEntries(line: string): Entry[] {
  const [left = '', sign, right = ''] = line.split(/ ([=>]) /);
  const isSame = sign === '=';
  const phrases = stemsOf(isSame ? `${left}, ${right}` : left);
  const said = (isSame ? phrases : stemsOf(right)).flatMap(toSaid);
  const strength = isSame ? sameStrength : answerStrength;
  return phrases.map((asked) => ({ asked, said, strength }));
}

function stemsOf(phrases: string): string[][] {
  return phrases.split(', ').map((phrase) => readWords(phrase).map(({ stem }) => stem));
}

/** A phrase without function words but those that change what the rest means; nothing if it has no others, for it is everywhere. */
function toSaid(phrase: readonly string[]): Said[] {
  const [stem, ...others] = phrase.filter((each) => !stopStems.has(each));
  return stem === undefined ? [] : [{ stem, rest: [...others, ...phrase.filter((each) => tellingStems.has(each))] }];
}
