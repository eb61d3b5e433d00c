/** Dates as pages and documents state them, wherever the server runs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isoDate } from '../../../src/web/extract/metadata.ts';

describe.each(['UTC', 'Europe/Berlin', 'America/Los_Angeles'])('dates in %s', (zone) => {
  const before = process.env.TZ;
  beforeAll(() => {
    process.env.TZ = zone;
  });
  afterAll(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  it.each([
    ['January 31, 2024', '2024-01-31'],
    ['Jan 31, 2024 10:30 AM', '2024-01-31'],
    ['31 January 2024', '2024-01-31'],
    ['Wed, 31 Jan 2024 10:00:00 GMT', '2024-01-31T10:00:00.000Z'],
    ['Wed, 31 Jan 2024 10:00:00 +0100', '2024-01-31T09:00:00.000Z'],
    ['Wed Jan 31 2024 10:00:00 GMT+0100 (CET)', '2024-01-31T09:00:00.000Z'],
    ['Wed Jan 31 2024', '2024-01-31'],
    ['03.04.2024', '2024-04-03'],
    ['31.01.2024, 14:30 Uhr', '2024-01-31'],
    ['31/01/2024', '2024-01-31'],
    ['01/31/2024', '2024-01-31'],
    ['2024-01-31', '2024-01-31'],
    ['2024/1/31', '2024-01-31'],
    ['20240131', '2024-01-31'],
    ['2024-01', '2024-01-01'],
    ['2024', '2024-01-01'],
    ['2024-01-31T10:00:00+01:00', '2024-01-31T09:00:00.000Z'],
    ['2024-01-31T10:00:00', '2024-01-31T10:00:00.000Z'],
    ['2024-01-31 10:00', '2024-01-31T10:00:00.000Z'],
    ['2024年1月31日', '2024-01-31'],
  ])('reads %s', (text, date) => {
    expect(isoDate(text)).toBe(date);
  });

  it.each(['03/04/2024', '2024-02-31', '31.02.2024', '3 days ago', 'in 2024', '12', '1989-12-31', '2199-01-01', ''])(
    'takes "%s" for none',
    (text) => {
      expect(isoDate(text)).toBeUndefined();
    },
  );
});
