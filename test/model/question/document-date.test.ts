/** The dates of documents, as their titles and the names of their files have them. */
import { expect, it } from 'vitest';
import { documentDate, seriesOf } from '../../../src/model/extractive/text/document-date.ts';

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
