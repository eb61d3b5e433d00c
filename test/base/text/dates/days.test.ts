/** Days as texts write them. */
import { describe, expect, it } from 'vitest';
import { dayIn, isoDayOf } from '../../../../src/base/text/dates/days.ts';
import { monthAlone } from '../../../../src/base/text/dates/months.ts';

describe('a day', () => {
  it.each(['14 Sept 2024', '14 Sept. 2024', 'Sept 14, 2024', 'sept. 14, 2024', '14 Sep 2024', '14 septembre 2024'])(
    'is read in "%s"',
    (text) => {
      expect(dayIn(text)).toEqual({ year: 2024, month: 9, day: 14 });
      expect(isoDayOf(text)).toBe('2024-09-14');
    },
  );

  it.each(['31 Sept 2024', '30.02.2024', '2024-13-01'])('is none where no calendar has it: "%s"', (text) => {
    expect(isoDayOf(text)).toBeUndefined();
  });
});

it('a word alone names a month, but "sept" is seven in French', () => {
  expect(['Sept', 'September', 'sep', 'septembre', 'May'].map(monthAlone)).toEqual([9, 9, 9, 9, 5]);
  expect(['sept', 'seven'].map(monthAlone)).toEqual([undefined, undefined]);
});
