/**
 * The words and phrases of everyday.txt and of the files of single fields, which only small corpora are read with: they say a thing
 * once, in words of their own, and there are few other units that a freer link could lead to.
 */
import { readFileSync } from 'node:fs';
import { type AnalysedQuestion, stopStems } from '../question/analyse.ts';
import { readWords } from '../text/words.ts';
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

/** By the first stem of what is asked. */
const entries = readEntries(
  ['everyday', 'everyday-home', 'everyday-work']
    .map((name) => readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8'))
    .join('\n'),
);

/** A function for the texts that are read for one question. */
export function createEverydayMatcher({ terms, sequence }: AnalysedQuestion): RaiseByEveryday {
  const links = new Map<
    string,
    { readonly rest: readonly string[]; readonly term: number; readonly strength: number }[]
  >();
  sequence.forEach((first, at) => {
    for (const { asked, said, strength } of entries.get(first) ?? []) {
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

/** Lines that begin with "#" are comments. All phrases of a line that may be asked share the list of what is said. */
function readEntries(text: string): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue;
    const [left = '', sign, right = ''] = line.split(/ ([=>]) /);
    const isSame = sign === '=';
    const phrases = stemsOf(isSame ? `${left}, ${right}` : left);
    const said = (isSame ? phrases : stemsOf(right)).flatMap(toSaid);
    const strength = isSame ? sameStrength : answerStrength;
    for (const asked of phrases) {
      const [first = ''] = asked;
      const others = found.get(first);
      if (others === undefined) found.set(first, [{ asked, said, strength }]);
      else others.push({ asked, said, strength });
    }
  }
  return found;
}

function stemsOf(phrases: string): string[][] {
  return phrases.split(', ').map((phrase) => readWords(phrase).map(({ stem }) => stem));
}

/** A phrase without function words but those that change what the rest means; nothing if it has no others, for it is everywhere. */
function toSaid(phrase: readonly string[]): Said[] {
  const [stem, ...others] = phrase.filter((each) => !stopStems.has(each));
  return stem === undefined ? [] : [{ stem, rest: [...others, ...phrase.filter((each) => tellingStems.has(each))] }];
}
