/** Where sentences end: at marks that no abbreviation, number, code or parenthesis explains. */
import { expect, it } from 'vitest';
import { sentenceEnds, sentencesOf } from '../../../../src/base/text/sentences/sentence-ends.ts';

it.each([
  'The keeper is Dr. Watson|He lives at no. 9.',
  'Call ext. 40|The desk answers.',
  'The answer is no|Two came.',
  'It belongs to A.C. Milan|It is old.',
  'He came with the U.S. Army|It fell in World War I|The tower stood.',
  'Am 17. März kam er z. B. mit Hr. Kern|Er blieb.',
  'The office opens at 8 a.m|Complaints are heard later.',
  'It was at 4 p.m. Monday, and at 5 p.m. EST|It rained.',
  'On Friday at 7 p.m. Miro Selander reads.',
  'The lamps are lit|Police came.',
  'The motor turns in 3 ms|It is quiet.',
  'It is written “by Rook Inc.”|Nobody read it.',
  'The seal (part no. A-3. Ask for it) is black|It fits.',
  'Run `echo done. Then` once|It prints.',
  'It burned oil until 1904.[1][^b]|Sailors came.',
  'The box takes 80 °C|The lid does not.',
  '灯は一八六六年に灯った。|塔は白い。',
])('splits %s', (text) => {
  const sentences = text
    .split('|')
    .map((part, at, { length }) => (at < length - 1 && /[\p{L}\d]$/u.test(part) ? `${part}.` : part));
  expect(sentencesOf(sentences.join(' '))).toEqual(sentences);
});

it('gives the ends as offsets into the text, the last one where the part that is read ends', () => {
  const text = 'Not read. One is here. Two is not whole';
  expect([...sentenceEnds(text, 10, 30)]).toEqual([22, 30]);
});

it.each(['!', 'e. ', '(a. ', '`a. ', '.[a]', '.]'])('reads much of %j', (part) => {
  expect([...sentenceEnds(part.repeat(200_000), 0, part.length * 200_000)].at(-1)).toBe(part.length * 200_000);
});
