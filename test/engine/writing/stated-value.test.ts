/** What a quote says of a value: contains it, implies it, or neither. */
import { describe, expect, it } from 'vitest';
import { fieldWords, readValue } from '../../../src/engine/writing/stated-value.ts';

const read = (path: string, value: string | number | boolean, quote: string, around = quote) =>
  readValue(value, quote, { field: fieldWords(path), around });
const stated = (value: unknown) => ({ value, isStated: true });
const implied = (value: unknown) => ({ value, isStated: false });

describe('a quote', () => {
  it.each<[string, string, string | number | boolean, string, unknown]>([
    ['states a number with its magnitude', '/cost', 12_000_000, 'Construction cost 12 million crowns', stated(12e6)],
    ['corrects a number whose magnitude was lost', '/cost', 12, 'Construction cost 12 million crowns', stated(12e6)],
    ['states the millions that a field asks for', '/cost_million', 12, 'cost 12 million crowns', stated(12)],
    [
      'states a number with many decimals',
      '/latitude',
      48.856613,
      'The latitude is 48.856613 degrees',
      stated(48.856613),
    ],
    [
      'states a long whole number',
      '/account',
      4111111111111111,
      'The account is 4111111111111111',
      stated(4111111111111111),
    ],
    ['states a number below zero', '/temperature', -5, 'The temperature is minus 5 degrees', stated(-5)],
    ['states a power of ten', '/mass', 6.02214076e23, 'The mass is 6.02214076 × 10^23 kg', stated(6.02214076e23)],
    ['corrects a number whose power of ten was lost', '/mass', 6.02, 'The mass is 6.02 × 10^23 kg', stated(6.02e23)],
    ['states a number in words', '/deaths', 11, 'Eleven workers died', stated(11)],
    ['states a date that was normalised', '/opened', '1931-05-14', 'opened on 14 May 1931', stated('1931-05-14')],
    ['states a date in German', '/opened', '1931-05-14', 'eröffnet am 14. Mai 1931', stated('1931-05-14')],
    ['states a date in figures', '/opened', '1931-05-14', 'Opened: 14.05.1931, by Ada', stated('1931-05-14')],
    ['states a date with slashes', '/opened', '1931-05-14', 'Opened on 5/14/1931 by Ada', stated('1931-05-14')],
    ['states a month', '/opened', '1931-05', 'opened in May 1931', stated('1931-05')],
    ['states a time that was normalised', '/begins', '19:30:00', 'begins at 7.30 pm sharp', stated('19:30:00')],
    [
      'states a date and a time',
      '/begins',
      '1931-05-14T19:30:00',
      'begins on 14 May 1931 at 7.30 pm',
      stated('1931-05-14T19:30:00'),
    ],
    ['states a name', '/engineer', 'Ada Lindqvist', 'designed by Ada Lindqvist', stated('Ada Lindqvist')],
    ['implies a share', '/share', 0.75, 'The share of the town is 3/4', implied(0.75)],
    ['implies a number in another unit', '/paid_days', 112, 'leave of 16 weeks is paid', implied(112)],
    [
      'implies a text in other words',
      '/access',
      'not for dogs',
      'Dogs may not enter the museum',
      implied('not for dogs'),
    ],
    ['decides yes', '/safe', true, 'is safe to use', implied(true)],
    ['decides no', '/toll', false, 'A toll was charged until 1968 and was not reintroduced', implied(false)],
    ['decides no by the opposite word', '/accepted', false, 'The proposal was rejected by the council', implied(false)],
    ['decides no by what is over', '/toll', false, 'A toll was charged until 1968', implied(false)],
    ['counts what it names', '/colours', 3, 'It comes in red, green and blue', implied(3)],
    ['counts in a word', '/checks_a_day', 2, 'The checks are made twice a day', implied(2)],
    ['decides no by a denial in another word', '/batteries_included', false, 'Batteries are excluded.', implied(false)],
  ])('%s', (_, path, value, quote, wanted) => {
    expect(read(path, value, quote)).toEqual(wanted);
  });

  it.each<[string, string, string | number | boolean, string]>([
    ['with another number', '/year', 1968, 'opened on 14 May 1931'],
    ['with fewer decimals', '/latitude', 48.856, 'The latitude is 48.856613 degrees'],
    ['above zero', '/temperature', 5, 'The temperature is minus 5 degrees'],
    ['with another last digit', '/account', 4111111111111110, 'The account is 4111111111111111'],
    ['that no number can hold', '/account', 12345678901234567000, 'The account is 12345678901234567890'],
    ['without the number, and short', '/year', 1968, 'the bridge'],
    ['with another name', '/engineer', 'Queen Ingrid', 'designed by the engineer Ada Lindqvist'],
    ['with the words of a name in other places', '/name', 'Ingrid Marlow', 'Marlow was where Queen Ingrid opened it'],
    ['of another day', '/opened', '1931-05-15', 'It was opened on 14 May 1931'],
    ['of a day that may be either', '/opened', '1931-05-06', 'It was opened on 05/06/1931'],
    ['of another time', '/begins', '07:30:00', 'It begins at 7.30 pm on every Friday'],
    ['of another date', '/opened', '2 June 1931', 'It was opened on 14 May 1931'],
    ['that says the opposite', '/batteries_included', true, 'Batteries are excluded.'],
    ['that says the opposite by "not"', '/dogs_allowed', true, 'Dogs are not allowed in the museum'],
    ['that does not decide', '/toll', true, 'the'],
  ])('supports nothing %s', (_, path, value, quote) => {
    expect(read(path, value, quote, quote)?.isStated ?? false).toBe(false);
    expect(read(path, value, quote, '')).toBeUndefined();
  });

  it.each<[string, string, string | number | boolean, string]>([
    ['that says the opposite word', '/accepted', true, 'The proposal was rejected by the council'],
    ['that is about something else', '/toll', true, 'It was opened on 14 May 1931 by Queen Ingrid.'],
    ['that is about a part of the name', '/free_parking', true, 'Parking costs 2 crowns an hour'],
    ['that is about another of its kind', '/dogs_allowed', true, 'Cats are allowed in the garden'],
    ['that says what is over', '/toll', true, 'A toll was charged until 1968'],
    ['that doubts', '/safe', true, 'It is disputed whether the bridge is safe'],
    ['without any number', '/year', 1968, 'The toll was abolished after a long dispute in the council'],
    ['with nothing of a text', '/colour', 'red', 'It was opened on 14 May 1931 by Queen Ingrid.'],
    [
      'with a part of a name',
      '/name',
      'Ingrid Bridge',
      'a steel cantilever bridge between the towns of Marlow and Eastness',
    ],
    ['with the opposite of a text', '/state', 'open to lorries', 'It is closed to lorries this summer'],
  ])('implies nothing %s', (_, path, value, quote) => {
    expect(read(path, value, quote)).toBeUndefined();
  });

  it('supports nothing if it is a bare number in a line about something else', () => {
    expect(read('/max_stations', 10, '10', 'Intervals below 10 seconds are refused.')).toBeUndefined();
    expect(read('/max_stations', 10, '10', '| Stations | 10 |')).toEqual(stated(10));
  });
});
