/** Questions that describe one thing by another are followed one step at a time. */
import { describe, expect, it } from 'vitest';
import { resolveDescriptions } from '../../src/model/extractive/answer/resolve-descriptions.ts';
import { descriptionsIn } from '../../src/model/extractive/question/nested-descriptions.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';

const pages: Record<string, string> = {
  'Keldesk Foundry':
    'Keldesk Foundry makes bells. Keldesk Foundry was founded by Ada Morrel. Its seat is a shed by the water.',
  'Ada Morrel': 'Ada Morrel was born on 3 May 1931. The birthplace of Ada Morrel is Lodeholt. She married Jan Teller.',
  Lodeholt: 'Lodeholt lies on the river Anner. The mayor of Lodeholt is Piet Vanner. Lodeholt was founded in 1412.',
};
const sourcesOf = (...titles: string[]): Source[] =>
  titles.map((title, at) => ({
    n: at + 1,
    snapshot: title,
    start: 0,
    title,
    headings: '',
    text: pages[title]!,
    score: 10 - at,
    url: `https://example.org/${at}`,
  }));
const question = 'Who is the mayor of the birthplace of the founder of Keldesk Foundry?';

describe('what a question describes', () => {
  it.each([
    [question, 'Who is the founder of Keldesk Foundry?'],
    ['On which river does the seat of Orm Optics lie?', 'Where is the seat of Orm Optics?'],
    ['Who is the mayor of the town of Orm Bridge?', 'In which town is Orm Bridge?'],
    ["Where was Ann Lee's teacher born?", 'Who is the teacher of Ann Lee?'],
    ['Where was the man who designed the Orm Bridge born?', 'Who designed the Orm Bridge?'],
  ])('is a question of its own: %s', (text, asked) => {
    expect(descriptionsIn(text).map((link) => link.question)).toEqual([asked]);
  });

  it.each([
    'Who is the mayor of Marlow?',
    'How many people live in the city of New York?',
    'When was the Battle of Hastings?',
    'How did the number of inhabitants of Marlow change?',
    'Which is the longest of Orm Bridge and Ann Bridge?',
    'the '.repeat(5_000),
  ])('is nothing where no further thing is asked of it: %s', (text) => {
    expect(descriptionsIn(text)).toEqual([]);
  });
});

describe('a chain', () => {
  it('goes as far as the pages lead, and says what to search for next', () => {
    const followed = resolveDescriptions(question, sourcesOf('Keldesk Foundry'));
    expect(followed.pieces.map(({ units }) => units[0]!.text)).toEqual(['Keldesk Foundry was founded by Ada Morrel.']);
    expect(followed.missing).toEqual(['Where was Ada Morrel born?']);
  });

  it('ends with a question that names what it is about', () => {
    const { text, name, missing } = resolveDescriptions(
      question,
      sourcesOf('Keldesk Foundry', 'Ada Morrel', 'Lodeholt'),
    );
    expect({ text, name, missing }).toEqual({ text: 'Who is the mayor of Lodeholt?', name: 'Lodeholt', missing: [] });
  });

  it('takes no step on a sentence that says something else', () => {
    const [ada] = sourcesOf('Ada Morrel');
    const page = { ...ada!, text: 'Ada Morrel was born on 3 May 1931. She married Jan Teller.' };
    const { pieces, missing } = resolveDescriptions('Where was the teacher of Ada Morrel born?', [page]);
    expect({ pieces, missing }).toEqual({ pieces: [], missing: ['Who is the teacher of Ada Morrel?'] });
  });
});
