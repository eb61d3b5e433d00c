/** Questions that a document may answer, made from what it says. */
import { describe, expect, it } from 'vitest';
import { proposeQuestions } from '../../src/model/extractive/question/propose.ts';

const questionsOf = (...texts: string[]) =>
  proposeQuestions(texts.map((text, at) => ({ snapshot: `s${at}`, text }))).map(({ question }) => question);

const rules = `# House rules

## Quiet hours

Quiet hours are from 22:00 to 7:00. Music must not be heard outside of the flat.

## Laundry room

The laundry room is open from 8:00 to 20:00. A wash costs 2.50 euros, and the machine takes coins only. It is the best.
`;

describe('proposeQuestions', () => {
  it('asks for hours and prices first, then for definitions, then for what headings name', () => {
    const boiler =
      '# Heating\n\nThe boiler is a Vantis 40 and stands in the cellar. Vantis is the maker of the boiler.';
    expect(questionsOf(rules, boiler)).toEqual([
      'When are quiet hours?',
      'When is the laundry room open?',
      'What is the boiler?',
      'What is Vantis?',
      'What should I know about quiet hours?',
      'What should I know about heating?',
      'What should I know about laundry room?',
    ]);
  });

  it('writes the name of a heading as the documents write it', () => {
    const text = '# Money\n\nPlease bring no money along.\n\n# Vantis\n\nPlease ask Vantis for it.';
    expect(questionsOf(text)).toEqual(['What should I know about money?', 'What should I know about Vantis?']);
  });

  it('asks what something costs', () => {
    const text =
      'A wash costs 2.50 euros, and is to be paid in coins. Repairs cost 40 euros for the owner of the flat.';
    expect(questionsOf(text)).toEqual(['How much does a wash cost?', 'How much do repairs cost?']);
  });

  it('asks what one thing did cost, and several do', () => {
    const text =
      'The construction cost 2 million euros, which the town paid. Tickets for the museum cost 5 euros at the door of it.';
    expect(questionsOf(text)).toEqual([
      'How much did the construction cost?',
      'How much do tickets for the museum cost?',
    ]);
  });

  it('takes over headings that are questions, in any language', () => {
    expect(questionsOf('# FAQ\n\n## Wann ist die Küche geöffnet?\n\nDie Küche ist ab acht Uhr geöffnet.')).toEqual([
      'Wann ist die Küche geöffnet?',
    ]);
  });

  it('asks nothing in English of a text in another language, and nothing about pronouns and parts of a document', () => {
    expect(
      questionsOf('# Die Heizung\n\nDer Kessel is a Vantis und steht im Keller des Hauses, die Pumpe auch.'),
    ).toEqual([]);
    expect(
      questionsOf('# Introduction\n\n## 1.2\n\nIt is a house of the town, and this is the door to it for you.'),
    ).toEqual([]);
  });

  it('asks for no definition of a case or a code', () => {
    const text =
      '# Limits\n\nA call over the limit is a 429 with a header. The only value is the one above. The second one is a door. A ticket is a secret for one page.';
    const questions = proposeQuestions([{ snapshot: 'limits', text }]).map(({ question }) => question);
    expect(questions.filter((question) => question.startsWith('What is'))).toEqual(['What is a ticket?']);
  });

  it('asks for no definition of words that name nothing', () => {
    const text =
      '# Accounts\n\nBy default that is the account of the first start. Every call is a request of its own. Since this is a door, it opens. A ticket is a secret for one page.';
    expect(questionsOf(text).filter((question) => question.startsWith('What is'))).toEqual(['What is a ticket?']);
  });
});
