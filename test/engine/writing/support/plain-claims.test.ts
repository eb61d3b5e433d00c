/**
 * Plain claims about plain pages, written as models write them: what a page says in nearly these words is cited, whatever the figures of a
 * bench say, and what it does not say is not. No weights are tuned on these.
 */
import { describe, expect, it } from 'vitest';
import { checkClaim, readSource } from '../../../../src/engine/writing/support/check-claim.ts';

interface Plain {
  readonly title: string;
  readonly text: string;
  readonly true: readonly string[];
  readonly false: readonly string[];
}

const pages: readonly Plain[] = [
  {
    title: 'Heron Point Lighthouse',
    text:
      'Heron Point Lighthouse stands on a granite reef four kilometres off the coast of Varnholm. It was designed by the engineer Ingrid ' +
      'Solvay and first lit on 3 May 1887. The tower is 46 metres high and painted in red and white bands.\n\nIn 1962 the light was ' +
      'automated and the last keeper, Olaf Brand, left the tower. The lighthouse is owned by the Varnholm Harbour Trust, which opened a ' +
      'small museum in the keepers’ house in 2004. About 12,000 people visit the museum every year.',
    true: [
      'The Heron Point Lighthouse was designed by Ingrid Solvay.',
      'Ingrid Solvay designed the lighthouse.',
      'Heron Point Lighthouse was designed by the engineer Ingrid Solvay and first lit on 3 May 1887.',
      'The lighthouse was first lit on 3 May 1887.',
      'Heron Point Lighthouse was first lit in May 1887.',
      'The tower of the lighthouse is 46 metres high.',
      'The tower is painted in red and white bands.',
      'The lighthouse stands on a granite reef off the coast of Varnholm.',
      'The light was automated in 1962.',
      'The last keeper left the tower in 1962.',
      'Olaf Brand was the last keeper of the lighthouse.',
      'The Varnholm Harbour Trust owns the lighthouse.',
      'The Varnholm Harbour Trust opened a small museum in the keepers’ house in 2004.',
      'About twelve thousand people visit the museum every year.',
    ],
    false: [
      'The lighthouse was first lit on 5 March 1887.',
      'The lighthouse was first lit in 1962.',
      'Olaf Brand designed the lighthouse.',
      'Ingrid Solvay was the last keeper of the lighthouse.',
      'The tower is 64 metres high.',
      'The tower is painted in blue and white bands.',
      'The lighthouse owns the Varnholm Harbour Trust.',
      'The light was never automated.',
      'The museum was opened by Olaf Brand in 2004.',
      'The museum closed in 2004.',
    ],
  },
  {
    title: 'Corvane Instruments',
    text:
      'Corvane Instruments is a maker of laboratory scales based in Tarnow Bay. It was founded in 1974 by the sisters Marta and Edda Voll. ' +
      'The company employs 320 people and sells its products in 41 countries.\n\nIn 2015 Corvane acquired the German firm Lettmann for 18 ' +
      'million euros. Its revenue rose from 52 million euros in 2020 to 61 million euros in 2023. The company plans to open a second factory ' +
      'in Oster in 2026.\n\n| Model | Capacity | Price |\n| --- | --- | --- |\n| C100 | 100 g | 420 euros |\n| C500 | 500 g | 610 euros |\n\n' +
      'Managing directors:\n\n- Marta Voll (1974 to 1998)\n- Henrik Aas (1998 to 2011)\n- Lene Carstens (since 2011)',
    true: [
      'Corvane Instruments was founded in 1974 by Marta and Edda Voll.',
      'Marta and Edda Voll founded the company in 1974.',
      'Corvane is based in Tarnow Bay.',
      'Corvane makes laboratory scales.',
      'The company employs 320 people.',
      'Its products are sold in 41 countries.',
      'Corvane acquired Lettmann in 2015 for 18 million euros.',
      'The German firm Lettmann was acquired by Corvane in 2015.',
      'The revenue of Corvane rose from 52 million euros in 2020 to 61 million euros in 2023.',
      'Corvane plans to open a second factory in Oster in 2026.',
      'The C500 costs 610 euros.',
      'The C100 has a capacity of 100 g.',
      'Henrik Aas was managing director from 1998 to 2011.',
    ],
    false: [
      'Henrik Aas was managing director until 2015.',
      'Marta Voll was managing director from 1998 to 2011.',
      'Lettmann acquired Corvane in 2015.',
      'Corvane was acquired by Lettmann for 18 million euros.',
      'Corvane acquired Lettmann in 2015 for 61 million euros.',
      'The company employs 41 people.',
      'In 2020, the revenue of Corvane was 61 million euros.',
      'The revenue fell from 61 million euros to 52 million euros.',
      'Corvane opened a second factory in Oster in 2026.',
      'The C100 costs 610 euros.',
      'Henrik Aas founded the company in 1974.',
      'Lettmann is based in Tarnow Bay.',
      'The company does not employ 320 people.',
    ],
  },
  {
    title: 'Meadow Street Library',
    text:
      'The Meadow Street Library is open from Monday to Saturday. Adults may borrow ten books for four weeks, children may borrow twenty. ' +
      'A card is free for residents; visitors pay 15 crowns a year. Books can be renewed twice unless another reader has reserved them.\n\n' +
      'The library was built in 1908 by the architect Jonas Reiter and renovated in 1999. A fire destroyed the reading room in 1944, but the ' +
      'books were saved by volunteers. According to the librarian Ada Kern, the ghost of a former director walks in the cellar. ' +
      'The city council rejected a proposal to close the library in 2012.',
    true: [
      'Adults may borrow ten books for four weeks.',
      'Children can borrow 20 books.',
      'The library was built by Jonas Reiter in 1908.',
      'The library was renovated in 1999.',
      'Jonas Reiter, an architect, built the library in 1908.',
      'The reading room was destroyed by a fire in 1944.',
      'In 1944, a fire destroyed the reading room of the library.',
      'Volunteers saved the books.',
      'Visitors pay 15 crowns per year for a card.',
      'Residents get a card for free.',
      'The council rejected a proposal to close the library.',
      'In 2012 a proposal to close the library was rejected by the city council.',
      'The Meadow Street Library was built in 1908 and renovated in 1999.',
      'The library is open from Monday to Saturday.',
    ],
    false: [
      'The library was renovated in 1908.',
      'Jonas Reiter destroyed the reading room in 1944.',
      'A fire destroyed the library’s books in 1944.',
      'Visitors pay 50 crowns a year.',
      'Children may borrow ten books.',
      'The city council accepted a proposal to close the library.',
      'The ghost of a former director walks in the cellar.',
      'Books can be renewed twice in every case.',
      'The books were not saved.',
      'A card is free for visitors.',
      'The city council closed the library in 2012.',
      'Ada Kern built the library.',
    ],
  },
];

const isCited = (claim: string, { text, title }: Plain) =>
  checkClaim(claim, readSource(text, title, title))?.isCitable ?? false;

describe.each(pages.map((page) => ({ ...page, name: page.title })))('a plain claim about $name', (page) => {
  it.each(page.true)('is cited: %s', (claim) => {
    expect(isCited(claim, page)).toBe(true);
  });

  it.each(page.false)('is not cited: %s', (claim) => {
    expect(isCited(claim, page)).toBe(false);
  });
});
