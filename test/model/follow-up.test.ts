/** A follow-up is understood by what the answer before it named, without a language model. */
import { describe, expect, it } from 'vitest';
import { resolveFollowUp } from '../../src/model/extractive/answer/follow-up.ts';
import { isContextDependent } from '../../src/model/extractive/question/plan.ts';

const bridges = {
  question: 'Which bridges cross the river Anner?',
  answer:
    'Morrel Bridge spans the river Anner. Teller Viaduct crosses the river Anner. Under the arches of Orm Bridge runs the Anner.',
};
const founder = { question: 'Who founded Keldesk Foundry?', answer: 'Keldesk Foundry was founded by Ada Morrel.' };

const injury = {
  question: 'What is wrong with Ada Morrel?',
  answer: 'Jan Teller said that Ada Morrel has a broken wrist.',
};

describe('a follow-up', () => {
  it.each([
    [bridges, 'When was the second one you named opened?', 'When was Teller Viaduct opened?'],
    [bridges, 'And how long is the last of them?', 'And how long is Orm Bridge?'],
    [bridges, 'Who designed the first bridge you mentioned?', 'Who designed Morrel Bridge?'],
    [bridges, 'When was the latter opened?', 'When was Teller Viaduct opened?'],
    [founder, 'When was she born?', 'When was Ada Morrel born?'],
    [founder, 'Who was her teacher?', 'Who was Ada Morrel’s teacher?'],
    // The letters of the pronoun within another word.
    [founder, 'When did he start?', 'When did Ada Morrel start?'],
    // Of two people, the one that the question before named.
    [injury, 'When does she return?', 'When does Ada Morrel return?'],
    [{ ...injury, question: 'Who is Ada Morrel?' }, 'When was she born?', 'When was Ada Morrel born?'],
    [
      { question: 'Which company employs Ada Morrel?', answer: 'She is with Keldesk Foundry.' },
      'When was she born?',
      'When was Ada Morrel born?',
    ],
    // But not where it asked for another.
    [
      { question: 'Which surgeon operated on Ada Morrel?', answer: 'Her surgeon was Berta Morrel.' },
      'When was she born?',
      'When was Berta Morrel born?',
    ],
    [
      { question: 'What former colleague replaced Ada Morrel?', answer: 'Ada Morrel was replaced by Orm Teller.' },
      'When did he start?',
      'When did Orm Teller start?',
    ],
    [
      { question: 'Who is Ada Morrel’s mother?', answer: 'Her mother is Berta Morrel.' },
      'When was she born?',
      'When was Berta Morrel born?',
    ],
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

describe('a question after another', () => {
  it.each([
    'Which router do we have?',
    'What is a plan?',
    'What is a file?',
    'When is the meeting?',
    'When is breakfast?',
    'Do you have parking?',
    'Where is the station?',
    'How do I use the printer?',
    'Was ist ein Plan?',
    'Welchen Router haben wir?',
  ])('is asked alone if it names what it is about: %s', (question) => {
    expect(isContextDependent(question)).toBe(false);
  });

  it.each([
    'and for children?',
    'but is there parking?',
    'What about dogs?',
    'How much?',
    'Since when?',
    'Which router?',
    'from which pier?',
    'How much is it?',
    'What is included?',
    'Where do I park?',
    'What is the price?',
    'When is the next?',
    'What is the population?',
    'Who is the mayor?',
    'Who was the architect?',
    'Is there a discount?',
    'Quel est le prix ?',
    'Wie hoch ist die Miete?',
    '¿Quién es el alcalde?',
    'Y a-t-il une piscine ?',
    '¿Hay piscina?',
    'Is there one with a pool?',
    'Was kostet das?',
    'Wo kann ich parken?',
    '¿Y para niños?',
  ])('is read together with it if it only adds to that: %s', (question) => {
    expect(isContextDependent(question)).toBe(true);
  });
});
