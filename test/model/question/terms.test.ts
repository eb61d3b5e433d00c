/** Which words of a question are its terms, though they look like words that say nothing. */
import { expect, it } from 'vitest';
import { analyse } from '../../../src/model/extractive/question/analyse.ts';

it.each([
  ['a name with the stem of such a word', 'Which animals go to Dr Ames?', 'am', true],
  ['an abbreviation that is one', 'Who leads the US?', 'american', true],
  ['no part of a name', 'How do I set the isolation level in MySQL?', 'my', false],
  ['no word at the beginning', 'My contract ends when?', 'my', false],
])('the terms of a question have %s', (_, question, stem, isTerm) => {
  expect(analyse(question).terms.some((term) => term.stem === stem)).toBe(isTerm);
});
