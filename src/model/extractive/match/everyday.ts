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

/** Stems of a word or phrase. */
type Phrase = readonly string[];

interface Entry {
  readonly asked: Phrase;
  readonly said: readonly Phrase[];
  readonly strength: number;
}

/** How well a word of the same meaning has a term, and one that may answer. Set by hand. */
const sameStrength = 0.7;
const answerStrength = 0.5;

/** By the first stem of what is asked. */
const entries = readEntries(
  ['everyday', 'everyday-home', 'everyday-work']
    .map((name) => readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8'))
    .join('\n'),
);

/** A function for the texts that are read for one question. */
export function createEverydayMatcher({ terms, sequence }: AnalysedQuestion): RaiseByEveryday {
  const words = new Map<string, Map<number, number>>();
  const phrases: { readonly said: Phrase; readonly term: number; readonly strength: number }[] = [];
  sequence.forEach((stem, at) => {
    for (const { asked, said, strength } of entries.get(stem) ?? []) {
      if (asked.some((each, i) => sequence[at + i] !== each)) continue;
      const meant = terms.flatMap((term, index) => (term.at >= at && term.at < at + asked.length ? [index] : []));
      for (const term of meant) {
        for (const phrase of said) {
          const [only] = phrase;
          if (phrase.length > 1) phrases.push({ said: phrase, term, strength });
          else words.set(only!, (words.get(only!) ?? new Map<number, number>()).set(term, strength));
        }
      }
    }
  });
  return (stems, strengths) => {
    const raise = (term: number, strength: number) => {
      if (strengths[term]! < strength) strengths[term] = strength;
    };
    for (const stem of stems) for (const [term, strength] of words.get(stem) ?? []) raise(term, strength);
    if (phrases.length > 0) {
      const all = new Set(stems);
      for (const { said, term, strength } of phrases) if (said.every((stem) => all.has(stem))) raise(term, strength);
    }
    return strengths;
  };
}

/** Lines that begin with "#" are comments. */
function readEntries(text: string): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  const add = (asked: Phrase, said: readonly Phrase[], strength: number) => {
    const others = said.filter((phrase) => phrase.join(' ') !== asked.join(' '));
    const [first] = asked;
    if (first !== undefined) found.set(first, [...(found.get(first) ?? []), { asked, said: others, strength }]);
  };
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue;
    const [left = '', sign, right = ''] = line.split(/ ([=>]) /);
    if (sign === '=') {
      const group = [...phrasesOf(left), ...phrasesOf(right)];
      for (const asked of group) add(asked, withContent(group), sameStrength);
    } else for (const asked of phrasesOf(left)) add(asked, withContent(phrasesOf(right)), answerStrength);
  }
  return found;
}

function phrasesOf(list: string): Phrase[] {
  return list.split(', ').map((phrase) => readWords(phrase).map(({ stem }) => stem));
}

/** Phrases without function words; what consists of them alone is left out, for it is everywhere. */
function withContent(phrases: readonly Phrase[]): Phrase[] {
  return phrases.map((phrase) => phrase.filter((stem) => !stopStems.has(stem))).filter((phrase) => phrase.length > 0);
}
