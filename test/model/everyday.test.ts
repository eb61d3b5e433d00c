import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEverydayMatcher, otherWords } from '../../src/model/extractive/match/everyday.ts';
import { analyse, stopStems } from '../../src/model/extractive/question/analyse.ts';
import { readWords, stemOf } from '../../src/model/extractive/text/words.ts';

/** The strength of the question's term for `word` in a text that need not have it. */
function strengthOf(word: string, question: string, text: string): number {
  const analysed = analyse(question);
  const stems = readWords(text).map(({ stem }) => stem);
  const strengths = createEverydayMatcher(analysed)(stems, new Float32Array(analysed.terms.length));
  return strengths[analysed.terms.findIndex(({ stem }) => stem === stemOf(word))]!;
}

/** The files of single fields. */
const fields = ['everyday-home', 'everyday-work'];

describe('everyday words', () => {
  it('stand for each other where they mean the same', () => {
    expect(strengthOf('diapers', 'Who brings the diapers?', 'Nappies are brought by the parents.')).toBeCloseTo(0.7);
    expect(strengthOf('nappies', 'Who brings the nappies?', 'Diapers are brought by the parents.')).toBeCloseTo(0.7);
  });

  it('are answered by narrower words, and not the other way round', () => {
    expect(strengthOf('antibiotics', 'May I bring antibiotics?', 'We give no medicine.')).toBeCloseTo(0.5);
    expect(strengthOf('medicine', 'May I bring medicine?', 'We give no antibiotics.')).toBe(0);
  });

  it('are those that an index is asked for as well', () => {
    expect(otherWords('Who brings the diapers?').split(' ')).toContain('nappies');
    expect(otherWords('When do I pick up the key?')).toContain('collect');
    expect(otherWords('Was kostet die Miete?')).toContain('gebühr');
    expect(otherWords('Who is Zorblax?')).toBe('');
  });

  it('are phrases in a question', () => {
    expect(strengthOf('pick', 'When do I pick up the key?', 'Keys are collected at noon.')).toBeCloseTo(0.5);
    expect(strengthOf('pick', 'When do I pick the apples?', 'Keys are collected at noon.')).toBe(0);
  });

  it('are phrases in a document, all of whose words are there', () => {
    expect(strengthOf('refund', 'Is there a refund?', 'You get your money back.')).toBeCloseTo(0.5);
    expect(strengthOf('refund', 'Is there a refund?', 'Bring some money.')).toBe(0);
  });

  it('are phrases in a document with their particles and negations', () => {
    expect(strengthOf('demolish', 'Who will demolish the barn?', 'The barn is knocked down in May.')).toBeCloseTo(0.7);
    expect(strengthOf('demolish', 'Who will demolish the barn?', 'Please knock.')).toBe(0);
  });

  it('are compared by the stems of the language of the question', () => {
    const stemsOf = (text: string) => readWords(text, 'de').map(({ stem }) => stem);
    const analysed = analyse('Wie schwer ist die Maschine, und wie oft muss man sie entkalken?');
    expect(analysed.language).toBe('de');
    const raise = createEverydayMatcher(analysed);
    const strengthIn = (text: string) =>
      raise(stemsOf(text), new Float32Array(analysed.terms.length))[
        analysed.terms.findIndex(({ stem }) => stem === 'schwer')
      ];
    expect(strengthIn('Gewicht: 7,2 kg')).toBeCloseTo(0.5);
    expect(strengthIn('Weight: 7.2 pounds')).toBe(0);
  });

  it('are listed with one sign a line', () => {
    const lines = ['everyday', 'everyday-foreign', ...fields].flatMap(linesOf);
    expect(lines.length).toBeGreaterThan(400);
    expect(lines.filter((line) => !/^[^=>]+ [=>] [^=>]+$/.test(line))).toEqual([]);
  });

  it('are listed once in each other language', () => {
    const repeats = linesOf('everyday-foreign').filter((line) =>
      sidesOf(line).some((phrases) => new Set(phrases).size < phrases.length),
    );
    expect(repeats).toEqual([]);
  });

  it.each(fields)('are listed once in %s', (name) => {
    const lines = linesOf(name);
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
    const repeats = lines.filter((line) => {
      const [left, right] = sidesOf(line);
      const sides = line.includes(' = ') ? [[...left, ...right]] : [left, right];
      return sides.some((phrases) => new Set(phrases).size < phrases.length);
    });
    expect(repeats).toEqual([]);
  });

  it.each(fields)('say something, and something else on either side, in %s', (name) => {
    const isEmpty = (phrase: string) => readWords(phrase).every(({ stem }) => stopStems.has(stem));
    expect(linesOf(name).filter((line) => sidesOf(line).flat().some(isEmpty))).toEqual([]);
    const isVain = (line: string) => {
      const [left, right] = sidesOf(line);
      return left.length === 1 && right.every((phrase) => phrase === left[0]);
    };
    expect(linesOf(name).filter(isVain)).toEqual([]);
  });
});

function linesOf(name: string): string[] {
  return readFileSync(new URL(`../../src/model/extractive/match/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^[#[]/.test(line));
}

function sidesOf(line: string): [string[], string[]] {
  const [left = '', right = ''] = line.split(/ [=>] /);
  return [left.split(', '), right.split(', ')];
}
