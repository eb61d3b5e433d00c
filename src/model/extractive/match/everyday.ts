/**
 * The words and phrases of everyday.txt and of the files of single fields, which only small corpora are read with: they say a thing
 * once, in words of their own, and there are few other units that a freer link could lead to. Other languages have fewer, in
 * everyday-foreign.txt.
 */
import { readFileSync } from 'node:fs';
import { trimLists } from '../../../base/memory/trim.ts';
import type { StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import { type AnalysedQuestion, analyse, stopStems } from '../question/analyse.ts';
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
  /** The same as it is written. */
  readonly words: readonly string[];
  readonly strength: number;
}

/** How well a word of the same meaning has a term. Set by hand. */
const sameStrength = 0.7;
/** The same of a word that may answer, "hens" for "pets". Set by hand. */
export const answerStrength = 0.5;

/** Characters; set by hand: a search of the index weighs 300 words and keeps the rarest 32. */
const maxOtherWords = 1_000;

/** Stems of function words that a phrase is not itself without: "put out", "no refund", "under 18". */
const tellingStems: ReadonlySet<string> = new Set(['up', 'out', 'off', 'down', 'over', 'under', 'no', 'not']);

/** The words of one language; English without a code. */
interface Vocabulary {
  readonly language: StemmedLanguage | undefined;
  /** The lines of the files by the first stem of what may be asked. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
  /** What was read of them, by the same stem: most are never asked about. */
  readonly entries: Map<string, readonly Entry[]>;
}

/** Read for the first question in each language that small corpora answer. */
const vocabularies = new Map<StemmedLanguage | undefined, Vocabulary>();

/** A function for the texts that are read for one question. */
export function createEverydayMatcher({ terms, sequence, language }: AnalysedQuestion): RaiseByEveryday {
  const vocabulary = vocabularyOf(language);
  const links = new Map<
    string,
    { readonly rest: readonly string[]; readonly term: number; readonly strength: number }[]
  >();
  for (const { at, asked, said, strength } of entriesWithin(vocabulary, sequence)) {
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

/**
 * The words and phrases that a document may have for those of a question, separated by blanks, at most 1,000 characters; empty if
 * none are known.
 */
export function otherWords(question: string): string {
  const { sequence, language } = analyse(question);
  const words = entriesWithin(vocabularyOf(language), sequence).flatMap((entry) => entry.words);
  return [...new Set(words)].join(' ').slice(0, maxOtherWords);
}

/** What is known of the words and phrases of a question, with the place of their first word. */
function entriesWithin(vocabulary: Vocabulary, sequence: readonly string[]): (Entry & { readonly at: number })[] {
  return sequence.flatMap((first, at) =>
    entriesOf(vocabulary, first)
      .filter(({ asked }) => asked.every((each, i) => sequence[at + i] === each))
      .map((entry) => ({ ...entry, at })),
  );
}

function entriesOf({ language, lines, entries }: Vocabulary, first: string): readonly Entry[] {
  const known = entries.get(first);
  if (known !== undefined) return known;
  const read = (lines.get(first) ?? [])
    .flatMap((line) => readEntries(line, language))
    .filter(({ asked }) => asked[0] === first);
  if (read.length > 0) entries.set(first, read);
  return read;
}

function vocabularyOf(language: StemmedLanguage | undefined): Vocabulary {
  const known = vocabularies.get(language);
  if (known !== undefined) return known;
  const read = { language, lines: readLines(language), entries: new Map<string, readonly Entry[]>() };
  vocabularies.set(language, read);
  return read;
}

/** Lines that begin with "#" are comments. */
function readLines(language: StemmedLanguage | undefined): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const texts = language === undefined ? [everydayTexts()] : [sectionOf(readText('everyday-foreign'), language)];
  for (const line of texts.flatMap((text) => text.split(/\r?\n/))) {
    if (line === '' || line.startsWith('#')) continue;
    const end = line.indexOf(' > ');
    for (const phrase of (end === -1 ? line.replace(' = ', ', ') : line.slice(0, end)).split(', ')) {
      const first = firstStemOf(phrase, language);
      const others = found.get(first);
      if (others === undefined) found.set(first, [line]);
      else if (others.at(-1) !== line) others.push(line);
    }
  }
  trimLists(found);
  return found;
}

/** The English files, one after the other. */
export function everydayTexts(): string {
  return ['everyday', 'everyday-home', 'everyday-work'].map(readText).join('\n');
}

function readText(name: string): string {
  return readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8');
}

/** What is below the code of a language, "[de]", up to the next one. */
function sectionOf(text: string, language: StemmedLanguage): string {
  const [, after = ''] = text.split(`[${language}]`);
  return after.split(/^\[/m, 1)[0]!;
}

function firstStemOf(phrase: string, language: StemmedLanguage | undefined): string {
  const [word = ''] = phrase.split(' ', 1);
  const isPlain = language === undefined && /^[a-z]+$/.test(word);
  return isPlain ? stemOf(word) : (readWords(phrase, language)[0]?.stem ?? '');
}

/** All phrases of a line that may be asked share the list of what is said. */
function readEntries(line: string, language: StemmedLanguage | undefined): Entry[] {
  const [left = '', sign, right = ''] = line.split(/ ([=>]) /);
  const isSame = sign === '=';
  const stemsOf = (phrase: string) => readWords(phrase, language).map(({ stem }) => stem);
  const all = isSame ? `${left}, ${right}` : left;
  const phrases = all.split(', ').map(stemsOf);
  const words = (isSame ? all : right).split(', ');
  const said = words.map(stemsOf).flatMap(toSaid);
  const strength = isSame ? sameStrength : answerStrength;
  return phrases.map((asked) => ({ asked, said, words, strength }));
}

/** A phrase without function words but those that change what the rest means; nothing if it has no others, for it is everywhere. */
function toSaid(phrase: readonly string[]): Said[] {
  const [stem, ...others] = phrase.filter((each) => !stopStems.has(each));
  return stem === undefined ? [] : [{ stem, rest: [...others, ...phrase.filter((each) => tellingStems.has(each))] }];
}
