import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';
import { weekdaysIn } from '../../../src/model/extractive/text/weekdays.ts';
import { smallDocument } from './small-documents.ts';

const document = (title: string, text: string) =>
  smallDocument(title, text, { headings: title, url: `file:///shop/${title}.md` });
const said = (question: string, source: Source) => answer(question, [source]).pieces.join('');

const shop = document(
  'Cycles',
  '## Opening hours\n\n| Day | Hours |\n|---|---|\n| Monday | closed |\n| Tuesday to Friday | 9:00–18:00 |\n| Saturday | 10:00–14:00 |',
);
const school = document(
  'School',
  '| Course | Day |\n|---|---|\n| Yoga | Monday |\n| Polish | Tuesday |\n\n## Office\n\nThe office is open Tuesday to Friday from 10:00 to 13:00.',
);

describe('whether something is open on a day', () => {
  it('is answered by the row of that day', () => {
    expect(said('Are you open on Monday?', shop)).toContain('| Monday | closed [1] |');
    expect(said('Are you open on Wednesday?', shop)).toBe(
      '| Day | Hours |\n|---|---|\n| Tuesday to Friday | 9:00–18:00 [1] |',
    );
  });

  it('is answered by all rows where none has the day', () => {
    expect(said('Are you open on Sunday?', shop)).toMatch(/closed.*9:00–18:00.*10:00–14:00/s);
  });

  it('is answered by the hours of what is asked about, and not by what else takes place on that day', () => {
    expect(said('Is the office open on Monday?', school)).toBe(
      'The office is open Tuesday to Friday from 10:00 to 13:00. [1]',
    );
    expect(said('Is the sauna open on Monday?', school)).not.toContain('office');
  });

  it('is answered from plain text whose first line has the name', () => {
    const text =
      'Kita Sonnenhof\n\nÖffnungszeiten\nMontag bis Donnerstag 7:00 bis 16:30 Uhr\nFreitag 7:00 bis 14:00 Uhr\n\nKassierer: Jens Roth';
    const kita = { ...document('info', ''), text };
    expect(said('Hat die Kita am Freitag geöffnet?', kita)).toBe('Freitag 7:00 bis 14:00 Uhr. [1]');
    expect(said('Hat die Kita am Samstag geöffnet?', kita)).toContain('16:30 Uhr');
  });

  it('is answered in other languages', () => {
    const gite = document(
      'Gîte',
      'Accueil\n\n- Réception ouverte : mardi au samedi, 9 h à 19 h\n- Piscine : juin à août',
    );
    expect(said('La réception est-elle ouverte le lundi ?', gite)).toContain('mardi au samedi');
    const praxis = document('Praxis', '## Öffnungszeiten\n\n- Mo–Do: 8:00–12:00\n- Fr: 8:00–11:00');
    expect(said('Haben Sie am Mittwoch geöffnet?', praxis)).toContain('Mo–Do');
  });
});

describe('when something is open', () => {
  it.each([
    ['When are you open?', 'We are closed on Mondays.', 'We are open from 9:00 to 18:00.'],
    ['Wann habt ihr geöffnet?', 'Montags geschlossen.', 'Wir haben von 9 bis 18 Uhr geöffnet.'],
  ])('is not answered by the day on which it is closed alone: %s', (question, other, hours) => {
    const text = `# Cycles\n\nWe repair bicycles. ${hours}\n\n${other}`;
    expect(said(question, document('Cycles', text))).toContain(hours.slice(0, -1));
  });
});

describe('the days of a text', () => {
  it.each([
    ['Tuesday to Friday', [1, 2, 3, 4]],
    ['Mo–Do: 8:00–12:00', [0, 1, 2, 3]],
    ['du mardi au samedi', [1, 2, 3, 4, 5]],
    ['Friday to Monday', [4, 5, 6, 0]],
    ['Saturday and Sunday', [5, 6]],
    ['täglich von 8 bis 18 Uhr', [0, 1, 2, 3, 4, 5, 6]],
    ['We do so at 10:30', []],
  ])('%s', (text, days) => {
    expect([...weekdaysIn(text)].toSorted((a, b) => a - b)).toEqual(days.toSorted((a, b) => a - b));
  });

  it('all hours of what is named answer when it is open', () => {
    const text =
      '# Verein\n\nGeschäftsstelle: Am Sportplatz 2, geöffnet mittwochs 17 bis 19 Uhr\nPlatzwart: Hannes Klee\n\nKündigungen bis zum 30. September an die Geschäftsstelle.';
    const source = smallDocument('Verein', text);
    expect(answer('Wann hat die Geschäftsstelle offen?', [source]).pieces.join('')).toContain('mittwochs');
  });
});
