/** In which documents a question says to look. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentsOf, referencesIn } from '../../../src/engine/research/named-documents.ts';

const pages = [
  { url: 'file:///house/lease.md', title: 'Tenancy agreement' },
  { url: 'file:///gym/terms.md', title: 'Membership of the Corsa' },
  { url: 'file:///uploads/0a1b2c/Staff%20guide%202025.pdf', title: 'Welcome to Lindvik' },
  { url: 'file:///house/kitchen.md', title: 'Kitchen' },
  { url: 'file:///car/terms.md', title: 'Terms of hire for the small van' },
  { url: 'https://docs.example/faq', title: 'Frequently asked questions' },
];

/** The documents of the first reference that names any, and the question without it. */
function lookedIn(question: string): { titles: string[]; rest: string } | undefined {
  for (const reference of referencesIn(question)) {
    const titles = documentsOf(reference, pages).map(({ title }) => title);
    if (titles.length > 0) return { titles, rest: question.replace(reference.phrase, '') };
  }
  return undefined;
}

describe('a question that says where to look', () => {
  it.each([
    ['According to the lease, how long is the notice?', 'Tenancy agreement', 'how long is the notice?'],
    ['How long is the notice, according to my lease?', 'Tenancy agreement', 'How long is the notice?'],
    ['How long is the notice according to lease.md?', 'Tenancy agreement', 'How long is the notice?'],
    ['In the lease, who pays for repairs?', 'Tenancy agreement', 'who pays for repairs?'],
    ['Who pays for repairs in the tenancy agreement?', 'Tenancy agreement', 'Who pays for repairs?'],
    ['lease: who pays for repairs?', 'Tenancy agreement', 'who pays for repairs?'],
    ['How do I cancel (gym terms)?', 'Membership of the Corsa', 'How do I cancel?'],
    ['According to the membership, when may I end it?', 'Membership of the Corsa', 'when may I end it?'],
    ['small van: how many seats are there?', 'Terms of hire for the small van', 'how many seats are there?'],
    ['What does the staff guide say about laptops?', 'Welcome to Lindvik', 'What  about laptops?'],
    ['Based on the “Staff guide”, may I work from home?', 'Welcome to Lindvik', 'may I work from home?'],
    ['Laut Lease, wie lange ist die Frist?', 'Tenancy agreement', 'wie lange ist die Frist?'],
    ["D'après la FAQ, quand ouvrez-vous ?", 'Frequently asked questions', 'quand ouvrez-vous ?'],
  ])('"%s" looks in %s', (question, title, rest) => {
    expect(lookedIn(question)).toEqual({ titles: [title], rest });
  });

  it.each([
    'Where are the fuses in the kitchen?',
    'What is the price in the shop?',
    'Question: when do you open?',
    'Van: how many seats are there?',
    'According to the attached document, what is the rent?',
    'According to Einstein, what is time?',
    'According to Corsa, how long is a membership?',
    'How many members are there according to the HIRE?',
    'How long is the lease?',
  ])('"%s" looks everywhere', (question) => {
    expect(lookedIn(question)).toBeUndefined();
  });

  it('means all documents of a folder, and none if too many have the name', () => {
    const [reference] = referencesIn('According to the house, where are the fuses?');
    expect(documentsOf(reference!, pages).map(({ title }) => title)).toEqual(['Tenancy agreement', 'Kitchen']);
    const many = Array.from({ length: 11 }, (_, n) => ({ url: `file:///house/${n}.md`, title: `Page ${n}` }));
    expect(documentsOf(reference!, many)).toEqual([]);
  });

  it('is read without its words that say so, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80, unit: 'grapheme' }), fc.nat(3), (text, at) => {
        const question = [`According to ${text}, who?`, `Who in the ${text}?`, `${text}: who?`, `Who (${text})?`][at]!;
        for (const { phrase } of referencesIn(question)) expect(question).toContain(phrase);
      }),
    );
  });
});
