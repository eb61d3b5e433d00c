import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';
import { smallDocument as document } from './small-documents.ts';

const info = document('info.md', 'Breakfast costs 11 € per person. Every room has its own bath.');
const numbers = document(
  'rooms.csv',
  '| Room | Beds | Price |\n|---|---|---|\n| 1 | 2 | 84 € |\n| 2 | 1 | 52 € |\n| 3 | 2 | 96 € |',
);
const names = document(
  'zimmer.csv',
  '| Zimmer | Betten | Preis |\n|---|---|---|\n| Rose | 2 | 79 € |\n| Tulpe | 1 | 48 € |\n| Nelke | 3 | 112 € |',
);
const lockers = document(
  'lockers.md',
  'Locker 4 is broken. Locker 5 belongs to the coach. The key to a locker costs 3 €.',
);

const bins = document(
  'bins.md',
  'The black bin is collected on Mondays, the blue bin on the first Friday of the month.',
);
const insurance = document('insurance.md', '# Car insurance\n\nPremium: £412 a year\nExcess: £250');
const allotment = document('rules.md', '# Rules\n\nHens may be kept, up to four. Fires are allowed on Saturdays.');
const flat = document(
  'flat.md',
  '# Rules\n\nOne cat may be kept. Any other animal needs the written consent of the landlord.\n\nWalls may be painted in any colour if they are white again at the end.',
);
const clubs = document(
  'clubs.md',
  'All clubs end at 4.30 pm.\n\n| Club | Day | Cost |\n|---|---|---|\n| Chess | Monday | £20 |\n| Drama | Friday | £30 |',
);
const hire = document('hire.md', '# Hire\n\n| What | Half day |\n|---|---|\n| Bikes | £12 |\n| Trailers | £6 |');
const shuttle = document(
  'wedding.md',
  'We have put aside 25 rooms at Hotel Seeblick. A shuttle picks people up there and goes back to the hotel at 23:30 and 02:00.',
);
const garten = document(
  'garten.md',
  '# Ordnung\n\nHühner dürfen gehalten werden, höchstens vier. Hähne sind nicht erlaubt.',
);
const training = document(
  'training.md',
  '# Training\n\n| Mannschaft | Tag | Zeit |\n|---|---|---|\n| E-Jugend | Dienstag | 16:30–18:00 |\n| D-Jugend | Dienstag | 18:00–19:30 |\n| Damen | Mittwoch | 19:30–21:30 |',
);
const forfait = document(
  'forfait.md',
  '# Forfait\n\n| Service | Prix par mois |\n|---|---|\n| Assurance du téléphone | 4,50 € |\n| Option international | 6,00 € |',
);

const house = document(
  'house.md',
  '# House\n\n## Codes\n\n- Alarm code: 4711\n- Garage: 9034\n\n## Days\n\nPaper is collected every second Tuesday. Breakfast is from 7:30 to 10:00 in the kitchen. Please do not smoke in the house.',
);
const sold = document('sold.csv', '| Product | Sold |\n|---|---|\n| Lamp | 37 |\n| Chair | 12 |');
const vets = document('vets.md', 'Dr Nwosu treats rabbits, birds and reptiles. Dr Marsh treats dogs and cats.');
const dentist = document('dentist.md', 'A cleaning takes 45 minutes and costs 95 euros.');
const camp = document(
  'faq.md',
  '# Questions\n\n**Is there Wi-Fi?** Yes, at the reception and in the café, free of charge. On the pitches there is none.\n\n**How deep is the lake?** In the middle it is 31 m deep.',
);
const contracts = document(
  'contracts.md',
  '# Contracts\n\nA desk costs 149 € a month. Students get a discount of 20 %. The first day is free.',
);

const said = (question: string, ...sources: Source[]) =>
  answer(
    question,
    sources.map((source, at) => ({ ...source, n: at + 1 })),
  ).pieces.join('');

describe('of several of a kind', () => {
  it.each(['What does room 7 cost?', 'Does room 8 have its own bath?', 'How much is room 12?'])(
    'one that is not in the table is not answered by anything else: %s',
    (question) => {
      expect(said(question, numbers, info)).toBe('');
    },
  );

  it('one that is not in a text is not answered by another', () => {
    expect(said('Who has locker 9?', lockers)).toBe('');
    expect(said('What does the key to locker 9 cost?', lockers)).toBe('');
    expect(said('Who has locker 5?', lockers)).toContain('coach');
  });

  it('one by a name that none of them has is not answered', () => {
    expect(said('Was kostet das Zimmer Lilie?', names)).toBe('');
    expect(said('Was kostet das Zimmer Nelke?', names)).toContain('112 €');
  });

  it('one that is there is answered by its row, whatever else has its number', () => {
    expect(said('What does room 2 cost?', numbers, info)).toContain('| 2 | 1 | 52 € [1] |');
    expect(said('What does room 2 cost?', numbers, info)).not.toContain('84 €');
  });

  it('a range may have it', () => {
    const range = document('range.md', 'Rooms 1 to 9 cost 60 €. Room 10 costs 80 €. Room 11 costs 90 €.');
    expect(said('How much is room 7?', range)).not.toBe('');
  });

  it('a price of something else, or for other people, does not answer', () => {
    const pension = document('Pension', '# Pension\n\nFrühstück kostet 9 € pro Person. Hunde kosten 6 € pro Nacht.');
    expect(said('Was kostet ein Kinderbett?', pension)).toBe('');
    expect(said('Was kostet das Frühstück?', pension)).toContain('9 €');
    const gite = document('Gîte', '# Gîte\n\nLe petit-déjeuner coûte 9 € par personne.');
    expect(said('Combien coûte le parking ?', gite)).toBe('');
    expect(said('Combien coûte le petit-déjeuner ?', gite)).toContain('9 €');
    const shop = document('Shop', '# Shop\n\n| Service | Price |\n|---|---|\n| Puncture | 14 € |\n| Brakes | 22 € |');
    expect(said('How much is a puncture for a motorbike?', shop)).toBe('');
    expect(said('How much is a puncture?', shop)).toContain('14 €');
  });

  it('a telephone number is one in other languages as well', () => {
    const board = document(
      'Vorstand',
      '# Vorstand\n\nKassiererin: Sabine Lenz\n\nSchriftführer: Max Oder, 0421 5567 210',
    );
    expect(said('Wie ist die Telefonnummer der Kassiererin?', board)).not.toContain('Lenz');
    expect(said('Wie ist die Telefonnummer des Schriftführers?', board)).toContain('0421 5567 210');
  });

  it.each([
    ['Which day is the green bin collected?', bins],
    ['How much is the house insurance?', insurance],
    ['What does insurance for the house cost?', insurance],
    ['Can I keep bees?', allotment],
    ['May I have a goat?', allotment],
    ['Is there a swimming club?', clubs],
    ['Is there a philosophy club?', clubs],
    ['How much is it to hire an e-bike?', hire],
    ['Darf ich Bienen halten?', garten],
    ['Wann trainiert die C-Jugend?', training],
    ["Combien coûte l'assurance de la maison ?", forfait],
    ['What is the code for the cellar?', house],
    ['When is plastic collected?', house],
    ['What time is dinner?', house],
    ['Are pets allowed?', house],
    ['How many sofas did we sell?', sold],
    ['How long does a root canal take?', dentist],
    ['Is there a restaurant?', camp],
    ['Is there a discount for seniors?', contracts],
  ])('one of another name is not answered by what is said of its like: %s', (question, source) => {
    expect(said(question, source)).toBe('');
  });

  it.each([
    ['Which day is the blue bin collected?', bins, 'Friday'],
    ['How much is the car insurance?', insurance, '£412'],
    ['Can I keep hens?', allotment, 'up to four'],
    ['Can I keep a dog?', flat, 'written consent'],
    ['May I paint the walls green?', flat, 'any colour'],
    ['How much is the chess club?', clubs, '£20'],
    ['How much is it to hire a bike?', hire, '£12'],
    ['Wann trainiert die D-Jugend?', training, 'Dienstag'],
    ["Combien coûte l'assurance du téléphone ?", forfait, '4,50'],
    ['What is the code of the garage?', house, '9034'],
    ['When is paper collected?', house, 'Tuesday'],
    ['What time is breakfast?', house, '7:30'],
    ['Is smoking allowed?', house, 'do not smoke'],
    ['How many lamps did we sell?', sold, '37'],
    ['Which of you knows about parrots?', vets, 'birds'],
    ['How long does a cleaning take?', dentist, '45 minutes'],
    ['Is there Wi-Fi?', camp, 'at the reception'],
    ['Is there Wi-Fi on the pitches?', camp, 'On the pitches there is none.'],
    ['Is there a discount for students?', contracts, '20 %'],
    ['Is there parking for visitors?', document('parking.md', 'There are 20 parking spaces in the basement.'), '20'],
    ['Is there a shuttle for guests?', document('bus.md', 'A shuttle runs to the station every hour.'), 'every hour'],
    ['When does the last bus go back to the hotel?', shuttle, '02:00'],
  ])('the one that is there is answered: %s', (question, source, words) => {
    expect(said(question, source)).toContain(words);
  });
});

describe('who does something on a page', () => {
  const museum = document(
    'museum.md',
    '# Glass museum\n\nThe house was built in 1887 by Emil Kranz.\n\nComplaints: Harriet Okoye, room 4.\n\nGuided tours: Heike Pfennig shows how a vase is made.',
  );
  it.each(['Who is the curator of the museum?', 'Who insures the glass museum?'])(
    'is not answered with a name from the page: %s',
    (question) => {
      expect(answer(question, [museum]).pieces).toEqual([]);
    },
  );
  it.each([
    ['Who built the museum?', 'Emil Kranz'],
    ['Who leads the guided tours of the museum?', 'Heike Pfennig'],
  ])('is answered where the page says who does it: %s', (question, said) => {
    expect(answer(question, [museum]).pieces.join('')).toContain(said);
  });
});
