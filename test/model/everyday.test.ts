import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEverydayMatcher } from '../../src/model/extractive/match/everyday.ts';
import { analyse } from '../../src/model/extractive/question/analyse.ts';
import { readWords, stemOf } from '../../src/model/extractive/text/words.ts';

/** The strength of the question's term for `word` in a text that need not have it. */
function strengthOf(word: string, question: string, text: string): number {
  const analysed = analyse(question);
  const stems = readWords(text).map(({ stem }) => stem);
  const strengths = createEverydayMatcher(analysed)(stems, new Float32Array(analysed.terms.length));
  return strengths[analysed.terms.findIndex(({ stem }) => stem === stemOf(word))]!;
}

describe('everyday words', () => {
  it('stand for each other where they mean the same', () => {
    expect(strengthOf('diapers', 'Who brings the diapers?', 'Nappies are brought by the parents.')).toBeCloseTo(0.7);
    expect(strengthOf('nappies', 'Who brings the nappies?', 'Diapers are brought by the parents.')).toBeCloseTo(0.7);
  });

  it('are answered by narrower words, and not the other way round', () => {
    expect(strengthOf('antibiotics', 'May I bring antibiotics?', 'We give no medicine.')).toBeCloseTo(0.5);
    expect(strengthOf('medicine', 'May I bring medicine?', 'We give no antibiotics.')).toBe(0);
  });

  it('are phrases in a question', () => {
    expect(strengthOf('pick', 'When do I pick up the key?', 'Keys are collected at noon.')).toBeCloseTo(0.5);
    expect(strengthOf('pick', 'When do I pick the apples?', 'Keys are collected at noon.')).toBe(0);
  });

  it('are phrases in a document, all of whose words are there', () => {
    expect(strengthOf('refund', 'Is there a refund?', 'You get your money back.')).toBeCloseTo(0.5);
    expect(strengthOf('refund', 'Is there a refund?', 'Bring some money.')).toBe(0);
  });

  it('are listed with one sign a line', () => {
    const lines = ['everyday', 'everyday-home', 'everyday-work'].flatMap((name) =>
      readFileSync(new URL(`../../src/model/extractive/match/${name}.txt`, import.meta.url), 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#')),
    );
    expect(lines.length).toBeGreaterThan(400);
    expect(lines.filter((line) => !/^[^=>]+ [=>] [^=>]+$/.test(line))).toEqual([]);
  });
});
