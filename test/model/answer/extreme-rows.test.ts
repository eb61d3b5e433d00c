import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';
import { smallTable as table } from './small-documents.ts';

const boats = table('boats.csv', [
  'Boat | Class | Built | Crew | Weight | Price',
  'Puffin | Laser | 2015 | 1 | 59 kg | 2.900 €',
  'Gannet | Wayfarer | 2007 | 3 | 169 kg | 1.450 €',
  'Tern | Optimist | 2021 | 1 | 35.5 kg | 950 €',
  'Kittiwake | Wayfarer | 1998 | 3 | 0.17 t | 800 €',
]);
const members = table('members.csv', [
  'Name | Joined | Birth date',
  'Ada Collins | 14/03/2011 | 02/05/1961',
  'Ben Hughes | 01/09/2019 | 17/11/1990',
  'Dev Patel | 05/05/2009 | 12/08/1955',
]);
const services = table('Prices', [
  'Service | Price | Takes',
  'Puncture | 14 € | 45 min',
  'Brakes | 22 € | 1 day',
  'Full service | 95 € | 1 week',
  'Bell | free | 5 min',
]);

const hire = table('hire.csv', [
  'Bike | Size | Half day | Full day | Notes',
  'Oak | M | 15 | 22 | new',
  'Willow | S | 8 | 24 | for children',
]);
const rooms = table('rooms.csv', ['Room | Weekday per hour | Weekend per hour', 'Hall | £12 | £9', 'Attic | £6 | £10']);

/** The first cells of the rows of an answer. */
const rowsOf = (question: string, ...sources: Source[]) =>
  answer(question, sources)
    .pieces.join('')
    .split('\n')
    .slice(2)
    .map((line) => line.split(' | ')[0]!.slice(2));

describe('a question for the most or the least is answered by the row that has it:', () => {
  it.each([
    ['Which boat is the newest?', ['Tern']],
    ['Which is the oldest boat?', ['Kittiwake']],
    ['What is the cheapest boat?', ['Kittiwake']],
    ['How much is the most expensive boat?', ['Puffin']],
    ['Which boat costs the most?', ['Puffin']],
    ['Which boat costs least?', ['Kittiwake']],
    ['Which boat weighs the least?', ['Tern']],
    ['Which boats weigh the most?', ['Kittiwake']],
    ['Which Wayfarer costs the most?', ['Gannet']],
    ['Which boat is the heaviest?', ['Kittiwake']],
    ['Which boat has the biggest crew?', ['Gannet', 'Kittiwake']],
    ['Which Wayfarer is the newest?', ['Gannet']],
  ])('%s', (question, names) => {
    expect(rowsOf(question, boats)).toEqual(names);
  });

  it.each([
    ['Who joined last?', ['Ben Hughes']],
    ['Who joined first?', ['Dev Patel']],
    ['Who is the youngest member?', ['Ben Hughes']],
    ['Who has been a member the longest?', ['Dev Patel']],
  ])('%s', (question, names) => {
    expect(rowsOf(question, members)).toEqual(names);
  });

  it.each([
    ['Which service takes the longest?', ['Full service']],
    ['Which service lasts the longest?', ['Full service']],
    ['What is the cheapest service?', ['Bell']],
    ['Which service is the fastest?', ['Bell']],
  ])('%s', (question, names) => {
    expect(rowsOf(question, services)).toEqual(names);
  });

  it.each([
    ["What's the cheapest bike for half a day?", hire, ['Willow']],
    ["What's the cheapest bike for a full day?", hire, ['Oak']],
    ['What is the cheapest room on a weekday?', rooms, ['Attic']],
    ['Which room is the most expensive at the weekend?', rooms, ['Attic']],
    ['Which is the cheapest room?', rooms, []],
  ])('below a column that only says what the price is for: %s', (question, prices, names) => {
    expect(rowsOf(question, prices)).toEqual(names);
  });

  it.each([
    ['What is the cheapest room with a balcony?', ['Lake']],
    ['What is the cheapest room?', ['Single']],
    ['Which room is the most expensive in the low season?', ['Suite']],
  ])('below a column of prices with a currency, of the rows that have what is asked for: %s', (question, names) => {
    const hotel = table('rooms.md', [
      'Room | Beds | Low season € | High season € | Balcony',
      'Single | 1 | 89 | 109 | no',
      'Lake | 2 | 139 | 178 | yes',
      'Garden | 2 | 119 | 150 | no',
      'Suite | 4 | 199 | 255 | yes',
    ]);
    expect(rowsOf(question, hotel)).toEqual(names);
  });

  it.each([
    ['Which bike is the cheapest?', ['Willow']],
    ['What is the cheapest e-bike?', ['Ash']],
  ])('beside a column that only tells some rows apart: %s', (question, names) => {
    const bikes = table('bikes.md', [
      'Bike | Day € | Deposit € | E-bike',
      'Oak | 15 | 50 | no',
      'Willow | 12 | 60 | no',
      'Elm | 30 | 200 | yes',
      'Ash | 28 | 250 | yes',
    ]);
    expect(rowsOf(question, bikes)).toEqual(names);
  });

  it.each([
    ['Which team has lost the most games?', ['Clee Hill']],
    ['Which team has won the fewest matches?', ['Clee Hill']],
    ['Which team won the most?', ['Hawks']],
    ['Which team has the most points?', ['Hawks']],
    ['Who has the most draws?', ['Tern Valley']],
  ])('below a column that is named by the verb: %s', (question, names) => {
    const league = table('league.md', [
      'Team | Played | Won | Drawn | Lost | Points',
      'Hawks | 14 | 11 | 1 | 2 | 34',
      'Tern Valley | 14 | 7 | 5 | 2 | 26',
      'Clee Hill | 14 | 2 | 4 | 8 | 10',
    ]);
    expect(rowsOf(question, league)).toEqual(names);
  });

  it.each([
    ['Which boat has the most seats?', ['Ferry']],
    ['Which boat is the cheapest?', ['Raft']],
    ['Which motor boat is the cheapest?', ['Motor boat, small']],
  ])('among rows of which only some have the kind in their name: %s', (question, names) => {
    const fleet = table('boats.md', [
      'Name | Seats | Price',
      'Raft | 4 | 10 €',
      'Motor boat, large | 8 | 60 €',
      'Motor boat, small | 6 | 40 €',
      'Ferry | 30 | 90 €',
    ]);
    expect(rowsOf(question, fleet)).toEqual(names);
  });

  it('below a column of prices, and not of the budgets in another table', () => {
    const prices = table('rooms.md', ['Room | Price', 'Hall | 40', 'Attic | 25']);
    const repairs = table('repairs.md', ['Room | Repairs €', 'Hall | 900', 'Cellar | 120']);
    expect(rowsOf('Which room is the cheapest?', prices, repairs)).toEqual(['Attic']);
    expect(rowsOf('Which room is the cheapest?', repairs, prices)).toEqual(['Attic']);
  });

  it('below a column that is named by the verb at the end', () => {
    const liga = table('liga.md', ['Team | Gewonnen | Verloren', 'Adler | 11 | 2', 'Bären | 6 | 5', 'Füchse | 2 | 8']);
    expect(rowsOf('Welches Team hat die meisten Spiele verloren?', liga)).toEqual(['Füchse']);
  });

  it('in other languages', () => {
    const rooms = table('zimmer.csv', [
      'Zimmer | Betten | Preis',
      'Rose | 2 | 79 €',
      'Tulpe | 1 | 48 €',
      'Nelke | 3 | 112 €',
    ]);
    expect(rowsOf('Welches Zimmer ist am günstigsten?', rooms)).toEqual(['Tulpe']);
    expect(rowsOf('Welches Zimmer kostet am meisten?', rooms)).toEqual(['Nelke']);
    expect(rowsOf('Welches Zimmer hat die meisten Betten?', rooms)).toEqual(['Nelke']);
    const chambres = table('chambres.csv', [
      'Chambre | Lits | Prix',
      'Bleue | 2 | 68 €',
      'Rouge | 1 | 49 €',
      'Dorée | 4 | 120 €',
    ]);
    expect(rowsOf('Quelle est la chambre la moins chère ?', chambres)).toEqual(['Rouge']);
    expect(rowsOf('Quelle chambre a le plus de lits ?', chambres)).toEqual(['Dorée']);
    expect(rowsOf('Quelle chambre coûte le plus cher ?', chambres)).toEqual(['Dorée']);
    const socios = table('socios.csv', [
      'Nombre | Alta | Edad',
      'Lucía | 2012 | 51',
      'Marcos | 2020 | 17',
      'Inés | 2008 | 63',
    ]);
    expect(rowsOf('¿Quién es el socio más joven?', socios)).toEqual(['Marcos']);
    expect(rowsOf('¿Quién es el socio más antiguo?', socios)).toEqual(['Inés']);
  });
});

describe('a question for the most or the least difficult', () => {
  const byNumber = table('courses.csv', [
    'Course | Level | Hours',
    'Baskets | 1 | 6',
    'Glass | 4 | 20',
    'Books | 2 | 8',
  ]);
  const inWords = table('walks.md', ['Walk | Difficulty', 'Lake | easy', 'Ridge | very hard', 'Gorge | moderate']);
  const kurse = table('kurse.md', [
    'Kurs | Niveau',
    'Aquarell | Anfänger',
    'Akt | Fortgeschrittene',
    'Fresko | schwer',
  ]);

  it.each([
    ['Which is the hardest course?', byNumber, ['Glass']],
    ['Which course is the most difficult?', byNumber, ['Glass']],
    ['Which course is the easiest?', byNumber, ['Baskets']],
    ['Which walk is the hardest?', inWords, ['Ridge']],
    ['What is the easiest walk?', inWords, ['Lake']],
    ['Welcher Kurs ist der schwerste?', kurse, ['Fresko']],
    ['Welcher Kurs ist der einfachste?', kurse, ['Aquarell']],
  ])('is answered by a column of levels: %s', (question, source, expected) => {
    expect(rowsOf(question, source)).toEqual(expected);
  });
});

describe('a question for the most or the least is not answered', () => {
  it.each(['Which boat is the fastest?', 'Which boat is the most comfortable?', 'Which boat has the most sails?'])(
    'where no column says it: %s',
    (question) => {
      expect(answer(question, [boats]).pieces).toEqual([]);
    },
  );

  it('where the values do not compare', () => {
    const mixed = table('rooms.csv', ['Room | Price', 'Rose | 79 €', 'Tulip | on request', 'Lily | 112 €']);
    expect(answer('What is the cheapest room?', [mixed]).pieces).toEqual([]);
    const currencies = table('rooms.csv', ['Room | Price', 'Rose | 79 €', 'Lily | 90 $'], { snapshot: 'currencies' });
    expect(answer('What is the cheapest room?', [currencies]).pieces).toEqual([]);
    const unclear = table('trips.csv', [
      'Trip | Date',
      'Lake | 05/04/2026',
      'Island | 04/06/2026',
      'Cave | 06/03/2026',
    ]);
    expect(answer('Which trip is the newest?', [unclear]).pieces).toEqual([]);
  });

  it('below a currency alone, where another table has prices', () => {
    const repairs = table('repairs.md', ['Room | Repairs €', 'Hall | 900', 'Cellar | 120']);
    const seasons = table('seasons.md', ['Room | Summer | Winter', 'Hall | £12 | £9', 'Attic | £6 | £10']);
    expect(rowsOf('Which room is the cheapest?', repairs, seasons)).toEqual([]);
  });

  it('from a part of the table', () => {
    const part = table('boats.csv', ['Wren | Laser | 2025 | 1 | 50 kg | 3.000 €'], { snapshot: 'part', start: 9_000 });
    const later = {
      ...part,
      text: '| Wren | Laser | 2025 | 1 | 50 kg | 3.000 € |',
      headings: '| Boat | Class | Built | Crew | Weight | Price |',
    };
    expect(answer('Which boat is the newest?', [boats, later]).pieces).toEqual([]);
  });
});
