/**
 * Generated pages in any number, the same in every run, which compete with real ones: their words have the frequencies of a language
 * (Zipf). The most frequent are the words that several real articles have, in their order. What only one or two have is about their
 * subjects, which other texts have others of: these words are as rare as the invented ones that they are among.
 */
import { sentences } from '../support/corpus-files.ts';
import { createRandom, type Random } from '../support/random.ts';

/** Different words: about what 180 million words of text have, by Heaps' law. */
const vocabularySize = 500_000;
const passagesOfPage = 10;
const wordsOfPassage = 90;
const wordsOfTitle = 3;

export interface GeneratedPage {
  readonly title: string;
  readonly text: string;
  /** As the corpus splits the text. */
  readonly passages: readonly GeneratedPassage[];
}

export interface GeneratedPassage {
  readonly start: number;
  readonly end: number;
  readonly headings: string;
  /** Its words as numbers, those of its headings and title included; those of the title, which come last, count twice. */
  readonly words: readonly number[];
}

export interface PageGenerator {
  /** Words by their number. */
  readonly words: readonly string[];
  next(): GeneratedPage;
  /** Questions for some words of passages among the first pages. */
  readonly questions: readonly string[];
}

/** Pages that compete with those of the articles, each the text of all its pages. */
export function createPageGenerator(articles: readonly string[]): PageGenerator {
  const random = createRandom(21);
  const words = vocabulary(articles, random);
  const some = (count: number) => Array.from({ length: count }, () => Math.floor(vocabularySize ** random()) - 1);
  const spell = (numbers: readonly number[]) => numbers.map((n) => words[n]!).join(' ');
  const questions: string[] = [];
  let made = 0;
  return {
    words,
    questions,
    next() {
      made += 1;
      const titled = some(wordsOfTitle);
      const title = spell(titled);
      let text = '';
      const passages: GeneratedPassage[] = [];
      for (let n = 0; n < passagesOfPage; n += 1) {
        const heading = n === 0 ? titled : some(wordsOfTitle);
        const body = some(wordsOfPassage);
        const start = text.length === 0 ? 0 : text.length + 2;
        const own = `${n === 0 ? '#' : '##'} ${spell(heading)}\n\n${sentences(body.map((word) => words[word]!))}`;
        text = text === '' ? own : `${text}\n\n${own}`;
        const above = n === 0 ? titled : [...titled, ...heading];
        passages.push({
          start,
          end: text.length,
          headings: n === 0 ? title : `${title} › ${spell(heading)}`,
          words: [...body, ...heading, ...above, ...titled, ...titled],
        });
        if (n === 4 && made % 40 === 0 && questions.length < 200) {
          const rare = body.map((word) => words[word]!).filter((word) => word.length > 7);
          questions.push(`What does ${rare.slice(0, 2).join(' ')} have to do with ${rare.slice(2, 5).join(' and ')}?`);
        }
      }
      return { title, text, passages };
    },
  };
}

/** Articles that have a word of the language; set by hand. */
const minArticles = 3;

/** Words by their frequency. */
function vocabulary(articles: readonly string[], random: Random): string[] {
  const counts = new Map<string, { articles: number; count: number }>();
  for (const text of articles) {
    const seen = new Set<string>();
    for (const word of text.toLowerCase().match(/(?<![\w'])[a-z]+(?![\w'])/g) ?? []) {
      const { articles: others, count } = counts.get(word) ?? { articles: 0, count: 0 };
      counts.set(word, { articles: others + (seen.has(word) ? 0 : 1), count: count + 1 });
      seen.add(word);
    }
  }
  const known = [...counts].sort(([, a], [, b]) => b.articles - a.articles || b.count - a.count);
  const common = known.filter(([, { articles: of }]) => of >= minArticles).map(([word]) => word);
  const others = new Set(known.slice(common.length).map(([word]) => word));
  const isCommon = new Set(common);
  const syllables = 'ka lo mi ren sta vor tel pa ning der ous fi bra che um sol wen ti gra ex'.split(' ');
  const syllable = () => syllables[Math.floor(random() * syllables.length)]!;
  while (common.length + others.size < vocabularySize) {
    const word = Array.from({ length: 2 + Math.floor(random() * 4) }, syllable).join('');
    if (!isCommon.has(word)) others.add(word);
  }
  return [...common, ...shuffle([...others], random)];
}

/** In another order, in place (Fisher and Yates). */
function shuffle<Item>(items: Item[], random: Random): Item[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [items[at], items[other]] = [items[other]!, items[at]!];
  }
  return items;
}
