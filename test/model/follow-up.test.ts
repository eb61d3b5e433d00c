/** A follow-up is understood by what the answer before it named, without a language model. */
import { describe, expect, it } from 'vitest';
import { resolveFollowUp } from '../../src/model/extractive/answer/follow-up.ts';

const bridges = {
  question: 'Which bridges cross the river Anner?',
  answer:
    'Morrel Bridge spans the river Anner. Teller Viaduct crosses the river Anner. Under the arches of Orm Bridge runs the Anner.',
};
const founder = { question: 'Who founded Keldesk Foundry?', answer: 'Keldesk Foundry was founded by Ada Morrel.' };

describe('a follow-up', () => {
  it.each([
    [bridges, 'When was the second one you named opened?', 'When was Teller Viaduct opened?'],
    [bridges, 'And how long is the last of them?', 'And how long is Orm Bridge?'],
    [bridges, 'Who designed the first bridge you mentioned?', 'Who designed Morrel Bridge?'],
    [bridges, 'When was the latter opened?', 'When was Teller Viaduct opened?'],
    [founder, 'When was she born?', 'When was Ada Morrel born?'],
    [founder, 'Who was her teacher?', 'Who was Ada Morrel’s teacher?'],
  ])('names what it refers to: %#', (before, question, resolved) => {
    expect(resolveFollowUp(question, before)).toBe(resolved);
  });

  it.each([
    [bridges, 'When was the fourth one you named opened?'],
    [bridges, 'Which was the first bridge of the world?'],
    [bridges, 'How long is it?'],
    [founder, 'Did Jan Teller know her?'],
    [{ question: 'Is it open?', answer: '' }, 'When was she born?'],
  ])('stays as it is where nothing is meant that was named: %#', (before, question) => {
    expect(resolveFollowUp(question, before)).toBeUndefined();
  });
});
