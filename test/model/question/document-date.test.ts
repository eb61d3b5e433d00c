/** The dates of documents, as their titles and the names of their files have them. */
import { expect, it } from 'vitest';
import { documentDate, isOfMeeting, seriesOf } from '../../../src/model/extractive/text/document-date.ts';

it.each([
  ['Minutes of 14 Sept 2024', 20240914],
  ['Minutes, Sept. 14, 2024', 20240914],
  ['Minutes Sept 2024', 20240900],
  ['Minutes of 3 March 2024', 20240303],
  ['Minutes 2024', 20240000],
  ['Minutes', undefined],
])('the date of "%s"', (title, date) => {
  expect(documentDate({ title, url: 'https://notes.test/x' })).toBe(date);
});

it('minutes of months with long and short names are of one series', () => {
  const series = ['Minutes of 14 Sept 2024', 'Minutes of 9 October 2024', 'Minutes of 4 Nov 2024'].map((title) =>
    seriesOf({ title, url: 'x' }),
  );
  expect(new Set(series).size).toBe(1);
});

it.each([
  ['Minutes of the board, 9 May 2026', '', true],
  ['minutes-2026-05.md', '', true],
  ['Minutes 2024', '', true],
  ['AGM minutes, May 2026', '', true],
  ['Club', 'Board › Minutes of 9 May 2026', true],
  ['Protokoll vom 10. März 2023', '', true],
  ['Ata de 3 de maio de 2026', '', true],
  ['Ata', '', false],
  ['Upcoming concerts, 10 minutes from the station', '', false],
  ['Concerts 2026, ten minutes from the station', '', false],
  ['Concerts 2026', 'A few minutes of music', false],
  ['Meetings and minutes', 'Meetings and minutes', false],
  ['Meetings and minutes 2026', '', false],
  ['Sitzungstermine und Protokolle 2026', '', false],
])('whether "%s", "%s" is of a meeting', (title, headings, expected) => {
  expect(isOfMeeting({ title, headings, url: 'https://notes.test/x' })).toBe(expected);
});
