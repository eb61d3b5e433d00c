import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import { withContext } from '../../../src/model/extractive/question/context.ts';
import { splitQuestion } from '../../../src/model/extractive/question/parts.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';

const school: Source = {
  n: 1,
  snapshot: 'school',
  start: 0,
  title: 'Sailing school',
  headings: '',
  url: 'https://a.example/school',
  score: 3,
  text: `# Sailing school

Our boats lie at the north pier of Lake Ostra. We take cash and debit cards, but no credit cards.

Account for deposits: DE12 3456 0000 7890
Deposit: 50 €
Office hours
Mon to Fri: 9:00 to 17:00
Sat: closed

| Course | Price | Time |
|---|---|---|
| Beginners | 240 € | five days |
| Night sailing | 90 € | one evening |

What to bring:
- soft shoes
- a warm jacket
- sun cream

The boat for trips leaves at 10:15 from the south pier. We return at about 16:00.
Dogs are not allowed on board.`,
};

const ask = (question: string) => answer(question, [school]);
const written = (question: string) => ask(question).pieces.join('');

describe('two questions in one, asked of a few pages', () => {
  it('are each answered as if they were asked alone', () => {
    expect(written('Where do the boats lie and how much is the deposit?')).toBe(
      'Our boats lie at the north pier of Lake Ostra. [1] Deposit: 50 €. [1]',
    );
    expect(written('How much is the deposit? When does the boat for trips leave?')).toBe(
      'Deposit: 50 €. [1] The boat for trips leaves at 10:15 from the south pier. [1]',
    );
  });

  it('may be put politely', () => {
    expect(written('Hi! Could you please tell me: how much is the deposit and are dogs allowed? Thanks a lot!')).toBe(
      'Deposit: 50 €. [1] Dogs are not allowed on board. [1]',
    );
  });

  it('may be answered by yes or no', () => {
    expect(written('How much is the deposit and can I pay by credit card?')).toBe(
      'Deposit: 50 €. [1] We take cash and debit cards, but no credit cards. [1]',
    );
    expect(written('Where do the boats lie and are dogs allowed?')).toBe(
      'Our boats lie at the north pier of Lake Ostra. [1] Dogs are not allowed on board. [1]',
    );
  });

  it('may ask for a whole list', () => {
    expect(written('How much is the deposit and what should I bring?')).toBe(
      'Deposit: 50 €. [1]\n\nWhat to bring:\n\n- soft shoes\n- a warm jacket\n- sun cream [1]',
    );
  });

  it('may be about the same thing, whose row is shown once', () => {
    const row = '| Course | Price | Time |\n|---|---|---|\n| Beginners | 240 € | five days [1] |';
    expect(written('What does the course for beginners cost and how long does it take?')).toBe(row);
    expect(ask('What does the course for beginners cost and how long does it take?').status).toBeUndefined();
    expect(written('What is the price and the duration of the course for beginners?')).toBe(row);
  });

  it('are answered by another sentence where that of the first says nothing new', () => {
    expect(written('When does the boat for trips leave and when do they get back?')).toBe(
      'The boat for trips leaves at 10:15 from the south pier. [1] We return at about 16:00. [1]',
    );
  });

  it('may ask for two things at a time', () => {
    expect(written('What is the deposit and the account?')).toBe(
      'Deposit: 50 €. [1] Account for deposits: DE12 3456 0000 7890. [1]',
    );
  });

  it('have a partial answer if the pages answer one of them', () => {
    const { pieces, status } = ask('How much is the deposit and who founded the school?');
    expect(pieces.join('')).toBe('Deposit: 50 €. [1]');
    expect(status).toBe('partial');
  });
});

describe('a follow-up', () => {
  const follow = (question: string, before: string) => written(withContext(question, before));

  it('is asked alone where the answer before it would hide its own', () => {
    expect(follow('and when do we return?', 'When does the boat for trips leave?')).toBe(
      'We return at about 16:00. [1]',
    );
  });

  it('is answered by the same sentence where that says what it asks', () => {
    const leaves = 'The boat for trips leaves at 10:15 from the south pier. [1]';
    expect(follow('from which pier?', 'When does the boat for trips leave?')).toBe(leaves);
    expect(follow('from where?', 'When does the boat for trips leave?')).toBe(leaves);
  });

  it('is answered by the column that it asks for, in the row that was asked about', () => {
    const row = '| Course | Price | Time |\n|---|---|---|\n| Night sailing | 90 € | one evening [1] |';
    expect(follow('how long does it take?', 'What does night sailing cost?')).toBe(row);
  });
});

describe('a question with "and" in it', () => {
  const partsOf = (question: string) => splitQuestion(question).map(({ part }) => part);

  it.each([
    ['How long is the race and is there an age limit?', 'is there an age limit?'],
    ['How much is it and by when do we have to pay?', 'by when do we have to pay?'],
    ['What do you serve and is breakfast included?', 'is breakfast included?'],
    ['Wann fährt der Bus und kann man im Bus zahlen?', 'kann man im Bus zahlen?'],
    ['Où est la gare et est-ce que le bus est gratuit ?', 'est-ce que le bus est gratuit ?'],
    ['¿Dónde está la playa? ¿Se puede aparcar allí?', 'Se puede aparcar allí?'],
    ['Who is the chair and the treasurer of the club?', 'Who is the treasurer of the club'],
    ['Wie lautet die Kontonummer und der Betrag?', 'Wie lautet der Betrag'],
  ])('has another part: "%s"', (question, part) => {
    expect(partsOf(question)).toEqual([part]);
  });

  it.each([
    'Which tower was built in 1910 and is the tallest of all?',
    'Which animals can swim and can fly?',
    'Which firm was founded in 1910 and is based in Paris?',
    'What are the terms and conditions?',
    'What is the difference between the tram and the bus?',
    'What does $? do in a shell?',
    'When and where was the club founded?',
    'Where was she born and in which year?',
  ])('has one part: "%s"', (question) => {
    expect(partsOf(question)).toEqual([]);
  });

  it('is read in linear time', () => {
    for (const hostile of [' '.repeat(100_000), 'is a '.repeat(20_000), 'what is the a and the '.repeat(5_000)])
      expect(splitQuestion(hostile).length).toBeLessThan(3);
  });
});
