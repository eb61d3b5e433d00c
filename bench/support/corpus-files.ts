/**
 * A generated corpus of any size, the same in every run: Markdown pages whose words have the frequencies of a language
 * (Zipf), and questions that each name some words of one passage.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const passagesOfPage = 10;
const wordsOfPassage = 90;
const vocabularySize = 40_000;

export interface Corpus {
  readonly questions: readonly string[];
}

/** Writes at least `passages` passages as Markdown files into `folder`, which it creates. */
export function writeCorpus(folder: string, passages: number): Corpus {
  const chance = createChance(passages);
  const words = vocabulary(createChance(7));
  const pick = () => words[zipf(chance, vocabularySize)]!;
  const questions: string[] = [];
  mkdirSync(folder, { recursive: true });
  for (let page = 0; page * passagesOfPage < passages; page += 1) {
    const parts = [`# ${title(pick)} ${page}`];
    for (let n = 0; n < passagesOfPage; n += 1) {
      const passage = Array.from({ length: wordsOfPassage }, pick);
      if (n % 3 === 0) parts.push(`## ${title(pick)}`);
      parts.push(sentences(passage));
      if (questions.length < 200 && page % Math.max(1, Math.floor(passages / passagesOfPage / 200)) === 0 && n === 4) {
        const rare = passage.filter((word) => word.length > 7).slice(0, 5);
        questions.push(`What does ${rare.slice(0, 2).join(' ')} have to do with ${rare.slice(2).join(' and ')}?`);
      }
    }
    writeFileSync(join(folder, `page-${page}.md`), `${parts.join('\n\n')}\n`);
  }
  return { questions };
}

/** The words as sentences of 15 each. */
export function sentences(words: readonly string[]): string {
  const all: string[] = [];
  for (let at = 0; at < words.length; at += 15) {
    const [first = '', ...rest] = words.slice(at, at + 15);
    all.push(`${first.charAt(0).toUpperCase()}${[first.slice(1), ...rest].join(' ')}.`);
  }
  return all.join(' ');
}

function title(pick: () => string): string {
  return [pick(), pick(), pick()].join(' ');
}

function vocabulary(chance: () => number): string[] {
  const syllables = 'ka lo mi ren sta vor tel pa ning der ous fi bra che um sol wen ti gra ex'.split(' ');
  const words = new Set<string>();
  while (words.size < vocabularySize) {
    // Frequent words are short.
    const length = 1 + Math.floor(words.size / 400 > 1 ? 2 + chance() * 3 : chance() * 2);
    words.add(Array.from({ length }, () => syllables[Math.floor(chance() * syllables.length)]).join(''));
  }
  return [...words];
}

/** A rank from 0, each about as frequent as 1 / (rank + 1). */
function zipf(chance: () => number, size: number): number {
  return Math.floor(size ** chance()) - 1;
}

function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
