/** The rows of tables that people keep, by the names, days and trades in a question. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';
import { smallTable } from './small-documents.ts';

const table = (title: string, ...rows: readonly string[]) => smallTable(title, rows);

const vet = table(
  'appointments.csv',
  'Animal | Owner | Vet',
  'Biscuit | Jane Poole | Dr Ames',
  'Rex | Tom Hall | Dr Lowe',
  'Mittens | Ada Cray | Dr Ames',
);
const expenses = table(
  'expenses.csv',
  'Date | What | Who | Amount',
  '2025-02-03 | Plumber | Ivo | 64',
  '2025-06-01 | Paint | Ivo | 35',
);
const trades = table(
  'contacts.csv',
  'Trade | Name | Phone',
  'Plumber | Reed & Sons | 01632 960244',
  'Electrician | Mira Lund | 01632 960255',
);
const menu = table(
  'menu.md',
  'Día | Comida | Cocina',
  'Lunes | Lentejas | Marta',
  'Martes | Pollo | Luis',
  'Miércoles | Pasta | Marta',
);
const invoices = table(
  'factures.csv',
  'Date | Fournisseur | Montant',
  '03/01/2025 | EauPlus | 41.20',
  '15/01/2025 | Élec Ouest | 88.75',
  '20/02/2025 | EauPlus | 39.90',
);
const matches = table(
  'spielplan.csv',
  'Datum | Heim | Halle',
  '07.09.2025 | TSV Eichdorf | Sporthalle',
  '19.10.2025 | SV Hohenau | Schulzentrum',
);
const hire = table(
  'location.csv',
  'Vélo | Taille | Journée',
  'Vélo enfant | 20 et 24 pouces | 12 €',
  'Vélo électrique | M et L | 40 €',
);
const sizes = table('sizes.md', 'Size | Chest | Price', 'M | 98 cm | £35', 'L | 106 cm | £38', 'XL | 114 cm | £41');

/** What the rows of an answer have in their columns. */
const rowsOf = (question: string, ...sources: Source[]) =>
  answer(
    question,
    sources.map((source, at) => ({ ...source, n: at + 1 })),
  )
    .pieces.join('')
    .split('\n')
    .slice(2)
    .map((line) => line.replace(/ \[\d\] \|$/, '').slice(2));

describe('the rows of a table', () => {
  it.each([
    ['Which animals go to Dr Ames?', [vet], ['Biscuit | Jane Poole | Dr Ames', 'Mittens | Ada Cray | Dr Ames']],
    ['Who is the plumber?', [expenses, trades], ['Plumber | Reed & Sons | 01632 960244']],
    ["What is the plumber's number?", [expenses, trades], ['Plumber | Reed & Sons | 01632 960244']],
    ['¿Quién cocina el martes?', [menu], ['Martes | Pollo | Luis']],
    ['¿Qué días cocina Marta?', [menu], ['Lunes | Lentejas | Marta', 'Miércoles | Pasta | Marta']],
    [
      "Quelles factures viennent d'EauPlus ?",
      [invoices],
      ['03/01/2025 | EauPlus | 41.20', '20/02/2025 | EauPlus | 39.90'],
    ],
    ['Wo ist das Spiel am 19. Oktober?', [matches], ['19.10.2025 | SV Hohenau | Schulzentrum']],
    ['Combien pour louer un vélo électrique une journée ?', [hire], ['Vélo électrique | M et L | 40 €']],
    ['How much is size L?', [sizes], ['L | 106 cm | £38']],
  ])('are those that the question means: %s', (question, sources, expected) => {
    expect(rowsOf(question, ...sources)).toEqual(expected);
  });

  it('have no telephone number where a line has another number', () => {
    const hotel = { ...trades, text: '# Hotel\n\nConfirmation number: 55-20817\n\nArrival: 13 June, from 15:00' };
    expect(rowsOf('What is the phone number of the hotel?', hotel)).toEqual([]);
    expect(answer('What is the phone number of the hotel?', [hotel]).pieces).toEqual([]);
  });
});

describe('a row without a reason or a duty', () => {
  const steps = smallTable('steps.md', ['Step | Date', 'Site visit | 12 March, 10:00', 'Deadline | 9 April, 12:00']);
  const tender = {
    ...steps,
    text: `${steps.text}\n\nThe site visit is compulsory. The deadline was moved because of the holidays.`,
  };
  const asked = (question: string) => answer(question, [tender]).pieces.join('');
  it.each([
    ['Do I have to come to the site visit?', 'The site visit is compulsory. [1]'],
    ['Why was the deadline moved?', 'The deadline was moved because of the holidays. [1]'],
  ])('does not answer where a sentence says it: %s', (question, said) => {
    expect(asked(question)).toBe(said);
  });
  it('does not answer where the heading of the sentence says what it is about', () => {
    const text = `${steps.text}\n\n## Site visit\n\nYou must come.\n\n## Parking\n\nYou must pay.`;
    expect(answer('Do I have to come to the site visit?', [{ ...steps, text }]).pieces.join('')).toBe(
      'You must come. [1]',
    );
  });
  it('answers where the sentence is about something else', () => {
    const rooms = smallTable('rooms.md', ['Room | State', 'Room 12 | closed, as the ceiling leaks', 'Room 14 | open']);
    const text = `${rooms.text}\n\nRoom 14 was closed because of a party.`;
    expect(answer('Why is room 12 closed?', [{ ...rooms, text }]).pieces.join('')).toContain('ceiling');
  });
  it.each(['Remark', 'Notes', 'Comment', 'Bemerkung'])(
    'answers with a column for what else is to be said: %s',
    (name) => {
      const dates = smallTable('dates.md', [
        `Event | ${name}`,
        'Deadline | moved, the holidays begin',
        'Visit | by bus',
      ]);
      const text = `${dates.text}\n\nThe deadline is strict because the office is closed.`;
      expect(answer('Why was the deadline moved?', [{ ...dates, text }]).pieces.join('')).toContain('holidays begin');
    },
  );
  it('answers when something is', () => {
    expect(asked('When is the site visit?')).toContain('Site visit | 12 March');
  });
});
