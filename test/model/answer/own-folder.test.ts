/** Answers from the first folders that people index: a practice, a hall, a garden, a journey. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';
import { smallDocument, smallTable } from './small-documents.ts';

const prices = smallTable('prices.csv', [
  'Treatment | Duration (min) | Price',
  'Home visit | 60 | £95',
  'Massage | 45 | £50',
]);
const team = smallDocument(
  'team.md',
  '**Mei Lin Chua** joined us from the county hospital. She sees patients after operations, and does the home visits.\n\nThere is a lift at the back, from the yard.',
);
const exercises = smallDocument('exercises.txt', 'Keep the arm in the sling. Do not lift anything heavier than a cup.');
const hall = smallDocument(
  'hall.md',
  '# Classes\n\nThe art class does not meet in August. Pilates is on Mondays at 7 pm. Our exercise room is upstairs.',
);
const paint = smallTable('paint.csv', [
  'Room | Colour | Brand',
  'Kitchen | Pale Sage | Crown',
  'Hall | Timeless | Dulux',
]);
const packing = smallDocument(
  'packing.txt',
  `To pack

Passports for all of us
Alan's tablets, in the hand luggage
Two plug adapters
Travel insurance papers: Globe Assist, policy 88-1204, emergency line +44 20 5550 0133
Swimming things for the farm (pool is heated)`,
);
const dates = smallDocument(
  'termine.txt',
  'Termine 2026\n\n14. März, 9 Uhr: Frühjahrsputz\n27. Juni, 15 Uhr: Sommerfest\n7. November, 18 Uhr: Jahreshauptversammlung im Vereinsheim',
);
const rules = smallDocument(
  'regeln.md',
  '# Regeln\n\nBienen dürfen nur auf den Parzellen am Waldrand gehalten werden.',
);

const flights = smallTable('flights.csv', [
  'Date | From | To | Departs | Arrives',
  '9 May | Gatwick | Porto | 07:10 | 09:35',
  '20 May | Lisbon | Gatwick | 18:40 | 21:25',
]);
const handbook = smallDocument(
  'handbook.md',
  `# Handbook

## Holiday

You have 25 days a year plus bank holidays. Up to five days may be carried into the next year.

## Pay

Wages are paid on the 26th of the month. There is a paid break of 15 minutes. Overtime is paid at one and a half times the normal rate, on Sundays at double.

## Fire

The alarm is tested on Mondays. In a fire we meet on the grass. The assembly point is the car park opposite.`,
);
const minutes = smallDocument(
  'minutes.md',
  "# Minutes\n\nThe treasurer's report: the current account stands at £4,312.60. The heating bill for September was £218.",
);
const staff = smallTable('staff.csv', ['Name | Job | Since', 'Owen | Foreman | 2014', 'Stan | Stores | 1998']);

const party = smallDocument(
  'party.md',
  '# Summer street party, Saturday 11 July\n\nThe street is closed from noon to 10 pm. The party starts at 2 pm.',
);
const house = smallDocument(
  'house.md',
  '# Heating\n\nThe boiler is a Vaillant, fitted in March 2019 by Hobbs. It is serviced every September.',
);
const choir = smallTable('choir.csv', [
  'Name | Voice | Paid',
  'Ann | Soprano | yes',
  'Dev | Tenor | no',
  'Ines | Alto | no',
]);
const shop = smallDocument('shop.md', 'Every song that we print is checked twice.\n\nSales of folders ended in May.');

const fees = smallTable('kosten.csv', ['Posten | Betrag', 'Pacht | 48 €', 'Aufnahmegebühr | 100 €', 'Strom | 12 €']);

const said = (question: string, ...sources: readonly Source[]) => answer(question, sources).pieces.join('');

describe('a folder of a few documents', () => {
  it.each([
    ['says who does something by the name before "she"', 'Who does home visits?', [prices, team], 'Mei Lin Chua'],
    ['has a lift where it says so, not where nobody may lift', 'Is there a lift?', [team, exercises], 'at the back'],
    ['has a colour below its column', 'What colour is the kitchen?', [paint], 'Pale Sage'],
    ['has lines of their own in a list with a long one', 'Is there a pool?', [packing], /^Swimming things/],
    ['has the whole day at the start of a German line', 'Wann ist das Sommerfest?', [dates], /^27\. Juni/],
    ['has a German compound for its last part', 'Wo findet die Hauptversammlung statt?', [dates], 'Vereinsheim'],
    ['has the row that goes there', 'When do we land back at Gatwick?', [flights], '21:25'],
    ['has the row that goes from there', 'When do we leave Gatwick?', [flights], '07:10'],
    ['has days for a number of holidays', 'How many holidays can I carry over?', [handbook], 'five days'],
    ['has the day on which wages are paid', 'When is payday?', [handbook], '26th'],
    ['has a rate that is double', 'How much overtime pay do we get on a Sunday?', [handbook], 'double'],
    ['has what is in the account', 'How much do we have in the bank?', [minutes], '4,312.60'],
    ['has who came first', 'Who has been here the longest?', [staff], /Stan(?![\s\S]*Owen)/],
    ['has the day in a heading', 'When is the street party?', [party], '11 July'],
    ['says of "it" what is asked of its name', 'When is the boiler serviced?', [house], 'every September'],
    ['has all who have not paid yet', "Who hasn't paid yet?", [choir], /Dev[\s\S]*Ines/],
    ['has a German compound for its first part', 'Wie viel kostet die Aufnahme?', [fees], '100 €'],
    ['says in German what may be by "dürfen"', 'Sind Bienen erlaubt?', [rules], 'nur auf den Parzellen'],
    ['has a sale for sales', 'When was the last sale of folders?', [shop], 'Sales of folders'],
  ] as const)('%s', (_, question, sources, words) => {
    expect(said(question, ...sources)).toMatch(words);
  });

  it.each([
    ['a kind of class that it does not name', 'Is there a yoga class?', [hall]],
    ['a number of what it does not count', 'Wie viele Parzellen gibt es?', [rules]],
  ] as const)('does not answer for %s', (_, question, sources) => {
    expect(said(question, ...sources)).toBe('');
  });
});
