import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import { correctSpelling } from '../../../src/model/extractive/match/spelling.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';

const shop: Source = {
  n: 1,
  snapshot: 'shop',
  start: 0,
  title: 'Bike shop',
  headings: '',
  url: 'https://a.example/shop',
  score: 3,
  text: '# Bike shop\n\nA new chain costs 39 €. The guarantee on pedals is two years. Ms Petersen keeps the keys of the boathouse. On Saturday we close at 14:00.',
};

const correct = (question: string) => correctSpelling(question, [shop]);

describe('a misspelt word of a question', () => {
  it.each([
    ['How long is the guarnatee?', 'How long is the guarantee?'],
    ['How long is the guarante?', 'How long is the guarantee?'],
    ['How long is the guaranttee?', 'How long is the guarantee?'],
    ['How long is the guarantre?', 'How long is the guarantee?'],
    ['When do you close on Satruday?', 'When do you close on Saturday?'],
    ['Pedlas?', 'Pedals?'],
    // English words, whether or not the document has them.
    ['Do you sell medals and chairs?', 'Do you sell medals and chairs?'],
    // Two slips, another first letter, or a short word.
    ['How long is the garuantee?', 'How long is the garuantee?'],
    ['What does a vhain cost?', 'What does a vhain cost?'],
    ['Where are my keyx?', 'Where are my keyx?'],
    // Another person.
    ['Does Ms Peterson keep them?', 'Does Ms Peterson keep them?'],
    ['Is it version 2.0.1 or x86?', 'Is it version 2.0.1 or x86?'],
  ])('"%s" is read as "%s"', (question, read) => {
    expect(correct(question)).toBe(read);
  });

  it('stays in a long text, which may be of thousands of them', () => {
    const long = `${'guarnatee '.repeat(60)}?`;
    expect(correct(long)).toBe(long);
  });

  it('is read as a word of the document, though another sentence has the other words', () => {
    const school = {
      ...shop,
      snapshot: 'school',
      title: 'School',
      text: '# School\n\n| Event | Day |\n|---|---|\n| Parents evening | 18 November |\n| Trip | 2 December |\n\nParents pay for the trip by 19 November.',
    };
    expect(answer('when is parents evning', [school]).pieces.join('')).toContain('Parents evening | 18 November');
  });

  it('is read as a word of the document where it is not answered otherwise', () => {
    const { pieces } = answer('How long is the guarnatee?', [shop]);
    expect(pieces.join('')).toBe('The guarantee on pedals is two years. [1]');
  });
});
